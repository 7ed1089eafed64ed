/*
 * What a long text says in its first words: they are asked as a question of their own;
 * fieldguide/runtime/rank/beginning.py is the same in Python.
 */
import { byScore } from "./keys.js";
import { CJK, isCjk } from "./tokens.js";

/** @typedef {import("./finder.js").Hit} Hit */

const COLUMNS = 80; // a Chinese character is two wide
const SHARE = 0.5;  // what the beginning counts beside the whole
const GOES_ON = new RegExp(`^[^ \\t${CJK}]{2}`, "u"), LAST_WORD = new RegExp(`[ \\t]*[^ \\t${CJK}]+$`, "u");

/**
 * The first words of a text, as many as fit.
 * @param {string} text
 */
export function beginning(text) {
  let wide = 0, end = 0;
  for (const character of text) {
    wide += isCjk(character) ? 2 : 1;
    if (wide > COLUMNS) break;
    end += character.length;
  }
  if (end === text.length) return text;
  const fits = text.slice(0, end);
  return GOES_ON.test(text.slice(end - 1, end + 1)) ? fits.replace(LAST_WORD, "") : fits;
}

/**
 * What a whole text finds, with what its beginning finds: both as parts of their best.
 * @param {Hit[]} hits
 * @param {Hit[]} begun
 */
export function added(hits, begun) {
  if (!hits.length || !begun.length) return hits;
  const made = new Map(hits.map((hit) => [hit.entry, { ...hit, score: hit.score / hits[0].score }]));
  for (const hit of begun) {
    const held = made.get(hit.entry) ?? { ...hit, score: 0 };
    made.set(hit.entry, { ...held, score: held.score + SHARE * hit.score / begun[0].score });
  }
  return Array.from(made.values()).sort(byScore);
}
