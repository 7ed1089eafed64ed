/* What an environment is compared with: versions.json, whose fields `fieldguide.runtime.doctor.facts` describes. */
import { compare, specifier, version } from "./version.js";
import { Vocabulary, asCell } from "./vocabulary.js";

/** @typedef {import("./version.js").Version} Version */
/** @typedef {import("./version.js").Specifier} Specifier */
/** @typedef {import("./vocabulary.js").Found} Found */
/** @typedef {{ path: string, kind: string, platform: string, extra: string, tested: string, uses: number, cells: Map<string, Found> }} Stack */
/** @typedef {{ tag: string, version: Version | null, stacks: Stack[] }} Release */
/** @typedef {{ id: string, name: string, names: string[], repository: string, releases: Release[] }} Framework */
/**
 * @typedef {{ id: string, packages: [string, Specifier][], absent: string[], harm: string, error: string, entry: string,
 *   pages: Record<string, string>, repair: [string, Specifier][], words: Record<string, string[]>, sources: string[] }} Pair
 */

// How bad, the worst first.
export const HARMS = ["start", "wrong", "dies", "slow"];
/* Where the facts are: a script, so that pages opened from a folder can load it. */
export const DATA = "assets/javascripts/doctor-data.js";
export const REQUIRES = "requires";

/**
 * @template Value
 * @param {Value | null} value
 * @returns {Value}
 */
function sure(value) {
  if (value === null) throw new Error("versions.json holds what is no version");
  return value;
}

/** @param {Record<string, string>} packages @returns {[string, Specifier][]} */
function specifiers(packages) { return Object.entries(packages).map(([name, text]) => [name, sure(specifier(text))]); }

/** @param {Version} one */
function base(one) { return sure(version(one.base)); }

export class Facts {
  /** @param {any} data versions.json */
  constructor(data) {
    this.vocabulary = new Vocabulary(data.packages);
    /** @type {Framework[]} */
    this.frameworks = data.frameworks.map((/** @type {any} */ one) => ({ ...one, releases: one.releases.map(release) }));
    /** @type {Map<string, { version: Version, needs: Map<string, Specifier> }[]>} */
    this.needs = new Map(Object.entries(data.needs).map(([name, rows]) => [name, /** @type {[string, string[]][]} */ (rows).map(needs)]));
    /** @type {Map<string, Version[]>} */
    this.known = new Map(Object.entries(data.known).map(([name, rows]) => [name, /** @type {string[]} */ (rows).map((one) => sure(version(one)))]));
    /** @type {Pair[]} */
    this.pairs = data.pairs.map((/** @type {any} */ one) => ({ ...one, packages: specifiers(one.packages), repair: specifiers(one.repair) }));
  }

  /**
   * As its makers write it.
   * @param {string} id
   */
  name(id) { return this.vocabulary.name.get(id) ?? this.frameworks.find((one) => one.id === id)?.name ?? id; }

  /**
   * What a release needs; of one that is not recorded, what the ones before and after it both need.
   * @param {string} name
   * @param {Version} wanted
   * @returns {[string, Specifier][]}
   */
  needsOf(name, wanted) {
    const rows = this.needs.get(name) ?? [], at = base(wanted);
    const before = rows.findLast((one) => compare(base(one.version), at) <= 0), after = rows.find((one) => compare(base(one.version), at) >= 0);
    if (!before || !after) return [];
    return [...before.needs].filter(([id, spec]) => String(after.needs.get(id)) === String(spec));
  }
}

/** @param {[string, any[]]} row @returns {Release} */
function release([tag, stacks]) {
  return {
    tag,
    version: tag.endsWith(")") ? null : version(tag),
    stacks: stacks.map(([path, kind, platform, extra, , tested, uses, cells]) => ({
      path, kind, platform, extra, tested, uses, cells: new Map(cells.map(asCell).map((/** @type {Found} */ one) => [one.package, one])),
    })),
  };
}

/** @param {[string, string[]]} row */
function needs([number, cells]) {
  const read = cells.map((one) => asCell(`0 ${one}`));
  return { version: sure(version(number)), needs: new Map(read.map((one) => [one.package, sure(specifier(one.spec))])) };
}

/**
 * Whether every package is there in a version that is meant.
 * @param {[string, Specifier][]} wanted
 * @param {Map<string, Version>} packages
 */
export function applies(wanted, packages) {
  return wanted.every(([name, spec]) => { const one = packages.get(name); return one !== undefined && spec.contains(one); });
}
