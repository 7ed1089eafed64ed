/* Which of the findings of a log ended the run; fieldguide/runtime/findings.py does the same in Python. */
import { Matcher } from "../match/matcher.js";
import { inOneLine } from "../match/text.js";

/** @typedef {import("./places.js").Finding} Finding */

/**
 * Findings with the one first that ended the run: what the search box would mark in the end of the log; else the last one that
 * does not only report another.
 * @param {Finding[]} findings
 * @param {string} tail
 * @param {import("../match/guide.js").Guide} guide
 */
export function causeFirst(findings, tail, guide) {
  if (findings.length < 2) return findings;
  const ended = new Matcher(guide).find(inOneLine(tail)).find(({ exact }) => exact);
  const id = ended && guide.entries[ended.entry][0], causes = findings.filter(({ echo }) => !echo);
  const cause = findings.find(({ entry }) => entry === id) || causes.at(-1) || findings[findings.length - 1];
  return [cause, ...findings.filter((one) => one !== cause)];
}
