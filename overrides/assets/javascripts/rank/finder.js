/*
 * Finds documents by the words of a query; fieldguide/runtime/rank/finder.py is the same in Python, over the same index.
 */
import { applyRules, compileRules } from "../match/expression.js";
import { SHARED, familyOf, signaturesOf } from "../match/guide.js";
import { Matcher } from "../match/matcher.js";
import { MAX_TEXT, inOneLine } from "../match/text.js";
import { affected, standing } from "../scan/bugs.js";
import { versionOf } from "../scan/told.js";
import { added, beginning } from "./beginning.js";
import { Index } from "./index.js";
import { byScore, Keys } from "./keys.js";
import { meantBy, said, synonymGroup } from "./synonyms.js";
import { identifierParts, pairsOf, processed, remembered, tokenize } from "./tokens.js";

/** @typedef {import("../match/guide.js").Document} Document */
/** @typedef {import("../match/guide.js").Guide} Guide */
/** @typedef {import("./index.js").Rows} Rows */
/** @typedef {{ entry: number, score: number, terms: string[], card?: boolean }} Hit `entry`: the number of its document */
/** @typedef {import("../scan/bugs.js").Standing} Standing */
/**
 * `text` is the error it matched; `possible`: a library prints that, and for whom the entry is may not run here; `runs`: of a
 * known bug, the release that runs and what that has of it.
 * @typedef {{ entry: number, terms: string[], card: boolean, exact: boolean, possible: boolean, text: string, runs: Standing | null }} Result
 */

const MAX_TERMS = 120;         // terms of a long paste that are used: the rarest
const RESULTS = 30;
const TERMS_BESIDE_MATCH = 30; // the same when an error in it is known
/** @type {Record<string, number>} */
const KIND = { entry: 1, key: 0.08, section: 0.3, bug: 0.3 };
const SPOKEN = 20;             // terms up to which a query is a question, whose words count in pairs and stand for others
const SHORT = 200;             // characters of a key with the names of frameworks
const LONG = 12;               // terms from which on none is completed or corrected
const BEST = 12;               // results that are looked at more closely
const PAIR = 1;                // how much two neighbouring words of the query raise an entry that asks with the same two
/*
 * What an entry counts whose framework is named, is for every framework, or is another one; and an entry for every framework
 * when none is named: who names none is more likely asking everybody.
 */
const OWN = 1.4, EVERYBODY = 1.35, FOREIGN = 0.2, UNNAMED = 1.35;
const WHOLE = 2.5, PART = 0.5, PART_ALONE = 0.1, NAME = 0.15;
const ASIDE = 0.25;            // what a term of a long text counts that stands only where it sets or measures something
const ENOUGH = 6;              // terms that such a text has to have besides

export class Finder {
  /**
   * It can be asked at once: titles, errors, keys and the answers in one line say most about entries.
   * @param {Guide} data
   * @param {Rows} head
   */
  constructor(data, head) {
    this.data = data;
    this.matcher = new Matcher(data);
    this.places = compileRules(data.places);
    this.settings = compileRules(data.settings);
    this.synonyms = data.synonyms.map(synonymGroup);
    this.names = new Set(data.frameworks.flatMap(({ name }) => processed(tokenize(name))));
    this.documents = data.documents;
    this.entries = data.documents.length;
    this.index = new Index(this.entries);
    this.index.add(head);
    this.keys = new Keys();
    this.documents.forEach((document, number) => this.keys.addListed(number, document));
    this.pairs = remembered((/** @type {number} */ number) => this.pairsIn(this.documents[number]));
    /** @type {Map<number, import("../scan/bugs.js").Affected>} */
    this.affected = new Map(); // known bugs, by document
    this.rarity = (/** @type {string} */ term) => this.index.postings(term).size;
  }

  /**
   * How people ask, and what the answers of the entries say.
   * @param {import("../match/guide.js").Answers} answers
   */
  addText({ asked, shown, index }) {
    asked.forEach((words, number) => { this.documents[number].asked = words; });
    shown.forEach((text, at) => this.documents[this.data.signatures[at].entry].wordings.push(text));
    this.pairs = remembered((/** @type {number} */ number) => this.pairsIn(this.documents[number]));
    this.index.add(index);
  }

  /**
   * Keys and other sections, after the text of the answers.
   * @param {Document[]} documents
   * @param {Rows} rows
   */
  add(documents, rows) {
    const first = this.documents.length;
    this.documents = this.documents.concat(documents);
    documents.forEach((document, at) => { if (document.kind === "key") this.keys.addOwn(first + at, document); });
    this.index.add(rows);
  }

