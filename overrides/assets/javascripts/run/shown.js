/* What was found in the logs of a run, as the page shows it. */
import { frameworksOf, nameOf, shown } from "../scan/shown.js";

/** @typedef {import("../scan/shown.js").Shown} Shown */
/** @typedef {import("../scan/shown.js").LogResult} LogResult */
/** @typedef {import("./wording.js").End} End */
/** @typedef {import("./wording.js").Last} Last */
/** @typedef {{ id: string, title: string, page: string, file: string, line: number, count: number, files: number, text: string, echo: boolean, fix: string }} Found */
/** @typedef {End & { sure: string, did: import("./wording.js").Did, entry: string | null, told: import("../scan/told.js").Told | null, method: { title: string, page: string } }} Failure */
/**
 * The answer for a run, as `as_record` in fieldguide/runtime/run/answer.py describes it.
 * @typedef {{
 *   run: {
 *     files: number, lines: number, kinds: { [kind: string]: number }, first: string, last: string,
 *     ranks: { seen: number, expected: number | null }, framework: string | null, others: { [run: string]: number },
 *   },
 *   failure: Failure | null, missing: number[], followed: End[], last: Last[], findings: Found[],
 *   skipped: { [reason: string]: { count: number, examples: string[] } }, nearest: { id: string, title: string, page: string }[], report: string,
 * }} Record
 */
/** @typedef {Pick<Record, "failure" | "followed" | "last"> & { file: string }} Masked without what names people, machines, places and secrets; `file`: that of the first finding */
/**
 * @typedef {LogResult & {
 *   record: Record, masked: Masked, cause: number, words: { [name: string]: string }, folded: number, dumps: number,
 * }} RunResult `cause`: which finding answers the first failure, -1 where none does; `folded`: rows of a list before the rest waits
 */
/**
 * @typedef {{
 *   guide: import("../match/guide.js").Guide, fixes: { [id: string]: string }, bugs: import("../match/guide.js").BugRow[],
 *   words: { [name: string]: string }, mask: (text: string) => string, folded: number,
 * }} Known
 */

// Terminal colours and commands, and every control character but tab and line feed.
const STEERS = /(?![\t\n\r])\p{Cc}(?:\[[0-9;?]*[ -/]*[@-~]|\][^\p{Cc}]*\p{Cc}?)?|\r/gu;

/**
 * A record without what is no text.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function printable(value) {
  /** @type {(one: any) => any} */
  const clean = (one) => {
    if (typeof one === "string") return one.replace(STEERS, "");
    if (Array.isArray(one)) return one.map(clean);
    return one && typeof one === "object" ? Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, clean(inner)])) : one;
  };
  return clean(value);
}

/**
 * @param {Record} record
 * @param {number} dumps of NCCL's flight recorder, which only torch reads
 * @param {Known} known
 * @returns {RunResult}
 */
export function shownRun(record, dumps, known) {
  const { guide, mask, words, folded } = known, { run, failure, nearest } = record;
  return {
    record, words, folded, dumps, masked: maskedOf(record, mask, folded),
    cause: failure?.entry ? 0 : -1,
    framework: run.framework, frameworkName: nameOf(guide, run.framework),
    frameworks: frameworksOf(guide),
    lines: run.lines, size: run.files, damaged: false,
    findings: shownFindings(record.findings, failure, known),
    told: failure?.told ?? null,
    closest: nearest.map(({ id, title, page }) => ({ id, title, location: page })),
    unknown: { lines: record.report ? 1 : 0, text: record.report },
  };
}

/**
 * @param {Found[]} found
 * @param {Failure | null} failure what a finding without a place of its own answers
 * @param {Known} known
 * @returns {Shown[]}
 */
function shownFindings(found, failure, { guide, fixes, bugs, mask }) {
  const findings = found.map(({ id, line, count, text }) => ({ entry: id, line, count, text: text || failure?.text || "", also: [] }));
  return shown(findings, guide, fixes, mask, bugs).map((one, at) => ({ ...one, file: found[at].file, files: found[at].files }));
}

/**
 * @param {Record} record
 * @param {(text: string) => string} mask
 * @param {number} folded
 * @returns {Masked}
 */
function maskedOf({ failure, followed, last, findings }, mask, folded) {
  /** @type {<One extends End | Last>(one: One) => One} */
  const masked = (one) => ({ ...one, text: mask(one.text), file: mask(one.file), node: one.node && mask(one.node), actor: one.actor && mask(one.actor) });
  const told = failure?.told, own = told && { ...told, message: mask(told.message), file: mask(told.file) };
  return {
    failure: failure && { ...masked(failure), told: own ?? null },
    followed: followed.slice(0, folded).map(masked), last: last.slice(0, folded).map(masked), file: mask(findings[0]?.file ?? ""),
  };
}
