/* A traceback in a log: its lines, as one process says them, and the error in it. */
import { LONGEST, linesIn, textOf } from "./bytes.js";
import { withoutReturn } from "./text.js";
import { isNobody, same, speakerOf } from "./who.js";

/** @typedef {{ lines: string[], end: number }} Block cleaned lines, and where they end */

const RAISED = /^[A-Za-z_][A-Za-z0-9_.]{0,100}(?:\([A-Za-z0-9_.]{1,80}\))?(?::|$|\n)/u;
const CHAIN = /^\n*(?:The above exception was the direct cause|During handling of the above exception)/u;
const TASK = /ray::[^\n]{0,200}?\(pid=([0-9]{1,15})(?:, ip=([^,) \t\n\r\f\v]+))?/gu;

/**
 * The lines of a traceback with those that it is chained to.
 * @param {Uint8Array} data
 * @param {number} begin
 * @param {import("./anchors.js").Anchors} anchors
 * @returns {Block}
 */
export function blockAt(data, begin, { rules, clean }) {
  const last = begin + rules.limits.block, pieces = Array.from(linesIn(data, begin, last));
  const textAt = (/** @type {[number, number]} */ [from, to]) => textOf(data, from, Math.min(to, from + LONGEST));
  const [head, next = head] = pieces.slice(0, 2).map((piece) => speakerOf(textAt(piece), rules));
  // Where each line of the block is marked with its speaker, those of others stand between them.
  const isMarked = !isNobody(next) && same(next, head);
  const lines = [];
  let raised = -1, end = begin;
  for (const piece of pieces) {
    const line = withoutReturn(textAt(piece)), after = piece[1] + 1;
    if (isMarked && !same(speakerOf(line, rules), head)) { end = after; continue; }
    const cleaned = clean(line);
    if (raised >= 0) {
      if (CHAIN.test(cleaned)) raised = -1;
      else if (lines.length - raised > 3 || cleaned.startsWith("Traceback")) break;
    } else if (lines.length && isError(cleaned)) raised = lines.length;
    lines.push(cleaned);
    end = after;
  }
  return { lines: raised >= 0 ? lines.slice(0, raised + 1) : lines, end: Math.min(end, last) };
}

/**
 * Whether a line is the error of a traceback; behind `ray::` follows the traceback of the worker.
 * @param {string} cleaned
 */
function isError(cleaned) {
  return RAISED.test(cleaned) && !cleaned.startsWith("Traceback") && !cleaned.startsWith("File ") && !cleaned.includes("ray::");
}

/**
 * The process in which Ray says that a task failed, of several the last; null where it names none.
 * @param {string} text
 */
export function taskIn(text) {
  const [, pid = "", node = ""] = Array.from(text.matchAll(TASK)).at(-1) ?? [];
  return pid ? { pid, node } : null;
}
