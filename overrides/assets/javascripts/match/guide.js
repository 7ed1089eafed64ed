/*
 * The compiled guide as the browser gets it: search/guide.json, the same in every language, and search/<language>.json.
 * fieldguide/content/compile.py decides what is in it; fieldguide/runtime/guide.py reads the same in Python.
 */

/** @typedef {import("./expression.js").Rule} Rule */
/** @typedef {{ id: string, name: string, hints: string[] }} Program a training program that logs and questions name */
/** @typedef {Program & { glossary: string }} Framework one that the guide answers for */

/**
 * Something that can be found: an entry, a key or another section of a page.
 * @typedef {{
 *   id: string, kind: string, title: string, location: string, topic: string, framework: string,
 *   keys: string[], asked: string, text: string, wordings: string[], short?: string,
 * }} Document
 */

/**
 * `entry` is the number of its document.
 * @typedef {[entry: number, pattern: string, weight: number, kind: number, anchor: string]} SignatureRow
 */

/**
 * `search/guide.json`
 * @typedef {{
 *   format: number, cleaning: Rule[], places: Rule[], synonyms: string[][], frameworks: Framework[], programs: Program[],
 *   entries: [id: string, framework: string][], signatures: SignatureRow[], errorName: string, echoes: string[], hintBonus: number,
 * }} CompiledGuide
 */

/**
 * `search/<language>-text.json`: how people ask for each entry, how readers see each signature, what that and the answers say.
 * @typedef {{ asked: string[], shown: string[], index: import("../rank/index.js").Rows }} Answers
 */

/**
 * `search/<language>.json`; the documents are the entries, in the order of the compiled guide.
 * @typedef {{
 *   language: string, prefix: string, words: Record<string, string>, documents: Omit<Document, "wordings" | "kind" | "asked" | "text">[],
 *   head: import("../rank/index.js").Rows,
 * }} Said
 */

/**
 * What a program prints: `pattern` finds it, every match has the word `anchor`. `echo`: it only reports that something else
 * failed; `foreign`: a library prints it, and the entry is for one framework.
 * @typedef {{
 *   entry: number, pattern: string, weight: number, anchor: string,
 *   generic: boolean, output: boolean, echo: boolean, foreign: boolean,
 * }} Signature
 */

/** @typedef {Omit<CompiledGuide, "signatures"> & Omit<Said, "documents"> & { documents: Document[], signatures: Signature[] }} Guide */

export const FORMAT = 2, SHARED = "any";
const GENERIC = 1, OUTPUT = 2, ECHO = 4, FOREIGN = 8;

/**
 * The guide in one language.
 * @param {CompiledGuide} compiled
 * @param {Said} said
 * @returns {Guide}
 */
export function assemble(compiled, said) {
  if (compiled.format !== FORMAT) throw new Error(`guide of format ${compiled.format}`);
  const documents = said.documents.map((document) =>
    ({ ...document, kind: "entry", asked: "", text: "", wordings: /** @type {string[]} */ ([]) }));
  const signatures = compiled.signatures.map(([entry, pattern, weight, kind, anchor]) => ({
    entry, pattern, weight, anchor,
    generic: (kind & GENERIC) > 0, output: (kind & OUTPUT) > 0, echo: (kind & ECHO) > 0, foreign: (kind & FOREIGN) > 0,
  }));
  return { ...compiled, ...said, documents, signatures };
}

/**
 * Whether a text names the framework of a signature: any of ours for a text of many programs that belongs to none.
 * @param {{ generic: boolean }} signature
 * @param {string} framework
 * @param {Set<string>} named
 */
export function isHinted(signature, framework, named) {
  return signature.generic && framework === SHARED ? named.size > 0 : named.has(framework);
}

/**
 * Whether the entry of a signature is an answer for who runs these frameworks. What a framework itself prints tells that it
 * runs; a library's text is answered for those that are named alone.
 * @param {{ foreign: boolean }} signature
 * @param {string} framework of the entry
 * @param {Set<string>} named
 */
export function applies({ foreign }, framework, named) {
  return framework === SHARED || !foreign || named.has(framework);
}

/**
 * Every training program that is known by name.
 * @param {Pick<CompiledGuide, "frameworks" | "programs">} guide
 * @returns {Program[]}
 */
export function knownPrograms({ frameworks, programs }) { return [...frameworks, ...programs]; }
