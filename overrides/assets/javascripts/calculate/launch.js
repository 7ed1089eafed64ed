/* From the commands of a launch script to what each of them sets. The meaning is defined in fieldguide/runtime/calculate/launch.py. */

import { plain, split } from "./shell/text.js";

/** @typedef {import("./grammar.js").Grammar} Grammar */
/** @typedef {import("./shell/script.js").Made} Made */
/** @typedef {Record<string, string>} Settings dotted name → value as text */
/** @typedef {{ program: string | null, settings: Settings, missing: string[], isPartial: boolean }} Run what one command, or a configuration without one, sets */
/** @typedef {(text: string) => Settings} ReadYaml */

/**
 * @param {Settings} settings
 * @param {Partial<Run>} [more]
 * @returns {Run}
 */
export function runWith(settings, more = {}) { return { program: null, settings, missing: [], isPartial: false, ...more }; }

/**
 * One for each command that sets something, and one for settings that stand alone on their lines, if there is no other.
 * @param {Grammar} grammar
 * @param {Made} made
 * @param {ReadYaml} readYaml
 * @param {Settings} base settings of a configuration that was pasted with the script
 */
export function runsOf(grammar, made, readYaml, base) {
  /** @type {Run[]} */
  const found = [];
  /** @type {Settings} */
  const loose = {};
  const isStarted = made.commands.some((words) => program(words) !== null);
  for (const words of made.commands) {
    const started = program(words);
    if (started === null && isSetting(grammar, words[0])) {
      if (!isStarted) addFlags(grammar, words, loose);
    } else if (started || words.some((word) => isSetting(grammar, word))) {
      found.push(command(grammar, made, readYaml, base, started, words));
    }
  }
  const written = found.length ? {} : assigned(grammar, made.variables), own = { ...written, ...loose };
  if (Object.keys(own).length) found.push(runWith({ ...base, ...own }));
  if (!found.some((one) => one.program)) {
    for (const text of made.files.values()) {
      const read = readYaml(text);
      if (Object.keys(read).length) found.push(runWith({ ...base, ...read }));
    }
    if (Object.keys(base).length && !found.length) found.push(runWith(base));
  }
  return found;
}

/**
 * Settings that are a command of their own beside one that starts a program: the line before lacks its backslash.
 * @param {Grammar} grammar
 * @param {Made} made
 */
export function stray(grammar, { commands }) {
  if (!commands.some((words) => program(words) !== null)) return null;
  return commands.find((words) => isSetting(grammar, words[0]) && program(words) === null)?.[0] ?? null;
}

/**
 * @param {Grammar} grammar
 * @param {Made} made
 * @param {ReadYaml} readYaml
 * @param {Settings} base
 * @param {string | null} started
 * @param {string[]} words
 */
function command(grammar, made, readYaml, base, started, words) {
  /** @type {Settings} */
  const own = {};
  addFlags(grammar, words, own);
  const settings = { ...base }, missing = [];
  for (const [names, isNeeded] of configs(grammar, own)) {
    const text = names.map((name) => file(made, name)).find((one) => one !== null);
    if (typeof text === "string") Object.assign(settings, readYaml(text));
    else if (isNeeded && !Object.keys(base).length) missing.push(plain(names[0]));
  }
  return runWith({ ...settings, ...own }, { program: started, missing });
}

/** @param {string} path */
function lastName(path) { return path.slice(path.lastIndexOf("/") + 1); }

/**
 * What the script itself wrote under that name.
 * @param {Made} made
 * @param {string} name
 */
function file({ files }, name) {
  const own = files.get(name);
  if (own !== undefined) return own;
  const same = Array.from(files).filter(([other]) => lastName(other) === lastName(name));
  return same.length === 1 ? same[0][1] : null;
}

/**
 * Names of each configuration file that a command asks for, and whether its absence leaves settings open.
 * @param {Grammar} grammar
 * @param {Settings} settings
 * @returns {Generator<[names: string[], isNeeded: boolean]>}
 */
function* configs({ configFiles, configNames }, settings) {
  const value = (/** @type {string} */ name) => (Object.hasOwn(settings, name) ? settings[name] : "");
  for (const name of configFiles.map(value)) if (/\.ya?ml$/.test(name)) yield [[name], true];
  for (const [pathFlag, nameFlag, own] of configNames) {
    const name = value(nameFlag), path = value(pathFlag);
    if (!name) continue;
    const full = /\.ya?ml$/.test(name) ? name : `${name}.yaml`;
    yield [[path ? `${path}/${full}` : full, full], !(own && !/^[/$]/.test(path))];
  }
}

/**
 * The module behind `-m`, or the first script of Python.
 * @param {string[]} words
 */
function program(words) {
  for (const [at, word] of words.entries()) {
    if (word === "-m" && at && at + 1 < words.length) return words[at + 1];
    if (word.endsWith(".py")) return word;
  }
  return null;
}

/**
 * @param {Grammar} grammar
 * @param {string} word
 */
function isSetting(grammar, word) { return Boolean(grammar.search("flag", word) || grammar.search("override", word)); }

/**
 * Where nothing is started, `rollout_batch_size=64` alone on a line is an override, and variables hold what would be passed.
 * @param {Grammar} grammar
 * @param {Map<string, string | string[]>} variables
 */
function assigned(grammar, variables) {
  /** @type {Settings} */
  const found = {};
  for (const [name, value] of variables) {
    addFlags(grammar, typeof value === "string" ? split(value) : value, found);
    if (typeof value === "string" && grammar.search("lowerCase", name)) found[name] = plain(value);
  }
  return found;
}

/**
 * Add what flags and overrides among the words of a command set.
 * @param {Grammar} grammar
 * @param {string[]} written
 * @param {Settings} settings
 */
export function addFlags(grammar, written, settings) {
  const words = written.map(plain);
  for (const [index, word] of words.entries()) {
    const following = words[index + 1] ?? "--", flag = grammar.search("flag", word), override = grammar.search("override", word);
    if (flag) {
      const isBare = following.startsWith("--") || grammar.separators.includes(following);
      settings[flag[1].replace(/-/g, "_")] = flag[2] ?? (isBare ? "true" : following);
    } else if (override) {
      settings[override[1]] = override[2];
    }
  }
}
