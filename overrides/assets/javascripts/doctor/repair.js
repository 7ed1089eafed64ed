/* One line that repairs: a version that the trouble is over with, and that breaks no other pin. */
import { applies } from "./facts.js";
import { Specifier, compare, version } from "./version.js";
import { fits } from "./vocabulary.js";

/** @type {Record<string, string>} what pip calls a package, where it is another name than ours */
const PIP = { cudnn: "nvidia-cudnn-cu12", nccl: "nvidia-nccl-cu12", flashinfer: "flashinfer-python", transferqueue: "TransferQueue" };
const PLAIN = ["vllm", "sglang", "torch", "transformers", "ray", "tensordict", "deepspeed", "accelerate", "peft", "trl", "numpy", "transferqueue"];

/** @typedef {import("./version.js").Version} Version */
/** @typedef {{ line: string, package: string, version: string, isSound: boolean }} Repair */

/** @param {string} name */
function pipName(name) { return PIP[name] ?? name; }

/**
 * @param {import("./facts.js").Facts} facts
 * @param {Map<string, Version>} packages
 * @param {string} name
 * @param {Specifier} spec
 * @param {import("./judge.js").Required[]} requires
 * @param {import("./facts.js").Stack | null} stack
 * @returns {Repair}
 */
export function repair(facts, packages, name, spec, requires, stack) {
  const own = requires.filter((one) => one.name === name).map((one) => one.spec);
  if (!facts.known.get(name)?.length && !spec.clauses.some((one) => one.operator === "==")) {
    const clauses = [spec, ...own].flatMap((one) => one.clauses);
    const limits = String(new Specifier(clauses.filter((one, at) => clauses.findIndex((other) => other.operator === one.operator && other.text === one.text) === at)));
    return { line: `pip install "${pipName(name)}${limits}"`, package: name, version: limits, isSound: true };
  }
  const held = candidates(facts, name, spec, stack, packages.get(name)).filter((one) => own.every((limit) => limit.contains(one)));
  const sound = held.find((one) => !breaks(facts, new Map(packages).set(name, one), name, packages));
  const build = name === "flash-attn" ? " --no-build-isolation" : "";
  const wanted = sound ? `==${sound}` : String(spec);
  return { line: `pip install "${pipName(name)}${wanted}"${build}`, package: name, version: String(sound ?? spec), isSound: Boolean(sound) };
}

/**
 * Versions that the specifier allows: that of the tested set first, then those that are the smallest change.
 * @param {import("./facts.js").Facts} facts
 * @param {string} name
 * @param {Specifier} spec
 * @param {import("./facts.js").Stack | null} stack
 * @param {Version | undefined} there
 */
function candidates(facts, name, spec, stack, there) {
  const cell = stack?.cells.get(name);
  const known = (facts.known.get(name) ?? []).toSorted(compare);
  const found = there ? known.findIndex((one) => compare(one, there) >= 0) : 0, at = found < 0 ? known.length : found;
  const near = known.map((one, place) => ({ one, place }))
    .sort((left, right) => Math.abs(left.place - at) - Math.abs(right.place - at) || right.place - left.place).map(({ one }) => one);
  /** @type {Map<string, Version>} */
  const all = new Map();
  for (const text of [...((cell && fits(cell)?.exact) ?? []), ...spec.exact]) {
    const one = version(text);
    if (one && !all.has(one.key.join())) all.set(one.key.join(), one);
  }
  for (const one of there ? near : known.toReversed()) if (!all.has(one.key.join())) all.set(one.key.join(), one);
  return [...all.values()].filter((one) => spec.contains(one));
}

/**
 * Whether a version makes a trouble that was not there: a pair, or what a library needs of another.
 * @param {import("./facts.js").Facts} facts
 * @param {Map<string, Version>} after
 * @param {string} name
 * @param {Map<string, Version>} before
 */
function breaks(facts, after, name, before) {
  const isPaired = facts.pairs.some((pair) => !pair.absent.length && pair.packages.some(([one]) => one === name) &&
    applies(pair.packages, after) && !applies(pair.packages, before));
  return isPaired || [...after].some(([of, one]) => facts.needsOf(of, one).some(([wanted, spec]) => {
    const there = after.get(wanted);
    return there !== undefined && (name === of || name === wanted) && !spec.contains(there) && wasMet(facts, before, of, wanted);
  }));
}

/**
 * What is broken already is no reason against a repair.
 * @param {import("./facts.js").Facts} facts
 * @param {Map<string, Version>} before
 * @param {string} of
 * @param {string} wanted
 */
function wasMet(facts, before, of, wanted) {
  const one = before.get(of), there = before.get(wanted);
  return !one || facts.needsOf(of, one).every(([name, spec]) => name !== wanted || !there || spec.contains(there));
}

/**
 * The pins of a set that pip can install, as one line; empty if it has none.
 * @param {import("./facts.js").Stack} stack
 */
export function installLine(stack) {
  const pins = PLAIN.flatMap((name) => {
    const cell = stack.cells.get(name);
    return cell?.spec && !cell.ref ? [`"${pipName(name)}${cell.spec}"`] : [];
  });
  return pins.length ? `pip install ${pins.join(" ")}` : "";
}
