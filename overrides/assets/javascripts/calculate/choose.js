/* Whose settings a text holds, and whether the rules are about them. The meaning is defined in fieldguide/runtime/calculate/settings.py. */
import { matches } from "./shell/pattern.js";
import { isOpen } from "./shell/text.js";

/** @typedef {import("./engine.js").Definition} Definition */
/** @typedef {import("./launch.js").Run} Run */
/** @typedef {import("./launch.js").Settings} Settings */
/** @typedef {import("./settings.js").Pasted} Pasted */

const ANY = "*"; // among the programs that rules are about: every one that is not among the others

/**
 * The command that sets most of the names that a calculator knows, and that calculator; null when none knows any.
 * @param {Record<string, Definition>} definitions
 * @param {Pasted} pasted
 * @returns {[framework: string | null, run: Run]}
 */
export function choose(definitions, { runs }) {
  /** @type {string | null} */
  let best = null;
  let most = 0, [chosen] = runs;
  for (const run of runs) {
    for (const [framework, definition] of Object.entries(definitions)) {
      const known = definition.inputs.flatMap(({ paths }) => paths).filter((path) => Object.hasOwn(run.settings, path)).length
        + 2 * Number(isForeign(definition, run.settings)) + Number(isStarted(definition, run.program));
      if (known > most) { most = known; best = framework; chosen = run; }
    }
  }
  return [best, chosen];
}

/**
 * Whether a dotted name is that place, or stands below it.
 * @param {string} name
 * @param {string} place
 */
function isBelow(name, place) { return name === place || name.startsWith(`${place}.`); }

/**
 * Whether a configuration says that a command line completes it, as Hydra's do.
 * @param {Definition} definition
 * @param {Settings} settings
 */
export function isCompleted({ completed }, settings) { return Object.keys(settings).some((name) => completed.some((one) => isBelow(name, one))); }

/**
 * Whether a program is one of the framework's.
 * @param {Definition} definition
 * @param {string | null} program
 */
function isStarted({ programs, others }, program) { return program !== null && isOne(program, [...programs, ...others]); }

/**
 * @param {string} program
 * @param {string[]} patterns
 */
function isOne(program, patterns) { return patterns.some((one) => one !== ANY && matches(one, program)); }

/**
 * Whether a configuration is that of another program of the framework.
 * @param {Definition} definition
 * @param {Settings} settings
 */
function isForeign({ unless }, settings) {
  return Object.keys(settings).some((name) => unless.some((one) => matches(one, name) || isBelow(name, one)));
}

/**
 * Whether the rules of a calculator are about what is started; so they are where nothing says what it is.
 * @param {Definition} definition
 * @param {Run} run
 */
export function isAbout(definition, { program, settings }) {
  if (isForeign(definition, settings)) return false;
  if (program === null || isOpen(program) || isOne(program, definition.programs)) return true;
  return definition.programs.includes(ANY) && !isOne(program, definition.others);
}

/**
 * The choice that other settings tell: by a value, `name=value`, or by the beginning of their names.
 * @param {import("./engine.js").Input} input
 * @param {Settings} settings
 */
export function told({ choices }, settings) {
  const names = Object.keys(settings);
  const byValue = choices.find(({ found }) => found.some((one) => one.includes("=") && settings[one.split("=", 1)[0]] === one.slice(one.indexOf("=") + 1)));
  const byName = () => choices.find(({ found }) => found.some((one) => !one.includes("=") && names.some((name) => isBelow(name, one))));
  return (byValue ?? byName())?.value ?? null;
}
