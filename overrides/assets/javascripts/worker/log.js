/*
 * Reads a log off the main thread. Nothing leaves the browser: what is fetched are the guide's own signatures and fixes. The
 * build makes search/log-worker.js of it; started as log-worker.js?lang=en, ended by the page to cancel.
 *
 *   in:  {type: "start", source: File or Blob} or {type: "start", text: "…"}
 *   out: {type: "progress", read, size}, {type: "done", result}, {type: "error", kind, detail}
 */
import { assemble } from "../match/guide.js";
import { unpack } from "../rank/documents.js";
import { Finder, MAX_QUERY } from "../rank/finder.js";
import { causeFirst } from "../scan/cause.js";
import { LogError } from "../scan/encoding.js";
import { Scanner } from "../scan/scanner.js";
import { nameOf, placeOf, shown } from "../scan/shown.js";
import { toldBy } from "../scan/told.js";
import { language, load } from "./data.js";
import { readLog } from "./stream.js";

/** @typedef {import("../match/guide.js").Guide} Guide */
/** @typedef {{ type: "start", source?: Blob, text?: string }} Start */

const TICK = 100;           // milliseconds between two messages of progress
const CLOSEST = 3;          // entries shown where none is known
const TAIL = 4 * MAX_QUERY; // bytes at the end of a log that hold so many characters

/**
 * Where no error is known: what the search box puts first for the same text, by its words.
 * @param {string} text
 * @param {Guide} guide
 * @param {import("../rank/index.js").Rows} head
 */
async function closest(text, guide, head) {
  if (!text.trim()) return [];
  const [answers, more] = await Promise.all([`${language}-text`, `${language}-more`].map(load));
  const finder = new Finder(guide, head);
  finder.addText(answers);
  finder.add(unpack(more), more.index);
  return finder.search(text, "").slice(0, CLOSEST).map(({ entry }) => placeOf(finder.documents[entry]));
}

/** The end of what is pushed, which tells the error that ended the run: whole pieces, as few as hold it. */
class Tail {
  constructor() {
    /** @type {Uint8Array[]} */
    this.pieces = [];
    this.size = 0;
  }

  /** @param {Uint8Array} piece */
  push(piece) {
    this.pieces.push(piece);
    this.size += piece.length;
    while (this.size - this.pieces[0].length >= TAIL) this.size -= /** @type {Uint8Array} */ (this.pieces.shift()).length;
  }

  async text() {
    const bytes = new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (this.pieces)).arrayBuffer());
    return new TextDecoder().decode(bytes.subarray(-TAIL)).slice(-MAX_QUERY);
  }
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
async function resultOf({ text = "", source = new Blob([text]) }) {
  const [compiled, said, data, fixes] = await Promise.all(["guide", language, "scan", `fixes-${language}`].map(load));
  const guide = assemble(compiled, said), scanner = new Scanner(guide, data), tail = new Tail();
  const push = (/** @type {Uint8Array} */ bytes) => { scanner.push(bytes); tail.push(bytes); };
  const damaged = await readLog(source, push, reporter(source.size), data.scan);
  const found = scanner.finish(), end = await tail.text();
  return {
    ...found, damaged, size: source.size,
    frameworkName: nameOf(guide, found.framework),
    frameworks: guide.frameworks.map(({ id, name, glossary }) => ({ id, name, group: glossary })),
    findings: shown(causeFirst(found.findings, end, guide), guide, fixes, scanner.mask),
    told: found.findings.length ? null : toldBy(end, guide, scanner.clean),
    closest: found.findings.length ? [] : await closest(end, guide, said.head).catch(() => []),
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
