/* An environment against the facts, as `fieldguide.runtime.doctor.judge` does it. */
import { number, platform } from "./environment.js";
import { HARMS, REQUIRES, applies } from "./facts.js";
import { repair } from "./repair.js";
import { compare, specifier, version } from "./version.js";
import { fits } from "./vocabulary.js";

const ENGINES = ["vllm", "sglang", "vllm-ascend"];
const KINDS = ["image", "ci", "script", "requires"];
const SETUP = ["setup.py", "pyproject.toml", "requirements.txt"];

/** @typedef {import("./facts.js").Facts} Facts */
/** @typedef {import("./facts.js").Stack} Stack */
/** @typedef {import("./facts.js").Release} Release */
/** @typedef {import("./environment.js").Environment} Environment */
/** @typedef {import("./version.js").Version} Version */
/** @typedef {import("./version.js").Specifier} Specifier */
/** @typedef {{ name: string, spec: Specifier, place: string }} Required */
/**
 * Something that is known to go wrong: a pair, or what a library needs of another.
 * @typedef {{ pair: import("./facts.js").Pair | null, harm: string, isConditional: boolean, packages: Record<string, string>,
 *   needs: [string, string, string] | null, repair: import("./repair.js").Repair | null }} Trouble
 */
/** @typedef {{ package: string, version: string, tested: [string, string] | null, required: [string, string] | null }} Outside */
/**
 * @typedef {{ environment: Environment, framework: import("./facts.js").Framework | null, installed: string, release: Release | null,
 *   isExact: boolean, stack: Stack | null, troubles: Trouble[], outside: Outside[], unknown: string[],
 *   fitting: { framework: string, release: string }[] }} Verdict
 */

/**
 * @param {Facts} facts
 * @param {Environment} environment
 * @returns {Verdict}
 */
export function judge(facts, environment) {
  const framework = facts.frameworks.find((one) => environment.packages.has(one.id)) ?? null;
  const there = framework ? environment.packages.get(framework.id) : undefined;
  const { release, isExact } = framework ? releaseOf(framework, there) : { release: null, isExact: false };
  /** @type {Map<string, Version>} */
  const packages = new Map();
  for (const [name, one] of environment.packages) {
    const found = number(one);
    if (found) packages.set(name, found);
  }
  const stack = release ? closest(release, environment, packages) : null;
  const troubles = [...pairs(facts, environment, packages), ...needs(facts, packages, stack)];
  const requires = release ? required(release, environment) : [];
  const names = new Set(facts.frameworks.map((one) => one.id));
  const ordered = troubles.map((one, at) => ({ one, rank: [...rank(one, names), at] })).sort((left, right) => order(left.rank, right.rank));
  return {
    environment, framework, installed: there?.version ?? "", release, isExact, stack,
    troubles: ordered.map(({ one }) => ({ ...one, repair: mended(one, facts, packages, requires, stack) })),
    outside: outside(environment, packages, stack, requires),
    unknown: [...environment.packages.keys()].filter((name) => !packages.has(name)),
    fitting: framework ? [] : fitting(facts, environment, packages),
  };
}

/**
 * What goes wrong with every model and setting, and does not only cost time.
 * @param {Trouble[]} troubles
 */
export function certain(troubles) { return troubles.filter((one) => !one.isConditional && one.harm !== HARMS.at(-1)); }

/**
 * 0 nothing speaks against it, 1 something known goes wrong, 3 not all could be judged, or it is not the tested set.
 * @param {Verdict} verdict
 */
export function code({ troubles, release, isExact, outside, unknown }) {
  if (certain(troubles).length) return 1;
  return release && isExact && !outside.length && !unknown.length ? 0 : 3;
}

/**
 * The release that is installed; of a version between releases the one it leads to, of a commit the newest.
 * @param {import("./facts.js").Framework} framework
 * @param {import("./environment.js").Installed | undefined} there
 */
function releaseOf({ releases }, there) {
  const found = number(there), last = releases.at(-1) ?? null;
  if (!found) return { release: there ? last : null, isExact: false };
  const exact = releases.find((one) => one.version && compare(one.version, found) === 0);
  const base = version(found.base);
  const later = releases.find((one) => !one.version || (base && compare(one.version, base) >= 0));
  return { release: exact ?? later ?? last, isExact: Boolean(exact) };
}

