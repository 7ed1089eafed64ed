/*
 * Finds exact error signatures. The meaning is defined once, in fieldguide/runtime/match.py; this is the same in JavaScript,
 * and one set of test vectors holds both to it.
 */
import { applyRules, compileRules, expression } from "./expression.js";
import { applies, isHinted, knownPrograms } from "./guide.js";
import { escapeRegExp } from "./text.js";

/** @typedef {import("./guide.js").Guide} Guide */
/** @typedef {import("./guide.js").Signature} Signature */
/** @typedef {{ entry: number, start: number, end: number, score: number, exact: boolean, echo: boolean, text: string }} Match */
/** @typedef {{ signature: Signature, match: Match }} Candidate */

const NEAR = 1000; // characters between texts of one report of an error: its traceback, and what caused it
const BEFORE_ECHO = 60, LONGEST_NAME = 80; // characters before an echo's text in which the name of its error may stand; of a name

/** @param {Signature} signature */
function sought(signature) { return { signature, regex: /** @type {RegExp | null} */ (null) }; }

export class Matcher {
  /** @param {Guide} guide */
  constructor(guide) {
    this.guide = guide;
    this.documents = guide.documents;
    this.cleaning = compileRules(guide.cleaning);
    this.errorName = expression(guide.errorName, "g");
    this.echoes = new Set(guide.echoes);
    this.known = knownPrograms(guide).map(({ id, name, hints }) =>
      ({ id, hints, word: new RegExp(`(^|[^a-z])${escapeRegExp(name.toLowerCase())}([^a-z]|$)`) }));
    this.signatures = guide.signatures.map(sought);
  }

  /**
   * More signatures, of documents that came later.
   * @param {Signature[]} signatures
   * @param {import("./guide.js").Document[]} documents all of them
   */
  add(signatures, documents) {
    this.documents = documents;
    this.signatures.push(...signatures.map(sought));
  }

  /** @param {string} text */
  clean(text) { return applyRules(text, this.cleaning); }

  /**
   * The frameworks, and other training programs, that a text names or whose hints stand in it.
   * @param {string} text
   */
  named(text) {
    const lower = text.toLowerCase();
    return new Set(this.known.filter(({ hints, word }) => hints.some((hint) => text.includes(hint)) || word.test(lower)).map(({ id }) => id));
  }

  /**
   * Best match of each entry: first the error that ended the run; what may not apply only if nothing does; as `find` in match.py.
   * @param {string} text
   * @param {Iterable<string>} [chosen] frameworks that the reader runs
   * @returns {Match[]}
   */
  find(text, chosen = []) {
    const { documents } = this, cleaned = this.clean(text), named = new Set([...this.named(text), ...chosen]);
    const all = this.candidates(cleaned, named);
    const specific = new Set(all.filter(({ signature }) => !signature.generic).map(({ signature }) => signature.entry));
    // A text that many programs print counts only with a hint of the framework, or beside another text of the entry.
    const counting = all.filter(({ signature: one }) =>
      !one.generic || isHinted(one, documents[one.entry].framework, named) || specific.has(one.entry));
    const { any, cause } = this.errorsIn(cleaned, counting.filter(({ signature }) => signature.echo).map(({ match }) => match));
    const failed = any || counting.some(({ signature }) => !signature.output);
    /** @type {Map<number, Candidate>} */
    const best = new Map();
    for (const one of counting) {
      if ((one.signature.output && failed) || (one.signature.echo && cause)) continue;
      const held = best.get(one.match.entry);
      if (!held || one.match.score > held.match.score) best.set(one.match.entry, one);
    }
    const found = Array.from(best.values()), known = found.filter(({ match }) => match.exact);
    return this.inOrder(known.length ? known : found);
  }

  /**
   * Causes before echoes; report by report from the last one, best match first.
   * @param {Candidate[]} all
   * @returns {Match[]}
   */
  inOrder(all) {
    const id = (/** @type {Match} */ { entry }) => this.documents[entry].id;
    return [false, true].flatMap((echo) => {
      const ours = all.filter(({ signature }) => signature.echo === echo).map(({ match }) => match)
        .sort((a, b) => a.start - b.start || a.end - b.end);
      /** @type {Match[][]} */
      const reports = [];
      let end = -1;
      for (const match of ours) {
        if (!reports.length || match.start > end + NEAR) reports.push([]);
        reports[reports.length - 1].push(match);
        end = Math.max(end, match.end);
      }
      return reports.reverse().flatMap((report) =>
        report.sort((a, b) => b.score - a.score || b.start - a.start || (id(a) < id(b) ? -1 : 1)));
    });
  }

  /**
   * Every signature that stands in the text; no library's text whose entry is for another framework than those that are named.
   * @param {string} cleaned
   * @param {Set<string>} named
   * @returns {Candidate[]}
   */
  candidates(cleaned, named) {
    const { documents, guide: { hintBonus } } = this, found = [];
    for (const one of this.signatures) {
      const { signature } = one, { entry, weight } = signature, { framework } = documents[entry];
      const exact = applies(signature, framework, named);
      if (!cleaned.includes(signature.anchor) || (named.size && !exact)) continue;
      one.regex ??= expression(signature.pattern, "g");
      let match = null;
      for (const place of cleaned.matchAll(one.regex)) match = place; // the last one
      if (!match) continue;
      const score = weight + (isHinted(signature, framework, named) ? hintBonus : 0);
      const end = match.index + match[0].length;
      found.push({ signature, match: { entry, start: match.index, end, score, exact, echo: signature.echo, text: match[0] } });
    }
    return found;
  }

  /**
   * Whether a text names an error, and one that is not only the report of another.
   * @param {string} cleaned
   * @param {{ start: number, end: number }[]} echoes where texts stand that report others
   */
  errorsIn(cleaned, echoes) {
    const ends = Array.from(cleaned.matchAll(this.errorName), ({ 0: found, index }) => index + found.length);
    const own = (/** @type {number} */ at) => echoes.some(({ start, end }) => start - BEFORE_ECHO <= at && at <= end);
    const name = (/** @type {number} */ at) => /[A-Za-z0-9_]*$/.exec(cleaned.slice(Math.max(0, at - LONGEST_NAME), at))?.[0] || "";
    return { any: ends.length > 0, cause: ends.some((at) => !own(at) && !this.echoes.has(name(at))) };
  }
}
