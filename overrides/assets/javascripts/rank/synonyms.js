/* Words that a query means and does not say. */
import { isCjk, processed, tokenize } from "./tokens.js";

/** @typedef {{ word: string, chinese: boolean, terms: string[] }} Synonym */
/** @typedef {Map<string, { group: Synonym[], weight: number }>} Meant each term that is meant, with its group and weight */

const WEIGHT = 0.4; // of a word that the query means and does not say

/**
 * A group of words that mean the same, as they are looked for in a query and added to it.
 * @param {string[]} words
 * @returns {Synonym[]}
 */
export function synonymGroup(words) {
  return words.map((word) => ({ word, chinese: isCjk(word), terms: processed(tokenize(word, true)) }));
}

/**
 * @param {Synonym[][]} groups
 * @param {string} text the query
 * @param {string[]} terms its terms
 * @param {(term: string) => number} rarity
 */
export function meantBy(groups, text, terms, rarity) {
  const lower = text.toLowerCase(), own = new Set(terms);
  /** @type {Meant} */
  const meant = new Map();
  /** @param {Synonym} one */
  const stands = (one) => (one.chinese ? lower.includes(one.word) : one.terms.length > 0 && one.terms.every((term) => own.has(term)));
  for (const group of groups) {
    if (!group.some(stands)) continue;
    for (const one of group) for (const term of one.terms) {
      if (own.has(term) || meant.has(term) || !rarity(term)) continue;
      meant.set(term, { group, weight: WEIGHT / Math.sqrt(one.terms.length) });
    }
  }
  return meant;
}

/**
 * How many words of a query were found; all words for one thing are half a word.
 * @param {Iterable<string>} terms
 * @param {Meant} meant
 */
export function said(terms, meant) {
  const groups = new Set();
  let own = 0;
  for (const term of terms) {
    const held = meant.get(term);
    if (held) groups.add(held.group); else own++;
  }
  return own + groups.size / 2;
}
