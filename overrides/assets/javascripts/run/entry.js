/* The entry that answers the first failure of a run, and what its text says of itself. */
import { familyOf } from "../match/guide.js";
import { inOneLine } from "../match/text.js";
import { toldBy } from "../scan/told.js";
import { least } from "./order.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./failure.js").Failure} Failure */
/** @typedef {import("./failure.js").Verdict} Verdict */
/** @typedef {import("./read.js").FileRead} FileRead */

export const EXAMPLES = 3;
const NEAR = 200; // lines within which a known error in the same log belongs to a failure

/**
 * The framework that most of the logs name.
 * @param {FileRead[]} files
 */
export function frameworkOf(files) {
  /** @type {Map<string, number>} */
  const named = new Map();
  for (const { framework } of files) if (framework) named.set(framework, (named.get(framework) ?? 0) + 1);
  return Array.from(named).sort(([a, one], [b, other]) => other - one || (a < b ? 1 : -1))[0]?.[0] ?? null;
}

/**
 * Id of the entry that answers the first failure; null where none does.
 * @param {FileRead[]} files
 * @param {Verdict} verdict
 * @param {Context} context
 * @returns {string | null}
 */
export function entryOf(files, { first, followed }, context) {
  if (!first) return null;
  const framework = frameworkOf(files);
  if (first.how === "silent") { // what the others say who waited for it
    const texts = followed.flatMap(({ how, placed }) => (how === "waited" && placed ? [placed.seen.text] : []));
    for (const text of texts.slice(0, EXAMPLES)) {
      const known = find(text, framework, context).at(0);
      if (known) return known.id;
    }
  }
  return ownEntry(first, framework, context);
}

/**
 * Entries that a text is known as, the first of them what ended the run.
 * @param {string} text
 * @param {string | null} framework
 * @param {Context} context
 */
function find(text, framework, { guide, matcher }) {
  return matcher.find(text, familyOf(guide, framework)).filter(({ exact }) => exact)
    .map(({ entry, echo }) => ({ id: guide.entries[entry][0], echo }));
}

/**
 * What the text of a failure is known as, else a known error near it in its own log.
 * @param {Failure} first
 * @param {string | null} framework
 * @param {Context} context
 */
function ownEntry({ process, placed, evidence }, framework, context) {
  const places = placed ? [placed, ...evidence.filter((one) => one !== placed)] : evidence;
  for (const { seen } of places) {
    const known = find(inOneLine(`${seen.block} ${seen.text}`), framework, context).find(({ echo }) => !echo);
    if (known) return known.id;
  }
  const near = places.flatMap(({ seen, file }) => file.findings.filter(({ echo }) => !echo)
    .map(({ line, entry }) => ({ entry, away: Math.abs(line - seen.line) }))).filter(({ away }) => away <= NEAR);
  const nearest = least(near, ({ away, entry }) => [away, entry]), [own] = [...process.files, ...places.map(({ file }) => file)];
  return nearest?.entry ?? own?.findings.find(({ echo }) => !echo)?.entry ?? null;
}

/**
 * What the text of a failure says of itself: of its own traceback before anything else.
 * @param {Failure} failure
 * @param {Context} context
 */
export function toldOf({ placed, evidence }, { guide, anchors: { clean } }) {
  const seen = [...placed ? [placed] : [], ...evidence].map((one) => one.seen);
  const own = seen.find(({ told, role }) => told && role === "fails")?.told;
  if (own) return own;
  for (const { block } of seen) {
    const told = block ? toldBy(block, guide, clean) : null;
    if (told) return told;
  }
  return null;
}
