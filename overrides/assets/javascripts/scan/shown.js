/* What was found in a log, as the page shows it. */
import { knownPrograms } from "../match/guide.js";
import { affected } from "./bugs.js";

/** @typedef {import("../match/guide.js").Document} Document */
/** @typedef {import("../match/guide.js").Guide} Guide */
/** @typedef {import("./places.js").Finding} Finding */
/** @typedef {{ id: string, title: string, location: string }} Place */
/** @typedef {import("./bugs.js").Affected} Affected */
/** @typedef {Place & { line: number, count: number, text: string, masked: string, framework: string, frameworkName: string, also: Place[], fix: string, bug: Affected | null, file?: string, files?: number }} Shown `file`: of those of a run */
/** @typedef {{ versions: [name: string, version: string][], harm: string, entry: string, page: string, repair: string }} Bad versions that do not go together */
/** @typedef {{ isList: boolean, bad: Bad[], installed: Record<string, string> }} Versions what is known of those that a text names */
/**
 * @typedef {{
 *   framework: string | null, frameworkName: string, frameworks: { id: string, name: string, group: string }[],
 *   lines: number, size: number, damaged: boolean, findings: Shown[], told: import("./told.js").Told | null, closest: Place[], unknown: { lines: number, text: string },
 *   versions?: Versions, cause?: number,
 * }} LogResult `cause`: which finding is the cause, the first unless it says otherwise
 */

/**
 * @param {Document} document
 * @returns {Place}
 */
export function placeOf({ id, title, location }) { return { id, title, location }; }

/**
 * @param {Guide} guide
 * @param {string | null} framework
 */
export function nameOf(guide, framework) { return knownPrograms(guide).find(({ id }) => id === framework)?.name || ""; }

/**
 * The frameworks as results name them; `group`: those that share a glossary.
 * @param {Guide} guide
 */
export function frameworksOf({ frameworks }) { return frameworks.map(({ id, name, glossary }) => ({ id, name, group: glossary })); }

/**
 * @param {Pick<Finding, "entry" | "line" | "count" | "text" | "also">[]} findings
 * @param {Guide} guide
 * @param {Record<string, string>} fixes
 * @param {(text: string) => string} mask
 * @param {import("../match/guide.js").BugRow[]} ledger
 * @returns {Shown[]}
 */
export function shown(findings, guide, fixes, mask, ledger) {
  const bugs = new Map(ledger.map((row) => [row[0], affected(row)]));
  const documents = Object.fromEntries(guide.documents.map((one) => [one.id, one]));
  return findings.map(({ entry, line, count, text, also }) => {
    const document = documents[entry], { framework } = document;
    return {
      ...placeOf(document), line, count, text, masked: mask(text), framework, frameworkName: nameOf(guide, framework),
      also: also.map((id) => placeOf(documents[id])), fix: fixes[entry] || "", bug: bugs.get(entry) || null,
    };
  });
}
