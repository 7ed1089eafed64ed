/* What a release has of a known bug; Affected and bugs_that_bite_first in Python say the same. */
import { compare, version } from "../doctor/version.js";

/** @typedef {{ package: string, since: string, fixed: string }} Affected the releases with a bug: "" is not known */
/** @typedef {{ release: string, has: "fix" | "none" | "bug" | null }} Standing */
/** @typedef {import("./shown.js").Shown} Shown */

/**
 * @param {import("../match/guide.js").BugRow} row
 * @returns {Affected}
 */
export function affected([, , , name, since, , fixed]) { return { package: name, since, fixed }; }

/**
 * "fix", "bug", or "none" where the release is older than the bug; null where either is no version.
 * @param {Affected} bug
 * @param {string} release
 */
export function has({ since, fixed }, release) {
  const own = bare(release), first = bare(since), mended = bare(fixed);
  if (!own) return null;
  if (mended && compare(own, mended) >= 0) return "fix";
  return first && compare(own, first) < 0 ? "none" : "bug";
}

/**
 * The numbers of a release alone: what was built before it, or after it, has what it has.
 * @param {string} tag
 */
function bare(tag) { return version((/\d+(?:\.\d+)*/.exec(tag) || [""])[0]); }

/**
 * What runs and what that has, for a finding that is a known bug.
 * @param {{ bug: Affected | null }} finding
 * @param {Record<string, string>} installed
 * @returns {Standing | null}
 */
export function standing({ bug }, installed) {
  const release = bug && installed[bug.package];
  return bug && release ? { release, has: has(bug, release) } : null;
}

/**
 * The same findings, and at the end the bugs that the release does not have: they are not what ended the run.
 * @param {Shown[]} findings
 * @param {Record<string, string>} installed
 */
export function bugsThatBiteFirst(findings, installed) {
  const bites = (/** @type {Shown} */ one) => (standing(one, installed)?.has ?? "bug") === "bug";
  return [...findings.filter(bites), ...findings.filter((one) => !bites(one))];
}
