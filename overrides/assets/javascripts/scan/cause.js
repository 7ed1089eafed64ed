/* Which of the findings of a log ended the run; fieldguide/runtime/findings.py does the same in Python. */
import { inOneLine } from "../match/text.js";

/** @typedef {import("./places.js").Finding} Finding */
/** @typedef {import("../match/matcher.js").Matcher} Matcher */

const WHOLE = 800000; // bytes of a log that is looked at as a text in the search box is

/**
 * Frameworks that a log of moderate size names, as in the search box; none of a longer one, in which a name may be any word.
 * @param {string} tail
 * @param {number} size bytes of the whole
 * @param {Matcher} matcher
 * @returns {Set<string>}
 */
export function namedIn(tail, size, matcher) { return size <= WHOLE ? matcher.named(tail) : new Set(); }

/**
 * Findings with the one first that ended the run; no ordinary output, if the end of the log names an error. It is what the
 * search box would mark in the end of the log; else the last one that does not only report another.
 * @param {Finding[]} findings
 * @param {string} tail
 * @param {Matcher} matcher
 */
export function causeFirst(findings, tail, matcher) {
  const { guide } = matcher, end = inOneLine(tail);
  const isOutput = findings.some(({ output }) => output) && matcher.errorsIn(matcher.clean(end), []).any;
  const left = isOutput ? findings.filter(({ output }) => !output) : findings;
  if (left.length < 2) return left;
  const ended = matcher.find(end).find(({ exact }) => exact);
  const id = ended && guide.entries[ended.entry][0], causes = left.filter(({ echo }) => !echo);
  const cause = left.find(({ entry }) => entry === id) || causes.at(-1) || left[left.length - 1];
  return [cause, ...left.filter((one) => one !== cause)];
}
