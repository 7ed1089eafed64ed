/* Small things that several rooms do with texts. */

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