  /**
   * The bug ledger, after everything else.
   * @param {import("../match/guide.js").Bugs} bugs
   * @param {Document[]} documents
   * @param {Rows} rows
   */
  addBugs(bugs, documents, rows) {
    const first = this.documents.length;
    this.add(documents, rows);
    bugs.entries.forEach((row, at) => this.affected.set(first + at, affected(row)));
    this.matcher.add(signaturesOf(bugs, this.entries, first), this.documents);
  }

  /**
   * Neighbouring words of what stands above and around an entry's answer: its title, its errors, how people ask.
   * @param {Document} document
   */
  pairsIn({ title, asked, wordings }) {
    return new Set([title, asked, ...wordings].flatMap((text) => pairsOf(processed(tokenize(text)))));
  }

  /**
   * A key that is asked for with the name of a framework, without that; any other text as it is.
   * @param {string} text
   */
  withoutNames(text) {
    const words = text.length < SHORT ? text.split(/\s+/).filter(Boolean) : [], others = words.filter((word) => !this.names.has(word.toLowerCase()));
    return words.length <= 4 && others.length === 1 && words.length > 1 && this.keys.listed(others[0]).size ? others[0] : text;
  }

  /**
   * Terms of a query, the rarest of them when a whole log was pasted.
   * @param {string} text
   * @param {number} most
   */
  terms(text, most) {
    const { rarity } = this, terms = this.allTerms(text);
    if (terms.length <= most) return terms;
    return terms.filter((term) => rarity(term) > 0).sort((a, b) => rarity(a) - rarity(b)).slice(0, most);
  }

  /** @param {string} text */
  allTerms(text) {
    return Array.from(new Set(processed(tokenize(applyRules(this.matcher.clean(text), this.places)))));
  }

  /**
   * Terms that stand only in settings and metrics, if the text says something besides.
   * @param {string} text
   * @param {string[]} terms
   */
  aside(text, terms) {
    const bare = applyRules(text, this.settings), said = new Set(bare === text ? [] : this.allTerms(bare)); // not cut twice
    return new Set(said.size < ENOUGH ? [] : terms.filter((term) => !said.has(term)));
  }

  /**
   * The commonest longer word that begins so.
   * @param {string} start
   */
  completion(start) {
    const [best] = this.index.begun(start).sort((a, b) => this.rarity(b.term) - this.rarity(a.term));
    return best?.term;
  }

  /**
   * Documents, best first, also by what the text begins with; `terms` are those of the index that were found.
   * @param {string} text
   * @param {Set<string>} named frameworks that the text names
   * @param {number} most
   * @returns {Hit[]}
   */
  byWords(text, named, most) {
    const hits = this.fullText(text, named, most), begin = beginning(text);
    return begin.length < text.length ? added(hits, this.fullText(begin, named, most)) : hits;
  }

  /**
   * Documents by their words alone.
   * @param {string} text
   * @param {Set<string>} named frameworks that the text names
   * @param {number} most
   * @returns {Hit[]}
   */
  fullText(text, named, most) {
    const { index } = this, terms = this.terms(text, most), listed = this.keys.listed(text);
    const question = terms.length <= SPOKEN && !listed.size;
    const begin = question ? text : beginning(text);
    const meant = listed.size ? new Map() : meantBy(this.synonyms, begin, question ? terms : this.allTerms(begin), this.rarity);
    const weigh = this.termWeight(terms, meant, question ? new Set() : this.aside(text, terms));
    /** @type {Map<number, { score: number, asked: Set<string>, terms: Set<string> }>} */
    const made = new Map();
    for (const term of [...terms, ...meant.keys()]) {
      for (const found of this.found(term, terms, meant)) {
        const weight = weigh(term) * found.weight;
        for (const [number, score] of index.postings(found.term)) {
          let held = made.get(number);
          if (!held) made.set(number, held = { score: 0, asked: new Set(), terms: new Set() });
          held.score += score * weight;
          held.asked.add(term);
          held.terms.add(found.term);
        }
      }
    }
    const hits = Array.from(made, ([entry, { score, asked, terms: hit }]) =>
      ({ entry, score: score * said(asked, meant) * this.weight(entry, named, listed), terms: Array.from(hit) })).sort(byScore);
    return question ? this.pairsFirst(hits, pairsOf(terms)) : hits;
  }

  /**
   * Terms of the index for one of the query: itself, what it begins, what it misspells.
   * @param {string} term
   * @param {string[]} terms
   * @param {import("./synonyms.js").Meant} meant
   * @returns {import("./index.js").Found[]}
   */
  found(term, terms, meant) {
    const known = this.rarity(term) > 0, found = known ? [{ term, weight: 1 }] : [];
    if (meant.has(term) || terms.length > LONG) return found;
    if (term === terms[terms.length - 1] && term.length > 2) found.push(...this.index.begun(term));
    if (!known && term.length > 5 && /^[a-z]+$/.test(term)) found.push(...this.index.misspelt(term));
    return found;
  }