/**
 * @param {Release} release
 * @param {Environment} environment
 * @param {Map<string, Version>} packages
 */
function closest(release, environment, packages) {
  const engines = ENGINES.filter((name) => packages.has(name)), where = platform(environment);
  const ranked = release.stacks.filter((one) => one.platform === where && one.cells.size > 1).map((stack) => {
    const judged = [...stack.cells.values()].filter((cell) => packages.has(cell.package) && fits(cell));
    const agree = judged.filter((cell) => fits(cell)?.contains(/** @type {Version} */ (packages.get(cell.package)))).length;
    const isSameEngine = !engines.length || engines.some((name) => stack.cells.has(name));
    return {
      stack,
      rank: [
        Number(isSameEngine), Number(stack.kind !== REQUIRES), agree, agree - judged.length, Number(Boolean(stack.tested)), stack.uses,
        -KINDS.indexOf(stack.kind),
      ],
    };
  });
  return best(ranked);
}

/**
 * The set to take: what CI runs most, else an image, else a script, else what is required; the newest engine of several.
 * @param {Release} release
 * @param {string} where platform
 */
export function recommended(release, where) {
  return best(release.stacks.filter((one) => one.platform === where && one.cells.size > 1).map((stack) => {
    const specs = ENGINES.flatMap((name) => { const cell = stack.cells.get(name); return cell ? fits(cell)?.clauses ?? [] : []; });
    const pinned = specs.filter((one) => one.operator === "==").map((one) => version(one.text.replace(/\.\*$/, "")));
    const newest = pinned.reduce((most, one) => (one && (!most || compare(one, most) > 0) ? one : most), null);
    return { stack, rank: [stack.uses, -KINDS.indexOf(stack.kind), Number(Boolean(newest)), ...(newest?.key ?? []), stack.cells.size] };
  }));
}

/** @param {{ stack: Stack, rank: number[] }[]} ranked the first of the best */
function best(ranked) {
  return ranked.reduce((/** @type {{ stack: Stack, rank: number[] } | null} */ most, one) => (!most || order(one.rank, most.rank) > 0 ? one : most), null)
    ?.stack ?? null;
}

/**
 * @param {number[]} left
 * @param {number[]} right
 */
function order(left, right) {
  for (let at = 0; at < Math.min(left.length, right.length); at++) if (left[at] !== right[at]) return left[at] < right[at] ? -1 : 1;
  return left.length - right.length;
}

/**
 * @param {Facts} facts
 * @param {Environment} environment
 * @param {Map<string, Version>} packages
 * @returns {Trouble[]}
 */
function pairs(facts, environment, packages) {
  return facts.pairs
    .filter((pair) => applies(pair.packages, packages))
    .filter((pair) => !pair.absent.length || (environment.complete && pair.absent.every((name) => !environment.packages.has(name))))
    .map((pair) => ({
      pair, harm: pair.harm, isConditional: Boolean(pair.words.en[1]), needs: null, repair: null,
      packages: Object.fromEntries(pair.packages.map(([name]) => [name, String(packages.get(name))])),
    }));
}

/**
 * A library whose metadata asks for another version; what upstream itself puts together so is left alone.
 * @param {Facts} facts
 * @param {Map<string, Version>} packages
 * @param {Stack | null} stack
 */
function needs(facts, packages, stack) {
  /** @type {Trouble[]} */
  const troubles = [];
  for (const [of, found] of packages) {
    for (const [name, spec] of facts.needsOf(of, found)) {
      const there = packages.get(name);
      if (!there || spec.contains(there) || isSoUpstream(stack, [[of, found], [name, there]])) continue;
      const harm = name === "torch" && of !== "tensordict" ? "start" : "slow";
      troubles.push({
        pair: null, harm, isConditional: false, packages: { [of]: String(found), [name]: String(there) },
        needs: [of, name, String(spec)], repair: null,
      });
    }
  }
  return troubles;
}

/**
 * @param {Stack | null} stack
 * @param {[string, Version][]} both
 */
