/* What a log is searched for: a telling piece of each signature, the hints of the frameworks, and signs of an error. */
import { longest } from "../match/guide.js";
import { Automaton } from "./automaton.js";

/** @typedef {import("../match/guide.js").Guide} Guide */

/**
 * A signature as the scanner looks for it: all `words` stand near a hit of its key; `looks` counts windows that were cleaned
 * for it, `text` is what it matched first.
 * @typedef {{
 *   index: number, entry: string, framework: string, source: string, regex: RegExp | null, weight: number,
 *   generic: boolean, output: boolean, words: string[], looks: number, text: string | null,
 * }} Sought
 */

/**
 * What a hit of one key is for. `live`: the signatures that can be in the buffer, of which there were `hits` hits; `hints`:
 * framework and hint with a line end between them.
 * @typedef {{ signatures: Sought[], live: Sought[], hits: number, hints: string[], sign: boolean, trace: boolean }} Use
 */

const MAX_WORDS = 4;
const SIGNS = ["Error", "Exception", "Timeout", "timed out", "FATAL", "Fatal", "Killed", "SIGKILL", "SIGTERM", "core dumped", "Segmentation fault", "[ERROR]", "ERROR"];
const TRACE = "Traceback (most recent call last)";
const GAPS = ["\n", "\r", "\t", "\x1b", "  ", " \n", " \r", " \t", " \x1b"];

/**
 * As `distinctive` in scan.py, from the wording that readers see, with … for each placeholder.
 * @param {string} wording
 */
function distinctive(wording) {
  const sentences = wording.split("…").map((run) => run.split(/\s+/).filter(Boolean));
  const words = Array.from(new Set(sentences.flat()));
  const pairs = sentences.flatMap((sentence) =>
    sentence.slice(0, -1).flatMap((word, i) => (word.length > 2 ? [`${word} ${sentence[i + 1]}`] : [])));
  const key = longest([...pairs, ...words]), inKey = key.split(" ");
  const others = words.filter((word) => !inKey.includes(word)).sort((a, b) => b.length - a.length);
  return { key, words: others.slice(0, MAX_WORDS) };
}

/** @param {string} key */
function spellings(key) {
  const gap = key.indexOf(" ");
  return gap < 0 ? [key] : [key, ...GAPS.map((other) => key.slice(0, gap) + other)];
}

/**
 * The signatures, what each key is for, and the automaton that finds the keys.
 * @param {Guide} guide
 */
export function lookup(guide) {
  /** @type {Map<string, Use>} */
  const uses = new Map();
  const use = (/** @type {string} */ key) => {
    const made = uses.get(key) || { signatures: [], live: [], hits: 0, hints: [], sign: false, trace: false };
    uses.set(key, made);
    return made;
  };
  const signatures = guide.signatures.map((signature, index) => {
    const { id, framework } = guide.documents[signature.entry], { source, weight, generic, output } = signature;
    const { key, words } = distinctive(signature.wording);
    /** @type {Sought} */
    const one = { index, entry: id, framework, source, regex: null, weight, generic, output, words, looks: 0, text: null };
    for (const spelling of spellings(key)) use(spelling).signatures.push(one);
    return one;
  });
  for (const { id, hints } of guide.frameworks) for (const hint of hints) use(hint).hints.push(`${id}\n${hint}`);
  for (const sign of SIGNS) use(sign).sign = true;
  use(TRACE).trace = true;
  return { signatures, uses: Array.from(uses.values()), automaton: new Automaton(Array.from(uses.keys())) };
}
