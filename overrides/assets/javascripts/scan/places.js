/* Places of a log at which signatures match, put together to findings: one for each entry, the first of the run first. */
import { applies, isHinted } from "../match/guide.js";

/** @typedef {import("./lookup.js").Sought} Sought */
/** @typedef {{ first: number, last: number, index: number }} Match `index`: the number of the signature */
/** @typedef {{ line: number, count: number, indexes: number[] }} Group places with the same signatures */
/** @typedef {{ entry: string, line: number, count: number, text: string, also: string[], echo: boolean, output: boolean }} Finding */

const MAX_KNOWN = 100000;

export class Places {
  /**
   * @param {Sought[]} signatures
   * @param {number} bonus
   * @param {number} most groups that are kept
   */
  constructor(signatures, bonus, most) {
    this.signatures = signatures;
    this.bonus = bonus;
    this.most = most;
    /** @type {Match[]} */
    this.open = [];
    /** @type {Map<string, Group>} */
    this.groups = new Map();
    /** @type {Map<Sought, string>} what each matched first */
    this.texts = new Map();
    /** @type {Set<number>} lines that are recognised */
    this.known = new Set();
  }

  /**
   * @param {Sought} signature
   * @param {() => string} text what it matched, if it is the first time
   */
  say(signature, text) { if (!this.texts.has(signature)) this.texts.set(signature, text()); }

  /** @param {Match} match */
  add(match) {
    this.open.push(match);
    for (let line = match.first; line <= match.last && this.known.size < MAX_KNOWN; line++) this.known.add(line);
  }

  /**
   * Count the places that end before line `before`, where no later match can reach.
   * @param {number} before
   */
  close(before) {
    const matches = this.open.sort((a, b) => a.first - b.first || a.last - b.last || a.index - b.index);
    this.open = [];
    for (let at = 0, end; at < matches.length; at = end) {
      let { last } = matches[at];
      for (end = at + 1; end < matches.length && matches[end].first <= last; end++) last = Math.max(last, matches[end].last);
      const place = matches.slice(at, end);
      if (last >= before) this.open = this.open.concat(place); // too many, maybe, to be arguments
      else this.note(place[0].first, place.map(({ index }) => index));
    }
  }

  /**
   * @param {number} line
   * @param {number[]} found
   */
  note(line, found) {
    const { signatures } = this;
    let indexes = Array.from(new Set(found)).sort((a, b) => a - b);
    if (!this.groups.has(indexes.join()) && this.groups.size >= this.most) {
      indexes = [indexes.reduce((best, index) => (signatures[index].weight > signatures[best].weight ? index : best))];
    }
    const group = this.groups.get(indexes.join());
    if (!group) this.groups.set(indexes.join(), { line, count: 1, indexes });
    else Object.assign(group, { line: Math.min(group.line, line), count: group.count + 1 });
  }

  /**
   * @param {string[]} frameworks of the log, the likeliest first
   * @returns {Finding[]}
   */
  findings(frameworks) {
    const counts = this.counting(new Set(frameworks));
    /** @type {Map<string, { entry: string, line: number, best: number, count: number, also: Set<string> }>} */
    const found = new Map();
    for (const group of this.groups.values()) {
      const valid = group.indexes.filter(counts);
      if (!valid.length) continue;
      const best = this.best(valid, frameworks[0]), { entry } = this.signatures[best];
      const held = found.get(entry) || { entry, line: group.line, best, count: 0, also: new Set() };
      found.set(entry, held);
      if (group.line < held.line || (group.line === held.line && best < held.best)) Object.assign(held, { line: group.line, best });
      held.count += group.count;
      for (const index of valid) held.also.add(this.signatures[index].entry);
    }
    return Array.from(found.values()).sort((a, b) => a.line - b.line || (a.entry < b.entry ? -1 : 1))
      .map(({ entry, line, count, best, also }) => ({
        entry, line, count, echo: this.signatures[best].echo, output: this.signatures[best].output, text: this.texts.get(this.signatures[best]) ?? "", also: Array.from(also).filter((id) => !found.has(id)).sort(),
      }));
  }

  /**
   * Which signatures count: those whose entry applies to a framework of the log. A text that many programs print does only for a framework of the log, or beside another of its
   * entry; normal output only in a log without a known error.
   * @param {Set<string>} named
   */
  counting(named) {
    const all = Array.from(new Set(Array.from(this.groups.values(), ({ indexes }) => indexes).flat()), (index) => this.signatures[index])
      .filter((one) => applies(one, one.framework, named));
    const specific = new Set(all.filter(({ generic }) => !generic).map(({ entry }) => entry));
    const meant = (/** @type {Sought} */ one) => applies(one, one.framework, named) && (!one.generic || isHinted(one, one.framework, named) || specific.has(one.entry));
    const errors = all.some((one) => meant(one) && !one.output);
    return (/** @type {number} */ index) => {
      const one = this.signatures[index];
      return meant(one) && (!one.output || !errors);
    };
  }

  /**
   * The signature that says most, of several at one place; one that only reports another failure is the last choice.
   * @param {number[]} indexes
   * @param {string} framework of the log
   */
  best(indexes, framework) {
    const score = (/** @type {Sought} */ one) => one.weight + (one.framework === framework && !one.bug ? this.bonus : 0);
    return indexes.reduce((a, b) => {
      const one = this.signatures[a], other = this.signatures[b];
      const order = Number(one.echo) - Number(other.echo) || score(other) - score(one);
      return order > 0 || (order === 0 && other.entry < one.entry) ? b : a;
    });
  }
}
