/* Who takes part in a run, as far as a line or a file's name tells; `Who` in fieldguide/runtime/run/events.py. */
import { stripped } from "../match/expression.js";
import { firstOf, number } from "./text.js";

/** @typedef {{ rank: number, pid: number, node: string, actor: string }} Who a process; -1 and "" are not known */

const HEAD = 400; // characters of a line in which its speaker stands

/** @type {Who} */
export const NOBODY = { rank: -1, pid: -1, node: "", actor: "" };

/**
 * Who fields of a pattern name.
 * @param {import("./rules.js").Said} said
 * @returns {Who}
 */
export function whoOf({ rank = "-1", pid = "-1", node = "", actor = "" }) {
  return { rank: number(rank), pid: number(pid), node, actor: stripped(actor) };
}

/**
 * One, and what is known of the other besides: nothing, where they are two.
 * @param {Who} one
 * @param {Who} other
 * @returns {Who}
 */
export function over(one, other) {
  const two = (/** @type {number} */ a, /** @type {number} */ b) => a >= 0 && b >= 0 && a !== b;
  if (two(one.rank, other.rank) || two(one.pid, other.pid)) return one.node ? one : { ...one, node: other.node };
  return {
    rank: one.rank >= 0 ? one.rank : other.rank,
    pid: one.pid >= 0 ? one.pid : other.pid,
    node: one.node || other.node,
    actor: one.actor || other.actor,
  };
}

/**
 * A text that is the same for the same.
 * @param {Who} who
 */
export function keyOf({ rank, pid, node, actor }) { return `${rank}\n${pid}\n${node}\n${actor}`; }

/** @param {Who} who */
export function isNobody({ rank, pid, node, actor }) { return rank < 0 && pid < 0 && !node && !actor; }

/**
 * Whether two are one process.
 * @param {Who} one
 * @param {Who} other
 */
export function same(one, other) { return one.pid === other.pid && one.rank === other.rank && one.actor === other.actor; }

/**
 * Who says a line, by what stands at its head.
 * @param {string} line
 * @param {import("./rules.js").RunRules} rules
 */
export function speakerOf(line, { speakers }) {
  const head = firstOf(line, HEAD);
  let found = NOBODY;
  for (const rule of speakers) for (const said of rule.all(head)) found = over(whoOf(said), found);
  return found;
}
