/* What a log is searched for: a telling piece of each signature, the hints of the frameworks, and signs of an error. */
import { knownPrograms } from "../match/guide.js";
import { Automaton } from "./automaton.js";

/** @typedef {import("../match/guide.js").Guide} Guide */

/**
 * A signature as the scanner looks for it: all `words` stand near a hit of its key.
 * @typedef {{
 *   index: number, entry: string, framework: string, pattern: string, regex: RegExp | null, weight: number,
 *   generic: boolean, output: boolean, echo: boolean, foreign: boolean, bug: boolean, words: string[],
 * }} Sought
 */

/**
 * What a hit of one key is for. `live`: the signatures that can be in the buffer, of which there were `hits` hits; `hints`:
 * framework and hint with a line end between them.
 * @typedef {{ signatures: Sought[], live: Sought[], hits: number, hints: string[], sign: boolean, trace: boolean }} Use
 */

/**
 * `search/scan.json`: how logs are read, what is masked, and for each signature what is looked for first, and further words.
 * @typedef {{
 *   scan: { limits: Record<string, number>, gaps: string[], archives: Record<string, string> },
 *   masks: import("../match/expression.js").Rule[], keys: [key: string, words: string[]][],
 * }} ScanData
 */

const SIGNS = ["Error", "Exception", "Timeout", "timed out", "FATAL", "Fatal", "Killed", "SIGKILL", "SIGTERM", "core dumped", "Segmentation fault", "[ERROR]", "ERROR"];
const TRACE = "Traceback (most recent call last)";

/**
 * The key with each thing that may stand in its gap; behind it the next word is left to the match.
 * @param {string} key
 * @param {string[]} gaps
 */
function spellings(key, gaps) {
  const gap = key.indexOf(" ");
  return gap < 0 ? [key] : [key, ...gaps.map((other) => key.slice(0, gap) + other)];
}

/** @typedef {ReturnType<typeof made>} Lookup */
/** @type {WeakMap<ScanData, Lookup>} that of each data: the next log is read with it, too, and a run has thousands */
const lookups = new WeakMap();

/**
 * The signatures, what each key is for, and the automaton that finds the keys.
 * @param {Guide} guide
 * @param {ScanData} data
 */
export function lookup(guide, data) {
  const ready = lookups.get(data) ?? made(guide, data);
  lookups.set(data, ready);
  return ready;
}

/**
 * @param {Guide} guide
 * @param {ScanData} data
 */
function made(guide, data) {
  const { scan: { gaps }, keys } = data;
  /** @type {Map<string, Use>} */
  const uses = new Map();
  const use = (/** @type {string} */ key) => {
    const own = uses.get(key) || { signatures: [], live: [], hits: 0, hints: [], sign: false, trace: false };
    uses.set(key, own);
    return own;
  };
  const signatures = guide.signatures.map((signature, index) => {
    const [entry, framework] = guide.entries[signature.entry], { pattern, weight, generic, output, echo, foreign, bug } = signature;
    const [key, words] = keys[index];
    /** @type {Sought} */
    const one = { index, entry, framework, pattern, regex: null, weight, generic, output, echo, foreign, bug, words };
    for (const spelling of spellings(key, gaps)) use(spelling).signatures.push(one);
    return one;
  });
  for (const { id, hints } of knownPrograms(guide)) for (const hint of hints) use(hint).hints.push(`${id}\n${hint}`);
  for (const sign of SIGNS) use(sign).sign = true;
  use(TRACE).trace = true;
  return { signatures, uses: Array.from(uses.values()), automaton: new Automaton(Array.from(uses.keys())) };
}