function isSoUpstream(stack, both) {
  return both.every(([name, one]) => { const cell = stack?.cells.get(name); return cell !== undefined && Boolean(fits(cell)?.contains(one)); });
}

/**
 * What always happens before what some runs meet, and of that the framework's own first; what costs time alone last.
 * @param {Trouble} trouble
 * @param {Set<string>} frameworks
 */
function rank(trouble, frameworks) {
  const group = trouble.harm === HARMS.at(-1) ? 2 : Number(trouble.isConditional);
  const isAbout = Object.keys(trouble.packages).some((name) => frameworks.has(name));
  return [group, Number(group === 1 && !isAbout), HARMS.indexOf(trouble.harm), Number(trouble.pair === null)];
}

/**
 * @param {Trouble} trouble
 * @param {Facts} facts
 * @param {Map<string, Version>} packages
 * @param {Required[]} requires
 * @param {Stack | null} stack
 */
function mended(trouble, facts, packages, requires, stack) {
  const needed = trouble.needs ? specifier(trouble.needs[2]) : null;
  const wanted = trouble.needs && needed ? { name: trouble.needs[1], spec: needed } : null;
  const first = trouble.pair?.repair[0];
  const one = wanted ?? (first ? { name: first[0], spec: first[1] } : null);
  return one ? repair(facts, packages, one.name, one.spec, requires, stack) : null;
}

/**
 * What pip holds the framework to: always, and of extras whose main package is there.
 * @param {Release} release
 * @param {Environment} environment
 * @returns {Required[]}
 */
function required(release, environment) {
  const where = platform(environment);
  return release.stacks
    .filter((one) => one.kind === REQUIRES && one.platform === where && SETUP.includes(one.path) && (!one.extra || environment.packages.has(one.extra)))
    .flatMap((one) => [...one.cells.values()].flatMap((cell) => {
      const spec = fits(cell);
      return spec ? [{ name: cell.package, spec, place: `${one.path}:${cell.line}` }] : [];
    }));
}

/**
 * @param {Environment} environment
 * @param {Map<string, Version>} packages
 * @param {Stack | null} stack
 * @param {Required[]} requires
 */
function outside(environment, packages, stack, requires) {
  /** @type {Map<string, [string, string]>} */
  const broken = new Map();
  for (const { name, spec, place } of requires) {
    const there = packages.get(name);
    if (there && !spec.contains(there)) broken.set(name, [String(spec), place]);
  }
  /** @type {Outside[]} */
  const found = [];
  for (const [name, one] of environment.packages) {
    const cell = stack?.cells.get(name), spec = cell ? fits(cell) : null, there = packages.get(name), required = broken.get(name) ?? null;
    if (stack && cell && spec && there && !spec.contains(there)) {
      found.push({ package: name, version: one.version, tested: [cell.ref || cell.spec, `${stack.path}:${cell.line}`], required });
    } else if (required && !spec) found.push({ package: name, version: one.version, tested: null, required });
  }
  return found;
}

/**
 * Releases with a set in which nothing that is there differs, the best first.
 * @param {Facts} facts
 * @param {Environment} environment
 * @param {Map<string, Version>} packages
 */
function fitting(facts, environment, packages) {
  const where = platform(environment), found = [];
  for (const framework of facts.frameworks) {
    for (const release of framework.releases.toReversed()) {
      const counts = release.stacks.filter((one) => one.kind !== REQUIRES && one.platform === where).map((one) => agreeing(one, packages));
      const count = Math.max(0, ...counts);
      if (count) found.push({ framework: framework.id, release: release.tag, count });
    }
  }
  return found.sort((left, right) => right.count - left.count).slice(0, 8).map(({ framework, release }) => ({ framework, release }));
}

/**
 * How many packages agree; 0 if one differs, or if it is one package that is no engine.
 * @param {Stack} stack
 * @param {Map<string, Version>} packages
 */
function agreeing(stack, packages) {
  const cells = [...stack.cells.values()].filter((cell) => packages.has(cell.package) && fits(cell));
  const isSame = cells.every((cell) => fits(cell)?.contains(/** @type {Version} */ (packages.get(cell.package))));
  return isSame && (cells.length > 1 || cells.some((cell) => ENGINES.includes(cell.package))) ? cells.length : 0;
}
