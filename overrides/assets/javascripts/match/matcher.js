/*
 * Finds exact error signatures. The meaning is defined once, in fieldguide/runtime/match.py; this is the same in JavaScript,
 * and one set of test vectors holds both to it.
 */
import { applyRules, compileRules, expression } from "./expression.js";
import { isHinted } from "./guide.js";

/** @typedef {import("./guide.js").Guide} Guide */
/** @typedef {import("./guide.js").Signature} Signature */
/** @typedef {{ entry: number, start: number, end: number, score: number, text: string }} Match */

export class Matcher {
  /** @param {Guide} guide */
  constructor(guide) {
    this.guide = guide;
    this.cleaning = compileRules(guide.cleaning);
    this.errorName = expression(guide.errorName);
    this.signatures = guide.signatures.map((signature) => ({ ...signature, regex: /** @type {RegExp | null} */ (null) }))
      .sort((a, b) => Number(a.generic) - Number(b.generic));
  }

  /** @param {string} text */
  clean(text) { return applyRules(text, this.cleaning); }

  /**
   * The frameworks that a text names by hints of a log.
   * @param {string} text
   */
  hinted(text) {
    return new Set(this.guide.frameworks.filter(({ hints }) => hints.some((hint) => text.includes(hint))).map(({ id }) => id));
  }

  /**
   * Best match of each entry, best first; as `find` in match.py.
   * @param {string} text
   */
  exact(text) {
    const { hintBonus, documents } = this.guide;
    const cleaned = this.clean(text), named = this.hinted(text);
    // A text with an error in it is about that error, not about a line of normal output beside it.
    const hasError = this.errorName.test(cleaned);
    /** @type {Map<number, Match>} */
    const best = new Map();
    for (const signature of this.signatures) {
      if (!cleaned.includes(signature.anchor) || (signature.output && hasError)) continue;
      signature.regex ??= expression(signature.pattern);
      const found = signature.regex.exec(cleaned);
      if (!found) continue;
      const { entry } = signature, held = best.get(entry);
      const hinted = isHinted(signature, documents[entry].framework, named);
      // A text that many programs print counts only with a hint of the framework, or beside another signature of the entry.
      if (signature.generic && !hinted && !held) continue;
      const score = signature.weight + (hinted ? hintBonus : 0);
      if (!held || score > held.score) {
        best.set(entry, { entry, start: found.index, end: found.index + found[0].length, score, text: found[0] });
      }
    }
    return Array.from(best.values()).sort((a, b) =>
      b.score - a.score || b.start - a.start || (documents[a.entry].id < documents[b.entry].id ? -1 : 1));
  }
}
