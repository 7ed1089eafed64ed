/* Names of frameworks in a log, counted block by block until enough were seen. */

export class Hints {
  /** @param {Record<string, number>} limits */
  constructor({ hintBlock, hintsEnough }) {
    this.size = hintBlock;
    this.enough = hintsEnough;
    /** @type {Map<string, number>} framework and hint, as in a Use → how often */
    this.counts = new Map();
    this.total = 0;
    this.block = -1;
    this.counting = true;
  }

  /**
   * @param {string[]} names
   * @param {number} position in the log
   */
  add(names, position) {
    const block = Math.floor(position / this.size);
    if (block > this.block) {
      this.block = block;
      if (this.total >= this.enough) { this.counting = false; return; }
    }
    for (const name of names) this.counts.set(name, (this.counts.get(name) || 0) + 1);
    this.total += names.length;
  }

  /** Frameworks that the log names: those with most different names first; of several, the one named most often. */
  frameworks() {
    /** @type {Map<string, { id: string, names: number, times: number }>} */
    const totals = new Map();
    for (const [name, count] of this.counts) {
      const [id] = name.split("\n"), total = totals.get(id) || { id, names: 0, times: 0 };
      totals.set(id, { id, names: total.names + 1, times: total.times + count });
    }
    return Array.from(totals.values()).sort((a, b) => b.names - a.names || b.times - a.times || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id);
  }
}
