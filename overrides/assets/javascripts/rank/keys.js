/* Queries that are a key and nothing else. */
import { lastPart } from "../match/text.js";
import { CHUNK } from "./tokens.js";

/** @typedef {import("../match/guide.js").Document} Document */
/** @typedef {import("./finder.js").Hit} Hit */

const IDENTIFIER = /[a-z0-9]_[a-z0-9]|[a-z][A-Z]/;
/* A key as it is set, `--key value`, `some.key=value` or `key: value`. */
const SET = /^\s*\+{0,2}((?:--)?[A-Za-z][\w.-]*)(\s*[=:]\s*|\s+)\S{1,80}\s*$/;

/**
 * A key without what may be written around it: "--max-tokens" is max_tokens.
 * @param {string} text
 */
function bareKey(text) {
  return text.trim().replace(/^-+/, "").replace(/-/g, "_").toLowerCase();
}

/**
 * Sorts hits, best first.
 * @param {Hit} a
 * @param {Hit} b
 */
export const byScore = (a, b) => b.score - a.score || a.entry - b.entry;

export class Keys {
  constructor() {
    /** @type {Map<string, number[]>} spelling of a key → its own documents in the glossaries */
    this.own = new Map();
    /** @type {Map<string, Set<number>>} spelling of a key → entries that list it or have it in their title */
    this.listing = new Map();
  }

  /**
   * @param {number} number
   * @param {Document} document a key
   */
  addOwn(number, { keys }) {
    for (const key of keys.map(bareKey)) this.own.set(key, [...(this.own.get(key) || []), number]);
  }

  /**
   * @param {number} number
   * @param {Document} document an entry
   */
  addListed(number, document) {
    const keys = document.keys.map(bareKey);
    const titled = (document.title.match(CHUNK) || []).filter((word) => IDENTIFIER.test(word)).map(bareKey);
    for (const name of [...keys, ...keys.map(lastPart), ...titled]) {
      this.listing.set(name, (this.listing.get(name) || new Set()).add(number));
    }
  }

  /**
   * Entries that list the key that a query is.
   * @param {string} query
   * @returns {Set<number>}
   */
  listed(query) {
    const name = bareKey(query);
    return this.listing.get(name) || this.listing.get(lastPart(name)) || new Set();
  }

  /**
   * A known key with a value without it; any other text as it is.
   * @param {string} text
   */
  withoutValue(text) {
    const found = SET.exec(text);
    if (!found || (!/[=:]/.test(found[2]) && !/^--|_/.test(found[1]))) return text;
    return this.own.has(bareKey(found[1])) || this.listed(found[1]).size ? found[1] : text;
  }

  /**
   * The entry that lists the key first, if there is one, then the key itself in the glossaries. A key behind an entry that is
   * called like an identifier is marked: the page shows it as a card above the list.
   * @param {Hit[]} hits
   * @param {string} query
   */
  second(hits, query) {
    const name = bareKey(query), own = new Set(this.own.get(name));
    if (!own.size) return hits;
    const listing = this.listing.get(name) || new Set(), before = listing.size ? 1 : 0;
    const others = hits.filter((hit) => !own.has(hit.entry))
      .sort((a, b) => Number(listing.has(b.entry)) - Number(listing.has(a.entry)));
    const card = before > 0 && /[_.-]|[a-z][A-Z]/.test(query.trim());
    const keys = hits.filter((hit) => own.has(hit.entry)).map((hit) => ({ ...hit, card }));
    return [...others.slice(0, before), ...keys, ...others.slice(before)];
  }
}
