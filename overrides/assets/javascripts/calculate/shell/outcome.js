/* Conditions that may be open, what branches leave, and scripts inside commands. The meaning is defined in fieldguide/runtime/calculate/shell/script.py. */
import { matches } from "./pattern.js";
import { split } from "./text.js";

/** @typedef {import("./words.js").Value} Value */
/** @typedef {boolean | null} Truth null: nobody knows without running it */

export const TRUTHS = new Map([["true", true], [":", true], ["false", false], ["export", true], ["set", true], ["echo", true]]);
const SHELLS = new Set(["bash", "sh", "/bin/bash", "/bin/sh", "/usr/bin/bash"]);
const LAUNCHER = /RANK|SLURM|SKYPILOT|KUBERNETES|WORLD_SIZE|NODE_ID|NODE_INDEX/;
const UNKNOWN = "${?}";
const WHOLE = /^-?[0-9]{1,15}$/;

/** @param {Truth} truth */
export function opposite(truth) { return truth === null ? null : !truth; }

/**
 * @param {boolean} all
 * @param {Truth} a
 * @param {Truth} b
 */
export function both(all, a, b) {
  if (a === !all || b === !all) return !all;
  return a === null || b === null ? null : all;
}

/**
 * @param {string} operator
 * @param {string} a
 * @param {string} b
 * @returns {Truth}
 */
export function compared(operator, a, b) {
  if (operator === "=" || operator === "==" || operator === "!=") return matches(b, a) === (operator !== "!=");
  if (!WHOLE.test(a) || !WHOLE.test(b)) return null;
  const order = Math.sign(Number(a) - Number(b));
  /** @type {Record<string, boolean>} */
  const found = { "-eq": order === 0, "-ne": order !== 0, "-lt": order < 0, "-le": order <= 0, "-gt": order > 0, "-ge": order >= 0 };
  return found[operator] ?? null;
}

/**
 * What two branches leave: the same where they agree, and open where they do not.
 * @param {Map<string, Value>} a
 * @param {Map<string, Value>} b
 */
export function merged(a, b) {
  return new Map([...a.keys(), ...b.keys()].map((name) => [name, eitherOf(name, a.get(name), b.get(name))]));
}

/**
 * @param {string} name
 * @param {Value | undefined} one
 * @param {Value | undefined} other
 * @returns {Value}
 */
function eitherOf(name, one, other) {
  if (one !== undefined && JSON.stringify(one) === JSON.stringify(other)) return one;
  const isArray = Array.isArray(one) || Array.isArray(other);
  const [left, right] = [one, other].map((value) => (Array.isArray(value) ? value : split(value ?? "")));
  if (!isArray && left.length < 2 && right.length < 2) return `$${name}`;
  let shared = 0;
  while (shared < Math.min(left.length, right.length) && left[shared] === right[shared]) shared++;
  const rest = Array.from(new Set([...left.slice(shared), ...right.slice(shared)].map(leftOpen).filter((word) => word !== null)));
  const made = [...left.slice(0, shared), ...rest];
  if (isArray) return made;
  return rest.length ? made.join(" ") : `$${name}`;
}

/**
 * A setting with its value open; null for a word that sets nothing by itself.
 * @param {string} word
 */
function leftOpen(word) {
  const [name] = word.split("=", 1);
  return word.includes("=") || name.startsWith("--") ? `${name}=${UNKNOWN}` : null;
}

/**
 * The script of `bash -c '…'`, wherever it stands in a command.
 * @param {string[]} made
 */
export function inner(made) {
  const at = made.findIndex((word, i) => i < made.length - 2 && SHELLS.has(word) && /^-[a-z]*c$/.test(made[i + 1]));
  return at < 0 ? null : made[at + 2];
}

/**
 * Whether a word is about what a cluster's launcher sets: which node this is, and of how many.
 * @param {import("./words.js").Word} word
 * @param {import("./words.js").Scope} scope
 */
export function waits(word, { variables }) { return word.some(([kind, name]) => kind === "param" && LAUNCHER.test(name) && !variables.has(name)); }
