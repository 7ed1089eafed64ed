/*
 * The compiled index: which documents have a term, and how much it says about each. It comes in pieces, and what they say of a
 * document is added. fieldguide/runtime/rank/index.py is the same in Python; fieldguide/content/ranking.py writes the rows.
 */

/**
 * Terms, how many documents each has, and one after the other those documents and what it says about each: `steps`, from the
 * document before, and `scores`.
 * @typedef {{ terms: string[], counts: number[], steps: number[], scores: number[] }} Rows
 */
/** @typedef {{ rows: Rows, places: Map<string, [number, number]> }} Piece term → where its documents begin and end */
/** @typedef {{ term: string, weight: number }} Found a term of the index; `weight` is 1 for the very term */

const TOLD = 3.5; // how rare a term is among the entries (inverse document frequency) when it tells them apart well
const PREFIX = 0.375, LONGER = 0.3, FUZZY = 0.45; // what a term counts that the query only begins, or misspells

/**
 * Letters to put in, take out or replace; 0 when there are more than `most`.
 * @param {string} one
 * @param {string} other
 * @param {number} most
 */
function distance(one, other, most) {
  let before = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let column = 1; column <= other.length; column++) {
      const differs = one[row - 1] === other[column - 1] ? 0 : 1;
      now.push(Math.min(before[column] + 1, now[column - 1] + 1, before[column - 1] + differs));
    }
    if (Math.min(...now) > most) return 0;
    before = now;
  }
  const steps = before[other.length];
  return steps <= most ? steps : 0;
}

export class Index {
  /** @param {number} entries how many of the documents, the first ones, are entries */
  constructor(entries) {
    this.entries = entries;
    /** @type {Piece[]} */
    this.pieces = [];
    /** @type {Map<string, Map<number, number>>} */
    this.known = new Map();
    /** @type {string[] | null} */
    this.sorted = null;
  }

  /** @param {Rows} rows */
  add(rows) {
    const places = new Map();
    let at = 0;
    for (const [which, term] of rows.terms.entries()) places.set(term, [at, at += rows.counts[which]]);
    this.pieces.push({ rows, places });
    this.known.clear();
    this.sorted = null;
  }

  /**
   * Document → score.
   * @param {string} term
   */
  postings(term) {
    let made = this.known.get(term);
    if (made) return made;
    made = new Map();
    for (const { rows, places } of this.pieces) {
      const [begin, end] = places.get(term) || [0, 0];
      for (let at = begin, number = 0; at < end; at++) {
        number += rows.steps[at];
        made.set(number, (made.get(number) || 0) + rows.scores[at]);
      }
    }
    this.known.set(term, made);
    return made;
  }

  /**
   * How well a term tells entries from each other, up to 1: keys and other sections say nothing of that.
   * @param {string} term
   */
  telling(term) {
    let count = 0;
    for (const number of this.postings(term).keys()) if (number < this.entries) count++;
    const rare = Math.log(1 + (this.entries - count + 0.5) / (count + 0.5));
    return Math.max(0.1, Math.sqrt(Math.min(1, rare / TOLD)));
  }

  terms() {
    this.sorted ??= Array.from(new Set(this.pieces.flatMap((piece) => piece.rows.terms))).sort();
    return this.sorted;
  }

  /**
   * Longer terms that begin so.
   * @param {string} start
   * @returns {Found[]}
   */
  begun(start) {
    const terms = this.terms(), found = [];
    let low = 0, high = terms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (terms[middle] < start) low = middle + 1; else high = middle;
    }
    for (; low < terms.length && terms[low].startsWith(start); low++) {
      const term = terms[low];
      if (term !== start) found.push({ term, weight: PREFIX * term.length / (term.length + LONGER * (term.length - start.length)) });
    }
    return found;
  }

  /**
   * Terms that differ from it in a letter, or in two if it is long.
   * @param {string} term
   * @returns {Found[]}
   */
  misspelt(term) {
    const most = term.length < 10 ? 1 : 2, found = [];
    for (const other of this.terms()) {
      if (Math.abs(other.length - term.length) > most) continue;
      const steps = distance(term, other, most);
      if (steps) found.push({ term: other, weight: FUZZY * other.length / (other.length + steps) });
    }
    return found;
  }
}
