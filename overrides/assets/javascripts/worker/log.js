/*
 * Reads a log off the main thread. Nothing leaves the browser: what is fetched are the guide's own signatures and fixes. The
 * build makes search/log-worker.js of it; started as log-worker.js?lang=en, ended by the page to cancel.
 *
 *   in:  {type: "start", source: File or Blob} or {type: "start", text: "…"}
 *   out: {type: "progress", read, size}, {type: "done", result, ends}, {type: "error", kind, detail}
 */
import { LogError } from "../scan/encoding.js";
import { frameworksOf, nameOf, shown } from "../scan/shown.js";
import { toldBy } from "../scan/told.js";
import { closestTo } from "./closest.js";
import { language, load } from "./data.js";
import { knownErrors, prepared } from "./known.js";
import { Reporter } from "./progress.js";

/** @typedef {{ type: "start", source?: Blob, text?: string }} Start */

/**
 * @param {Start} message
 * @returns {Promise<{ result: import("../scan/shown.js").LogResult, ends: string }>} the log's ends only where they name versions
 */
async function resultOf({ text = "", source = new Blob([text]) }) {
  const ready = await prepared(load, language), { guide, matcher, mask, fixes, bugs } = ready, reporter = new Reporter(source.size);
  const { found, tail, ends } = await knownErrors(source, ready, (size) => reporter.add(size)), isKnown = found.findings.length > 0;
  const result = {
    ...found, size: source.size,
    frameworkName: nameOf(guide, found.framework),
    frameworks: frameworksOf(guide),
    findings: shown(found.findings, guide, fixes, mask, bugs.entries),
    told: isKnown ? null : toldBy(tail, guide, (one) => matcher.clean(one)),
    closest: isKnown ? [] : await closestTo(tail, ready).catch(() => []),
  };
  return { result, ends };
}

self.onmessage = async ({ data }) => {
  if (data.type !== "start") return;
  try {
    self.postMessage({ type: "done", ...await resultOf(data) });
  } catch (error) {
    const detail = error instanceof Error ? error.message : "";
    self.postMessage({ type: "error", kind: error instanceof LogError ? error.kind : "unread", detail });
  }
};
