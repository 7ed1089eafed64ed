/*
 * Finds entries: exact error signatures first, then full text. Runs in the search worker, in the log worker and in tests.
 * A Finder can be asked at once: entries come first in every answer, and titles, errors, keys and other people's words for
 * the question say most about them. `addText` brings the text of their answers, `add` keys and other sections.
 */
import { applyRules, compileRules } from "../match/expression.js";
import { Matcher } from "../match/matcher.js";
import { Keys } from "./keys.js";
import { meantBy, said, synonymGroup } from "./synonyms.js";
import { quickTree, rarityIn, tellingIn } from "./terms.js";
import { fieldTokens, identifierParts, pairsOf, processTerm, processed, remembered, tokenize } from "./tokens.js";

/** @typedef {import("../match/guide.js").Document} Document */
/** @typedef {import("../match/guide.js").Guide} Guide */
/** @typedef {{ number: number, source: Document }} Numbered */
/** @typedef {{ entry: number, score: number, terms: string[], card?: boolean }} Hit `entry`: the number of its document */
/** @typedef {{ entry: number, score: number, terms: string[], card: boolean, exact: boolean, text: string }} Result */

const MAX_QUERY = 200000;      // characters of a pasted text that are looked at: the last ones, where the error is
const MAX_TERMS = 120;         // terms of a long paste that full-text search uses: the rarest
const RESULTS = 30;
const TERMS_BESIDE_EXACT = 30; // the same when an exact match already answers
/** @type {Record<string, number>} */
const KIND_BOOST = { entry: 1, key: 0.08, section: 0.3 };
const FIELD_BOOST = { title: 5, wordings: 3, keys: 3, asked: 3, text: 1 };
const FIELDS = Object.keys(FIELD_BOOST);
const SPOKEN = 20;             // terms up to which a query is a question, whose words count in pairs and stand for others
const LONG = 12;               // terms from which on none is completed or corrected
const TURN = 40;               // entries that are indexed before a query that came meanwhile has its turn
const BEST = 12;               // results that are looked at more closely
const PAIR = 1;                // how much two neighbouring words of the query raise an entry that asks with the same two

/**
 * @param {{ score: number }} a
 * @param {{ score: number }} b
 */
const byScore = (a, b) => b.score - a.score;

/**
 * @param {Document[]} documents
 * @param {number} first
 * @returns {Numbered[]}
 */
function numbered(documents, first) {
  return documents.map((source, i) => ({ number: first + i, source }));
}

export class Finder {
  /**
   * @param {Guide} data
   * @param {MiniSearchClass} MiniSearch
   */
  constructor(data, MiniSearch) {
    this.MiniSearch = MiniSearch;
    this.data = data;
    this.matcher = new Matcher(this.data);
    this.places = compileRules(data.places);
    this.synonyms = data.synonyms.map(synonymGroup);
    this.tokenize = fieldTokens();
    this.processTerm = remembered(processTerm);
    /** @type {Document[]} */
    this.documents = [];
    this.keys = new Keys();
    this.entries = this.data.documents.length;
    this.index = this.newIndex(FIELDS.filter((field) => field !== "text"));
    this.rarity = rarityIn(this.index._index);
    this.telling = tellingIn(this.index._index, this.entries);
    this.index.addAll(this.take(this.data.documents));
    this.documents.forEach((document, number) => this.keys.addListed(number, document));
    this.pairs = remembered((/** @type {number} */ number) => this.pairsIn(this.documents[number]));
  }

  /** @param {string[]} fields */
  newIndex(fields) {
    const index = new this.MiniSearch({
      fields,
      storeFields: [],
      extractField: (document, field) => {
        if (field === "id") return document.number;
        const value = document.source[/** @type {"title" | "keys"} */ (field)];
        return Array.isArray(value) ? value.join("\n") : value;
      },
      tokenize: this.tokenize,
      processTerm: this.processTerm,
    });
    quickTree(index._index);
    return index;
  }

  /** Resolves when the text of the entries' answers is searched too. */
  async addText() {
    const index = this.newIndex(FIELDS);
    await index.addAllAsync(numbered(this.documents, 0), { chunkSize: TURN });
    this.index = index;
    this.rarity = rarityIn(index._index);
    this.telling = tellingIn(index._index, this.entries);
  }

  /**
   * Resolves when these documents are searched too; after `addText`.
   * @param {Document[]} documents
   */
  async add(documents) {
    await this.index.addAllAsync(this.take(documents), { chunkSize: 10 * TURN });
    this.rarity = rarityIn(this.index._index);
  }

  /**
   * Number documents and note the keys among them.
   * @param {Document[]} documents
   */
  take(documents) {
    const taken = numbered(documents, this.documents.length);
    this.documents = this.documents.concat(documents);
    for (const { number, source } of taken) {
      if (source.kind === "key") this.keys.addOwn(number, source);
    }
    return taken;
  }

  /**
   * Neighbouring words of what stands above and around an entry's answer: its title, its errors, how people ask.
   * @param {Document} document
   */
  pairsIn({ title, asked, wordings }) {
    return new Set([title, asked, ...wordings].flatMap((text) => pairsOf(processed(this.tokenize(text, "title")))));
  }

  /**
   * Ids of the frameworks that a text names, by hints of a log or by name.
   * @param {string} text
   */
  frameworksIn(text) {
    const lower = text.toLowerCase(), hinted = this.matcher.hinted(text);
    return new Set(this.data.frameworks.filter(({ id, name }) =>
      hinted.has(id) || new RegExp(`(^|[^a-z])${name.toLowerCase()}([^a-z]|$)`).test(lower)).map(({ id }) => id));
  }

