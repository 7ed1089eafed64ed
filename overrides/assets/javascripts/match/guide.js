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
 *   format: number, cleaning: Rule[], places: Rule[], settings: Rule[], synonyms: string[][], frameworks: Framework[],
 *   programs: Program[], entries: [id: string, framework: string][], signatures: SignatureRow[], errorName: string, echoes: string[], hintBonus: number,
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
 *   generic: boolean, output: boolean, echo: boolean, foreign: boolean, bug: boolean,
 * }} Signature
 */

/**
 * `search/bugs.json`: rows of the bug ledger with the releases of each, numbered after the entries, and what finds them. The
 * keys are what a log is scanned for: see ScanData.
 * @typedef {[id: string, framework: string, repository: string, package: string, since: string, until: string, fixed: string]} BugRow
 * @typedef {{ entries: BugRow[], signatures: SignatureRow[], keys: [key: string, words: string[]][] }} Bugs
 */

/** @typedef {Omit<CompiledGuide, "signatures"> & Omit<Said, "documents"> & { documents: Document[], signatures: Signature[] }} Guide */

export const FORMAT = 5;
export const SHARED = "any";
const GENERIC = 1, OUTPUT = 2, ECHO = 4, FOREIGN = 8, BUG = 16, BUG_ID = "bug-";

/**
 * @param {SignatureRow} row
 * @returns {Signature}
 */
function signatureOf([entry, pattern, weight, kind, anchor]) {
  return {
    entry, pattern, weight, anchor,
    generic: (kind & GENERIC) > 0, output: (kind & OUTPUT) > 0, echo: (kind & ECHO) > 0, foreign: (kind & FOREIGN) > 0, bug: (kind & BUG) > 0,
  };
}

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
  return { ...compiled, ...said, documents, signatures: compiled.signatures.map(signatureOf) };
}

/**
 * Signatures of the bug ledger, for documents of which the first row of the ledger is number `first`.
 * @param {Bugs} bugs
 * @param {number} entries how many entries the compiled guide has
 * @param {number} first
 */
export function signaturesOf({ signatures }, entries, first) {
  return signatures.map(([entry, ...row]) => signatureOf([entry - entries + first, ...row]));
}

/**
 * The guide with the bug ledger: its rows follow the entries.
 * @param {Guide} guide
 * @param {Bugs} bugs
 * @param {Document[]} documents of the rows
 * @returns {Guide}
 */
export function withBugs(guide, bugs, documents) {
  const first = guide.entries.length;
  return {
    ...guide,
    entries: [...guide.entries, ...bugs.entries.map(([id, framework]) => /** @type {[string, string]} */ ([id, framework]))],
    documents: [...guide.documents, ...documents.map((one) => ({ ...one, id: one.id.slice(BUG_ID.length) }))],
    signatures: [...guide.signatures, ...signaturesOf(bugs, first, first)],
  };
}

/**
 * Whether a text names the framework of a signature: any of ours for a text of many programs that belongs to none. That raises
 * an entry above others; a bug is below them however long its text is.
 * @param {{ generic: boolean, bug: boolean }} signature
 * @param {string} framework
 * @param {Set<string>} named
 */
export function isHinted(signature, framework, named) {
  return !signature.bug && (signature.generic && framework === SHARED ? named.size > 0 : named.has(framework));
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

/**
 * Frameworks that share the glossary of one.
 * @param {Pick<CompiledGuide, "frameworks">} guide
 * @param {string | null} framework
 */
export function familyOf({ frameworks }, framework) { return new Set(frameworks.filter(({ glossary }) => glossary === framework).map(({ id }) => id)); }
