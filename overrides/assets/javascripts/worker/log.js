/*
 * Reads a log off the main thread. Nothing leaves the browser: what is fetched are the guide's own signatures and fixes. The
 * build makes search/log-worker.js of it; started as log-worker.js?lang=en, ended by the page to cancel.
 *
 *   in:  {type: "start", source: File or Blob} or {type: "start", text: "…"}
 *   out: {type: "progress", read, size}, {type: "done", result}, {type: "error", kind, detail}
 */
import { assemble } from "../match/guide.js";
import { unpack } from "../rank/documents.js";
import { Finder } from "../rank/finder.js";
import { LogError } from "../scan/encoding.js";
import { Scanner } from "../scan/scanner.js";
import { nameOf, placeOf, shown } from "../scan/shown.js";
import { language, load, near } from "./data.js";
import { readLog } from "./stream.js";

/** @typedef {import("../match/guide.js").Guide} Guide */
/** @typedef {{ type: "start", source?: Blob, text?: string }} Start */

const TICK = 100;                      // milliseconds between two messages of progress
const CLOSEST = 3, CLOSE_TEXT = 20000; // entries shown where none is known, and the longest text that is asked with whole

/**
 * Where no error is known: what the search box puts first for the same text, by its words.
 * @param {string} text
 * @param {Guide} guide
 */
async function closest(text, guide) {
  if (!text.trim()) return [];
  await importScripts(near("../assets/vendor/minisearch/minisearch.js"));
  const finder = new Finder(guide, MiniSearch), more = await load(`${language}-more`);
  await finder.addText();
  await finder.add(unpack(more));
  const { results } = finder.search(text.replace(/\s*[\r\n]+\s*/g, " "), "");
  return results.slice(0, CLOSEST).map(({ entry }) => placeOf(finder.documents[entry]));
}

/** @param {number} size of the whole */
function reporter(size) {
  let sent = 0, read = 0;
  return (/** @type {number} */ more) => {
    read += more;
    if (Date.now() - sent < TICK) return;
    sent = Date.now();
    self.postMessage({ type: "progress", read, size });
  };
}

/**
 * @param {Start} message
 * @returns {Promise<import("../scan/shown.js").LogResult>}
 */
async function resultOf({ text, source = new Blob([text ?? ""]) }) {
  const [compiled, said, data, fixes] = await Promise.all(["guide", language, "scan", `fixes-${language}`].map(load));
  const guide = assemble(compiled, said), scanner = new Scanner(guide, data);
  const damaged = await readLog(source, (bytes) => scanner.push(bytes), reporter(source.size), data.scan);
  const found = scanner.finish();
  const asked = text !== undefined && text.length <= CLOSE_TEXT ? text : found.unknown.text;
  return {
    ...found, damaged, size: source.size,
    frameworkName: nameOf(guide, found.framework),
    frameworks: guide.frameworks.map(({ id, name, glossary }) => ({ id, name, group: glossary })),
    findings: shown(found.findings, guide, fixes, scanner.mask),
    closest: found.findings.length ? [] : await closest(asked, guide).catch(() => []),
  };
}

self.onmessage = async ({ data }) => {
  if (data.type !== "start") return;
  try {
    self.postMessage({ type: "done", result: await resultOf(data) });
  } catch (error) {
    const detail = error instanceof Error ? error.message : "";
    self.postMessage({ type: "error", kind: error instanceof LogError ? error.kind : "unread", detail });
  }
};
