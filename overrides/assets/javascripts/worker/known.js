/* The known errors of a log: what they are looked for with, and what is found. So a single log is read, and each file of a run. */
import { masker } from "../mask/mask.js";
import { assemble, withBugs } from "../match/guide.js";
import { Matcher } from "../match/matcher.js";
import { unpack } from "../rank/documents.js";
import { causeFirst, namedIn } from "../scan/cause.js";
import { Ends } from "../scan/ends.js";
import { Scanner } from "../scan/scanner.js";
import { VERSIONS } from "../scan/versions.js";
import { readLog } from "./stream.js";

/** @typedef {import("../match/guide.js").Bugs} Bugs */
/** @typedef {import("../match/guide.js").Guide} Guide */
/** @typedef {import("../scan/lookup.js").ScanData} ScanData */
/** @typedef {(name: string) => Promise<any>} Load gives a piece of `search/`, such as "guide" */
/**
 * What logs are read with: `own` is the guide alone, `guide` the same with the bug ledger, whose words are `ledger`; `fixes` are
 * HTML, by the id of an entry or a bug.
 * @typedef {{
 *   own: Guide, guide: Guide, said: import("../match/guide.js").Said, bugs: Bugs, ledger: import("../rank/documents.js").More,
 *   fixes: Record<string, string>, data: ScanData, matcher: Matcher, mask: (text: string) => string, load: Load, language: string,
 * }} Prepared
 */

/**
 * @param {Load} load
 * @param {string} language
 * @returns {Promise<Prepared>}
 */
export async function prepared(load, language) {
  const pieces = ["guide", language, "scan", "bugs", `${language}-bugs`, `fixes-${language}`];
  const [compiled, said, scan, bugs, ledger, fixes] = await Promise.all(pieces.map(load));
  const own = assemble(compiled, said), guide = withBugs(own, bugs, unpack(ledger));
  return {
    own, guide, said, bugs, ledger, fixes, load, language,
    data: { ...scan, keys: [...scan.keys, ...bugs.keys] }, matcher: new Matcher(guide), mask: masker(scan.masks),
  };
}

/**
 * What was found in a log, the cause first; `head` and `tail` are its ends, `ends` both of them where they name versions.
 * @param {{ stream(): ReadableStream<Uint8Array> }} source
 * @param {Prepared} prepared
 * @param {(size: number) => void} progress told how many bytes more were read
 * @param {(bytes: Uint8Array) => void} [watch] gets each piece before it is looked at
 * @param {number} [chunk] bytes that are looked at, at once
 */
export async function knownErrors(source, { guide, data, matcher }, progress, watch = () => {}, chunk) {
  const scanner = new Scanner(guide, data, chunk), ends = new Ends();
  const damaged = await readLog(source, (bytes) => {
    watch(bytes);
    scanner.push(bytes);
    ends.push(bytes);
  }, progress, data.scan);
  const head = ends.head(), tail = ends.tail(), both = head === tail ? tail : `${head}\n${tail}`;
  const found = scanner.finish(namedIn(tail, ends.total, matcher));
  return {
    found: { ...found, findings: causeFirst(found.findings, tail, matcher), damaged },
    head, tail, ends: VERSIONS.test(both) ? both : "",
  };
}
