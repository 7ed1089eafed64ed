/* Texts as Python measures and compares them: by characters, where JavaScript counts halves of some. */

const ASTRAL = /[\ud800-\udfff]/;
const DIGITS = 15; // of a number; what is longer is none

/**
 * The first characters of a text.
 * @param {string} text
 * @param {number} most
 */
export function firstOf(text, most) {
  if (text.length <= most) return text;
  const piece = text.slice(0, most);
  return ASTRAL.test(piece) ? Array.from(text.slice(0, 2 * most)).slice(0, most).join("") : piece;
}

/**
 * The last characters of a text.
 * @param {string} text
 * @param {number} most
 */
export function lastOf(text, most) {
  if (text.length <= most) return text;
  const piece = text.slice(-most);
  return ASTRAL.test(piece) ? Array.from(text.slice(-2 * most)).slice(-most).join("") : piece;
}

/**
 * The number that digits of a log make.
 * @param {string} digits
 */
export function number(digits) { return Number(digits.slice(0, DIGITS)); }

/** @param {string} text */
export function withoutReturn(text) { return text.endsWith("\r") ? text.replace(/\r+$/, "") : text; }
