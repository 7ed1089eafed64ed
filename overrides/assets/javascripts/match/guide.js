/*
 * The search data of one language as it travels, and with what follows from it. fieldguide/site/search.py writes it; the
 * meaning of a signature is that of fieldguide/content/signature.py.
 */
import { escapeRegExp } from "./escape.js";

/** @typedef {{ id: string, name: string, group: string, hints: string[] }} Framework */
/** @typedef {import("./cleaning.js").Rule} Rule */

/**
 * Something that can be found: an entry, a key or another section of a page.
 * @typedef {{
 *   id: string, kind: string, title: string, location: string, topic: string, framework: string,
 *   keys: string[], asked: string, text: string, wordings: string[], short?: string,
 * }} Document
 */

/**
 * What holds for both forms of the data.
 * @typedef {{
 *   language: string, bonus: number, generic: number, cleaning: Rule[], places: Rule[], synonyms: string[][],
 *   frameworks: Framework[], words: Record<string, string>, placeholders: Record<string, string>,
 * }} Common
 */

/**
 * `search/<language>.json`; a signature is [number of its entry, text, 1 if generic + 2 if output].
 * @typedef {Common & { documents: Omit<Document, "wordings">[], signatures: [number, string, number][] }} SearchData
 */

/**
 * What a program prints: `entry` is the number of the document, `source` an expression, `anchor` a word that every match has,
 * `wording` the text as readers see it.
 * @typedef {{
 *   entry: number, source: string, weight: number, anchor: string, generic: boolean, output: boolean, wording: string,
 * }} Signature
 */

/** @typedef {Common & { documents: Document[], signatures: Signature[], unfolded: true }} Guide */

const PIECE = /\{\{|\}\}|\{([a-z]+)\}|[^{}]+/g;

/**
 * @param {string} text
 * @param {Record<string, string>} placeholders
 */
function signatureParts(text, placeholders) {
  let source = "", shown = "";
  const words = [];
  for (const [token, placeholder] of text.matchAll(PIECE)) {
    if (placeholder) {
      const body = placeholders[placeholder];
      source += body.includes("|") ? `(?:${body})` : body;
      shown += "…";
      continue;
    }
    const literal = token === "{{" || token === "}}" ? token[0] : token;
    source += escapeRegExp(literal).replace(/\s+/g, "\\s+");
    shown += literal;
    words.push(...literal.split(/\s+/).filter(Boolean));
  }
  return { source, shown, words };
}

/**
 * The longest of several texts, the first of them.
 * @param {string[]} texts
 */
export function longest(texts) {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), "");
}

/**
 * @param {SearchData["signatures"][0]} row
 * @param {SearchData} data
 * @returns {Signature}
 */
function signatureOf([entry, text, kind], data) {
  const { source, shown, words } = signatureParts(text, data.placeholders);
  const length = words.join("").length;
  return {
    entry, source, weight: kind ? Math.min(length, data.generic) : length, anchor: longest(words),
    generic: (kind & 1) > 0, output: (kind & 2) > 0, wording: shown,
  };
}

/**
 * The data with what follows from it: the parts of each signature, and the wordings of each entry.
 * @param {SearchData | Guide} data
 * @returns {Guide}
 */
export function unfold(data) {
  if ("unfolded" in data) return data;
  const documents = data.documents.map((document) => ({ ...document, wordings: /** @type {string[]} */ ([]) }));
  const signatures = data.signatures.map((row) => signatureOf(row, data));
  for (const signature of signatures) documents[signature.entry].wordings.push(signature.wording);
  return { ...data, documents, signatures, unfolded: true };
}

/**
 * Whether a text names the framework of a signature: any of ours for a text of many programs that belongs to none.
 * @param {{ generic: boolean }} signature
 * @param {string} framework
 * @param {Set<string>} named
 */
export function isHinted(signature, framework, named) {
  return signature.generic && framework === "any" ? named.size > 0 : named.has(framework);
}
