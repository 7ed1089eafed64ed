/* Texts as a shell has them. The meaning is defined in fieldguide/runtime/calculate/shell/words.py. */

const OPEN = /\$[A-Za-z0-9_{(@*#?]|`/;
const SPACES = /[ \t\n]+/;

/** @param {string} text */
export function isOpen(text) { return OPEN.test(text); }

/**
 * Without spaces, tabs and ends of lines around it.
 * @param {string} text
 */
export function trimmed(text) { return text.replace(/^[ \t\n]+|[ \t\n]+$/g, ""); }

/**
 * A text at spaces, tabs and ends of lines.
 * @param {string} text
 */
export function split(text) { return text.split(SPACES).filter(Boolean); }

/**
 * A text that nothing splits any more, with the spaces of what is open in it.
 * @param {string} text
 */
export function plain(text) { return text.replace(/\u00a0/g, " "); }
