/*
 * Reads a log off the main thread. Nothing leaves the browser: what is fetched are the guide's own signatures and fixes. The
 * build makes search/log-worker.js of it; started as log-worker.js?lang=en, ended by the page to cancel.
 *
 *   in:  {type: "start", source: File or Blob} or {type: "start", text: "…"}
 *   out: {type: "progress", read, size}, {type: "done", result, ends}, {type: "error", kind, detail}
 */
import { assemble, withBugs } from "../match/guide.js";
import { Matcher } from "../match/matcher.js";
import { unpack } from "../rank/documents.js";
import { causeFirst, namedIn } from "../scan/cause.js";
import { LogError } from "../scan/encoding.js";
import { Ends } from "../scan/ends.js";
import { Scanner } from "../scan/scanner.js";
import { nameOf, shown } from "../scan/shown.js";
import { toldBy } from "../scan/told.js";
import { VERSIONS } from "../scan/versions.js";
import { closestTo } from "./closest.js";
import { language, load } from "./data.js";
import { Reporter } from "./progress.js";
import { readLog } from "./stream.js";

/** @typedef {import("../match/guide.js").Guide} Guide */
/** @typedef {{ type: "start", source?: Blob, text?: string }} Start */

/** @type {WeakMap<object, import("../scan/lookup.js").ScanData>} what is looked for, made once: the next log is read with it, too */
const sought = new WeakMap();

/**
 * @param {import("../scan/lookup.js").ScanData} scan
 * @param {import("../match/guide.js").Bugs} bugs
 */
function scanData(scan, bugs) {
  const made = sought.get(scan) || { ...scan, keys: [...scan.keys, ...bugs.keys] };
  sought.set(scan, made);
  return made;
}

/**
 * @param {Start} message
 * @returns {Promise<{ result: import("../scan/shown.js").LogResult, ends: string }>} the log's ends only where they name versions
 */
async function resultOf({ text = "", source = new Blob([text]) }) {
  const pieces = ["guide", language, "scan", "bugs", `${language}-bugs`, `fixes-${language}`];
  const [compiled, said, scan, bugs, ledger, fixes] = await Promise.all(pieces.map(load));
  const own = assemble(compiled, said), guide = withBugs(own, bugs, unpack(ledger));
  const data = scanData(scan, bugs), scanner = new Scanner(guide, data), ends = new Ends(), reporter = new Reporter(source.size);
  const push = (/** @type {Uint8Array} */ bytes) => { scanner.push(bytes); ends.push(bytes); };
  const damaged = await readLog(source, push, (size) => reporter.add(size), data.scan);
  const end = ends.tail(), begin = ends.head();
  const matcher = new Matcher(guide), found = scanner.finish(namedIn(end, ends.total, matcher)), known = causeFirst(found.findings, end, matcher);
  const result = {
    ...found, damaged, size: source.size,
    frameworkName: nameOf(guide, found.framework),
    frameworks: guide.frameworks.map(({ id, name, glossary }) => ({ id, name, group: glossary })),
    findings: shown(known, guide, fixes, scanner.mask, bugs.entries),
    told: known.length ? null : toldBy(end, guide, scanner.clean),
    closest: known.length ? [] : await closestTo(end, own, said.head, bugs, ledger, load, language).catch(() => []),
  };
  const both = begin === end ? end : `${begin}\n${end}`;
  return { result, ends: VERSIONS.test(both) ? both : "" };
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