  /**
   * Best match of each entry by a signature, best first.
   * @param {string} text
   */
  exact(text) { return this.matcher.exact(text); }

  /**
   * Terms of a query, the rarest of them when a whole log was pasted.
   * @param {string} text
   * @param {number} most
   */
  terms(text, most) {
    const { rarity } = this;
    const terms = Array.from(new Set(processed(tokenize(applyRules(this.matcher.clean(text), this.places)))));
    if (terms.length <= most) return terms;
    return terms.filter((term) => rarity(term) > 0).sort((a, b) => rarity(a) - rarity(b)).slice(0, most);
  }

  /**
   * Full text, best first; `terms` are those of the index that were found, as it files them.
   * @param {string} text
   * @param {number} [most]
   * @returns {Hit[]}
   */
  fullText(text, most = MAX_TERMS) {
    const { rarity } = this;
    const terms = this.terms(text, most);
    if (!terms.length) return [];
    const listed = this.keys.listed(text);
    const question = terms.length <= SPOKEN && !listed.size;
    const meant = question ? meantBy(this.synonyms, text, terms, rarity) : new Map();
    const corrects = terms.length <= LONG, last = terms[terms.length - 1];
    const results = this.index.search(text, {
      tokenize: () => [...terms, ...meant.keys()],
      processTerm: (term) => term,
      boostTerm: this.termBoost(terms, meant),
      boost: FIELD_BOOST,
      prefix: (term) => corrects && term === last && term.length > 2,
      fuzzy: (term) => (corrects && !meant.has(term) && term.length > 5 && /^[a-z]+$/.test(term) ? 0.15 : false),
      boostDocument: this.documentBoost(this.frameworksIn(text), listed),
    });
    const found = results.map(({ id, score, queryTerms, terms: hits }) =>
      ({ entry: id, score: score * said(queryTerms, meant) / queryTerms.length, terms: hits })).sort(byScore);
    return question ? this.pairsFirst(found, pairsOf(terms)) : found;
  }

  /**
   * What each term of a query counts. An identifier that is known whole says more than its parts, which stand everywhere; the
   * more so if it is all of the query.
   * @param {string[]} terms
   * @param {import("./synonyms.js").Meant} meant
   */
  termBoost(terms, meant) {
    const { rarity, telling } = this;
    const whole = new Set(terms.filter((term) => /[a-z0-9][_.][a-z0-9]/.test(term) && rarity(term) > 0));
    const parts = new Set(Array.from(whole).flatMap(identifierParts).map(processTerm));
    const alone = whole.size === 1 && terms.length === 1 + parts.size;
    return (/** @type {string} */ term) => {
      const weight = meant.get(term)?.weight ?? (whole.has(term) ? 2.5 : parts.has(term) ? (alone ? 0.1 : 0.5) : 1);
      return weight * telling(term);
    };
  }

  /**
   * What each document counts. Who names a framework wants its answer or everybody's; who names none is more likely asking
   * everybody.
   * @param {Set<string>} named
   * @param {Set<number>} listed documents that list the key that is all of the query
   */
  documentBoost(named, listed) {
    return (/** @type {number} */ number) => {
      const { framework, kind } = this.documents[number];
      const shared = named.size ? 1.15 : 1.25, own = !named.size ? 1 : named.has(framework) ? 1.6 : 0.5;
      return (KIND_BOOST[kind] || 1) * (framework === "any" ? shared : own) * (listed.has(number) ? 2 : 1);
    };
  }

  /**
   * The best results anew: entries that have two neighbouring words of the query side by side come up.
   * @param {Hit[]} results
   * @param {string[]} pairs
   */
  pairsFirst(results, pairs) {
    if (!pairs.length) return results;
    const best = results.slice(0, BEST).map((result) => {
      if (result.entry >= this.entries) return result;
      const same = pairs.filter((pair) => this.pairs(result.entry).has(pair)).length;
      return { ...result, score: result.score * (1 + PAIR * same / Math.max(2, pairs.length)) };
    });
    return [...best.sort(byScore), ...results.slice(BEST)];
  }

  /**
   * The whole search; `group` limits it to one framework.
   * @param {string} query
   * @param {string} group
   * @returns {{ exact: number, results: Result[] }} how many are exact; they come first
   */
  search(query, group) {
    const text = query.slice(-MAX_QUERY);
    const allowed = (/** @type {{ entry: number }} */ { entry }) => !group || this.isFor(this.documents[entry].framework, group);
    const exact = this.exact(text).filter(allowed);
    const seen = new Set(exact.map((match) => match.entry));
    const asked = this.keys.withoutValue(text);
    const words = this.fullText(asked, exact.length ? TERMS_BESIDE_EXACT : MAX_TERMS)
      .filter((hit) => allowed(hit) && !seen.has(hit.entry));
    return {
      exact: exact.length,
      results: [
        ...exact.map(({ entry, text: found, score }) => ({ entry, exact: true, card: false, text: found, terms: [], score })),
        ...this.keys.second(words, asked).slice(0, RESULTS)
          .map(({ entry, card, terms, score }) => ({ entry, exact: false, card: Boolean(card), text: "", terms, score })),
      ],
    };
  }

  /**
   * Whether what is about a framework is for the readers of a group.
   * @param {string} framework
   * @param {string} group
   */
  isFor(framework, group) {
    return framework === "any" || this.data.frameworks.some((one) => one.id === framework && one.glossary === group);
  }
}
