/* Aho–Corasick over bytes, as one table: `table[state + classes[byte]]` is the next state, already times the width. */

const encoder = new TextEncoder();

export class Automaton {
  /** @param {string[]} keys */
  constructor(keys) {
    const texts = keys.map((key) => encoder.encode(key));
    this.sizes = texts.map((text) => text.length);
    this.longest = Math.max(...this.sizes);
    this.classes = new Uint8Array(256);
    this.width = 1;
    for (const text of texts) for (const byte of text) this.classes[byte] ||= this.width++;
    /** @type {Record<number, Int32Array>} accepting state → numbers of the keys that end there */
    this.keysAt = {};
    this.accepting = Infinity; // the first state at which a key ends; all later ones are such
    const { next, ends } = this.tree(texts);
    // States at which a key ends come last, so that the loop over the text needs one comparison; the root stays 0.
    const order = complete(next, ends, this.width).sort((a, b) => Number(ends[a].length > 0) - Number(ends[b].length > 0) || a - b);
    this.table = new Int32Array(order.length * this.width);
    this.fill(next, ends, order);
  }

  /**
   * The tree of all keys: where each state goes, -1 for nowhere, and which keys end there.
   * @param {Uint8Array[]} texts
   */
  tree(texts) {
    const next = [this.nowhere()];
    /** @type {number[][]} */
    const ends = [[]];
    texts.forEach((text, key) => {
      let state = 0;
      for (const byte of text) {
        let at = next[state][this.classes[byte]];
        if (at < 0) {
          at = next[state][this.classes[byte]] = next.length;
          next.push(this.nowhere());
          ends.push([]);
        }
        state = at;
      }
      ends[state].push(key);
    });
    return { next, ends };
  }

  nowhere() { return new Int32Array(this.width).fill(-1); }

  /**
   * @param {Int32Array[]} next
   * @param {number[][]} ends
   * @param {number[]} order
   */
  fill(next, ends, order) {
    const number = new Int32Array(order.length);
    order.forEach((state, at) => { number[state] = at * this.width; });
    for (const state of order) {
      const at = number[state];
      this.table.set(next[state].map((one) => number[one]), at);
      if (!ends[state].length) continue;
      this.keysAt[at] = Int32Array.from(ends[state]);
      this.accepting = Math.min(this.accepting, at);
    }
  }
}

/**
 * Fill in where each state goes on a byte that no key has there, breadth first.
 * @param {Int32Array[]} next
 * @param {number[][]} ends
 * @param {number} width
 * @returns {number[]} all states
 */
function complete(next, ends, width) {
  const fail = new Int32Array(next.length), order = [0];
  for (let c = 0; c < width; c++) {
    if (next[0][c] < 0) next[0][c] = 0; else order.push(next[0][c]);
  }
  for (let i = 1; i < order.length; i++) {
    const state = order[i], back = next[fail[state]];
    ends[state] = ends[state].concat(ends[fail[state]]);
    for (let c = 0; c < width; c++) {
      const child = next[state][c];
      if (child < 0) { next[state][c] = back[c]; continue; }
      fail[child] = back[c];
      order.push(child);
    }
  }
  return order;
}
