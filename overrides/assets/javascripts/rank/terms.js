/* What the index knows of its terms: how many documents have one, and how well it tells entries from each other. */
import { remembered } from "./tokens.js";


const TOLD = 3.5; // how rare a term is among the entries (inverse document frequency) when it tells them apart well

/**
 * MiniSearch walks its tree of terms for each word of a text; with a direct way to those it has, indexing takes a third less.
 * @param {TermTree} tree
 */
export function quickTree(tree) {
  /** @type {Map<string, Postings>} */
  const known = new Map();
  const walk = tree.fetch;
  tree.fetch = (term, make) => {
    let value = known.get(term);
    if (value === undefined) known.set(term, value = walk.call(tree, term, make));
    return value;
  };
}

/**
 * How many of the documents that are there now have a term.
 * @param {TermTree} tree
 */
export function rarityIn(tree) {
  return remembered((/** @type {string} */ term) => Math.max(0, ...Array.from(tree.get(term)?.values() ?? [], ({ size }) => size)));
}

/**
 * How well a term tells entries from each other: keys and other sections, of which there are many more, say nothing of that.
 * @param {TermTree} tree
 * @param {number} entries how many of the documents are entries; they come first
 */
export function tellingIn(tree, entries) {
  return remembered((/** @type {string} */ term) => {
    const count = entriesWith(tree.get(term), entries);
    const rare = Math.log(1 + (entries - count + 0.5) / (count + 0.5));
    return Math.max(0.1, Math.sqrt(Math.min(1, rare / TOLD)));
  });
}

/**
 * @param {Postings | undefined} fields
 * @param {number} entries
 */
function entriesWith(fields, entries) {
  const found = new Set();
  for (const postings of fields?.values() ?? []) for (const number of postings.keys()) if (number < entries) found.add(number);
  return found.size;
}
