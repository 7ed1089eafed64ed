/* Excerpts of what was found, as HTML, with the words that were looked for marked. */
import { CHUNK, processTerm, remembered, tokenize } from "./tokens.js";

/** @typedef {[start: number, end: number]} Span */

const LENGTH = 180, BEFORE = 60; // characters of an excerpt, and of it before the first word that was found
const GIANT = 300;               // a word longer than this is cut after all
const CJK = "\\u3000-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uff00-\\uffef";
const UNIT = new RegExp(`[${CJK}]|[^\\s${CJK}]+`, "g"); // what an excerpt is never cut inside of
/* A word of a document → its terms in the index. */
const filed = remembered((/** @type {string} */ word) => tokenize(word).map(processTerm));

/** @param {string} text */
export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/**
 * Whether a word is one of the terms, or an identifier of which they are two parts or half of them.
 * @param {string} word
 * @param {Set<string | null>} terms
 */
function isFound(word, terms) {
  const [own, ...parts] = filed(word);
  const known = parts.filter((part) => terms.has(part)).length;
  return terms.has(own) || known > 1 || (known > 0 && known * 2 >= parts.length);
}

/**
 * The first places of a text with one of the terms: whole words, and Chinese by pairs that touch.
 * @param {string} text
 * @param {Set<string | null>} terms
 * @param {number} [most]
 */
function places(text, terms, most = Infinity) {
  /** @type {Span[]} */
  const found = [];
  const note = (/** @type {number} */ start, /** @type {number} */ end) => {
    if (!isFound(text.slice(start, end), terms)) return;
    const last = found.at(-1);
    if (last && start < last[1]) last[1] = end; else found.push([start, end]);
  };
  if (!terms.size) return found;
  for (const { 0: run, index } of text.matchAll(CHUNK)) {
    if (found.length >= most) break;
    if (run < "\u3000") note(index, index + run.replace(/[.-]+$/, "").length);
    else for (let i = 0; i < Math.max(1, run.length - 1); i++) note(index + i, index + Math.min(i + 2, run.length));
  }
  return found;
}

/**
 * The part of a text around `at`: from the beginning of a word to the end of one.
 * @param {string} text
 * @param {number} at
 * @returns {Span}
 */
function part(text, at) {
  const from = Math.max(0, at - 2 * GIANT), near = text.slice(from, at + 2 * GIANT);
  let start = 0, end = 0;
  for (const { 0: unit, index } of near.matchAll(UNIT)) {
    const begins = from + index, ends = begins + Math.min(unit.length, GIANT);
    if (begins <= at - BEFORE) start = begins;
    if (ends > start + LENGTH && end > at) break;
    end = ends;
  }
  return [start, end];
}

/**
 * @param {string} text
 * @param {Span[]} found
 */
function mark(text, found) {
  let html = "", at = 0;
  for (const [start, end] of found) {
    html += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`;
    at = end;
  }
  return html + escapeHtml(text.slice(at));
}

/**
 * The whole text with the terms marked.
 * @param {string} text
 * @param {string[]} terms
 */
export function marked(text, terms) {
  return mark(text, places(text, new Set(terms)));
}

/**
 * An excerpt around the first word that was found, such words marked, with … where the text goes on.
 * @param {string} text
 * @param {string[]} terms
 */
export function excerpt(text, terms) {
  const known = new Set(terms), [first] = places(text, known, 1);
  const [start, end] = part(text, first ? first[0] : 0), piece = text.slice(start, end);
  const more = end < text.trimEnd().length && !piece.endsWith("…");
  return (start > 0 ? "…" : "") + mark(piece, places(piece, known)) + (more ? "…" : "");
}
