/* Small things that several rooms do with texts. */

export const MAX_TEXT = 200000; // characters of a text that are looked at: the last ones, where the error is

/**
 * A text as a part of a regular expression that finds just it.
 * @param {string} text
 */
export function escapeRegExp(text) { return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); }

/**
 * The last part of a dotted name.
 * @param {string} name
 */
export function lastPart(name) { return name.slice(name.lastIndexOf(".") + 1); }

const LINE_ENDS = /[ \t\n\r\f\v]*[\r\n]+[ \t\n\r\f\v]*/g;

/**
 * A text of several lines as a search box has it.
 * @param {string} text
 */
export function inOneLine(text) { return text.replace(LINE_ENDS, " "); }