  /**
   * What each term of a query counts. An identifier that is known whole says more than its parts, which stand everywhere; the
   * more so if it is all of the query. The name of a framework narrows, it is not what is asked.
   * @param {string[]} terms
   * @param {import("./synonyms.js").Meant} meant
   * @param {Set<string>} aside
   */
  termWeight(terms, meant, aside) {
    const whole = new Set(terms.filter((term) => /[a-z0-9][_.][a-z0-9]/.test(term) && this.rarity(term) > 0));
    const parts = new Set(processed(Array.from(whole).flatMap(identifierParts).filter(Boolean)));
    const part = whole.size === 1 && terms.length === 1 + parts.size ? PART_ALONE : PART;
    return (/** @type {string} */ term) => {
      const own = this.names.has(term) && terms.length > 1 ? NAME : whole.has(term) ? WHOLE : parts.has(term) ? part : 1;
      return (meant.get(term)?.weight ?? own) * (aside.has(term) ? ASIDE : 1) * this.index.telling(term);
    };
  }

  /**
   * What a document counts.
   * @param {number} number
   * @param {Set<string>} named
   * @param {Set<number>} listed documents that list the key that is all of the query
   */
  weight(number, named, listed) {
    const { framework, kind } = this.documents[number];
    const own = !named.size ? 1 : named.has(framework) ? OWN : FOREIGN, shared = named.size ? EVERYBODY : UNNAMED;
    return KIND[kind] * (framework === SHARED ? shared : own) * (listed.has(number) ? 2 : 1);
  }

  /**
   * The best results anew: entries that have two neighbouring words of the query side by side come up.
   * @param {Hit[]} hits
   * @param {string[]} pairs
   */
  pairsFirst(hits, pairs) {
    const raised = (/** @type {Hit} */ hit) => {
      if (hit.entry >= this.entries) return hit;
      const same = pairs.filter((pair) => this.pairs(hit.entry).has(pair)).length;
      return { ...hit, score: hit.score * (1 + PAIR * same / Math.max(2, pairs.length)) };
    };
    return [...hits.slice(0, BEST).map(raised).sort(byScore), ...hits.slice(BEST)];
  }

  /**
   * What answers a text, best first: errors that are known, then what is about the same words. At most one result is exact:
   * the error that ended the run, if its entry applies. fieldguide/runtime/rank/answer.py does the same in Python.
   * @param {string} query
   * @param {string} chosen the framework whose readers ask: what is only for others is left out
   * @param {Record<string, string>} releases by package, that the reader runs, as far as the text does not say another
   * @returns {Result[]}
   */
  search(query, chosen, releases = {}) {
    const text = inOneLine(query.slice(-MAX_TEXT));
    const family = familyOf(this.data, chosen);
    const allowed = (/** @type {{ entry: number }} */ { entry }) =>
      !chosen || this.documents[entry].framework === SHARED || family.has(this.documents[entry].framework);
    const matches = this.matcher.find(text, family).filter(allowed), known = new Set(matches.map(({ entry }) => entry));
    const asked = this.keys.withoutValue(this.withoutNames(text)), named = new Set([...this.matcher.named(text), ...family]);
    const hits = this.keys.second(this.byWords(asked, named, matches.length ? TERMS_BESIDE_MATCH : MAX_TERMS), asked);
    const runs = new Map(matches.map(({ entry }) => [entry, this.runs(entry, text, releases)]));
    const isPast = (/** @type {number} */ entry) => ["fix", "none"].includes(runs.get(entry)?.has ?? "");
    // A bug that the release does not have is not what ended the run.
    const ordered = [...matches.filter(({ entry }) => !isPast(entry)), ...matches.filter(({ entry }) => isPast(entry))];
    return [
      ...ordered.map(({ entry, exact, text: found }, at) => ({
        entry, exact: exact && !at && !isPast(entry), possible: !exact, card: false, text: found, terms: [], runs: runs.get(entry) ?? null,
      })),
      ...hits.filter((hit) => allowed(hit) && !known.has(hit.entry)).slice(0, RESULTS)
        .map(({ entry, card, terms }) => ({ entry, exact: false, possible: false, card: Boolean(card), text: "", terms, runs: null })),
    ];
  }

  /**
   * For a known bug the release that runs, and what that has of it.
   * @param {number} entry
   * @param {string} text
   * @param {Record<string, string>} releases
   */
  runs(entry, text, releases) {
    const bug = this.affected.get(entry);
    return bug ? standing({ bug }, { [bug.package]: versionOf(bug.package, text) || releases[bug.package] }) : null;
  }
}
