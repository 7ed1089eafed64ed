/*
 * From a configuration file or a launch script to the texts of the fields. The meaning is defined in
 * fieldguide/runtime/calculate/settings.py.
 */
import { stripped } from "../match/expression.js";
import { readDevices } from "./fields.js";
import { closest } from "./slips.js";
import { split } from "./words.js";

/** @typedef {import("./engine.js").Definition} Definition */
/** @typedef {import("./grammar.js").Grammar} Grammar */
/** @typedef {Record<string, string>} Settings dotted name → value as text */

/* The text cannot be taken: `problem` names the words that say why. */
export class SettingsError extends Error {
  /**
   * @param {string} problem
   * @param {Record<string, string | number>} [fills]
   */
  constructor(problem, fills = {}) {
    super(problem);
    this.problem = problem;
    this.fills = fills;
  }
}

/**
 * What a text sets, references followed.
 * @param {Grammar} grammar
 * @param {string} text
 * @returns {Settings}
 */
export function readSettings(grammar, text) {
  if (!stripped(text)) throw new SettingsError("calc_paste_empty");
  const isScript = grammar.search("scriptLine", text), yamlLines = (text.match(grammar.all("yamlLine")) || []).length;
  if (isScript && yamlLines >= 2) throw new SettingsError("calc_paste_mixed");
  const settings = isScript || !yamlLines ? script(grammar, text) : yaml(grammar, text), pairs = Object.entries(settings);
  if (!pairs.length) throw new SettingsError("calc_paste_nothing");
  return Object.fromEntries(pairs.map(([name, value]) => [name, follow(grammar, value, settings)]));
}

/* ---- YAML ------------------------------------------------------------------------------------------------------------ */

/**
 * Every scalar as it is written: no schema, so that Python and JavaScript read the same.
 * @param {Grammar} grammar
 * @param {string} text
 * @returns {Settings}
 */
function yaml({ limits }, text) {
  const data = parsed(text);
  if (!isMapping(data)) throw new SettingsError("calc_paste_nothing");
  /** @type {Settings} */
  const settings = {};
  let count = 0; // what merges say again and again counts each time
  for (const [name, value] of flat("", data, limits.nested)) {
    if (++count > limits.most) throw new SettingsError("calc_paste_large", { most: limits.most });
    settings[name] = value;
  }
  return settings;
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parsed(text) {
  try {
    return jsyaml.load(text, { schema: jsyaml.FAILSAFE_SCHEMA, json: true });
  } catch (error) {
    const mark = error instanceof jsyaml.YAMLException ? error.mark : null;
    throw new SettingsError("calc_paste_yaml", { line: (mark ? mark.line : 0) + 1 });
  }
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isMapping(value) { return value !== null && typeof value === "object" && !Array.isArray(value); }

/**
 * @param {string} prefix
 * @param {unknown} value
 * @param {number} depth
 * @returns {Generator<[name: string, value: string]>}
 */
function* flat(prefix, value, depth) {
  if (depth < 0) return;
  if (!isMapping(value)) {
    yield [prefix, Array.isArray(value) ? `[${value.map((item) => (typeof item === "string" ? item : "…")).join(", ")}]` : String(value)];
    return;
  }
  for (const part of [value["<<"]].flat()) if (isMapping(part)) yield* flat(prefix, part, depth - 1);
  for (const [key, inner] of Object.entries(value)) {
    if (key !== "<<") yield* flat(prefix ? `${prefix}.${key}` : key, inner, depth - 1);
  }
}

/* ---- Scripts --------------------------------------------------------------------------------------------------------- */

/**
 * @param {Grammar} grammar
 * @param {string} text
 */
function script(grammar, text) {
  /** @type {Settings} */
  const variables = {};
  /** @type {Settings} */
  const settings = {};
  for (const written of commands(text)) {
    let words = written.map((word) => expand(grammar, word, variables)), assigned;
    while (words.length && (assigned = grammar.search("assigned", words[0]))) {
      const [, name, value] = assigned;
      variables[name] = value;
      // `rollout_batch_size=64` alone on a line is an override.
      if (words.length === 1 && grammar.search("lowerCase", name)) settings[name] = value;
      words = words.slice(1);
    }
    flags(grammar, words, settings);
  }
  return settings;
}

/**
 * Words of each line; a line that ends in a backslash or inside quotes goes on in the next.
 * @param {string} text
 */
function commands(text) {
  const found = [];
  let pending = "";
  for (const line of text.replace(/\\\r?\n/g, " ").split(/\r\n|\r|\n/)) {
    pending = pending ? `${pending}\n${line}` : line;
    const words = split(pending.replace(/=\(/g, "= ( "));
    if (words === null) continue;
    pending = "";
    const last = words.at(-1) || "";
    // The end of an array.
    if (last.split(")").length > last.split("(").length) words[words.length - 1] = last.replace(/\)$/, "");
    const telling = words.filter((word) => word !== "export" && word !== "(" && word !== ")");
    if (telling.length) found.push(telling);
  }
  return found;
}

/**
 * @param {Grammar} grammar
 * @param {string} word
 * @param {Settings} variables
 */
function expand(grammar, word, variables) {
  return word.replace(grammar.all("variable"), (all, braced, fallback, plain) => {
    const name = braced || plain;
    return Object.hasOwn(variables, name) ? variables[name] : fallback ?? all;
  });
}

/**
 * Add what flags and overrides among the words of a command set.
 * @param {Grammar} grammar
 * @param {string[]} words
 * @param {Settings} settings
 */
function flags(grammar, words, settings) {
  for (const [index, word] of words.entries()) {
    const following = words[index + 1] ?? "--", flag = grammar.search("flag", word), override = grammar.search("override", word);
    if (flag) {
      const bare = following.startsWith("--") || grammar.search("array", following) || grammar.separators.includes(following);
      settings[flag[1].replace(/-/g, "_")] = flag[2] ?? (bare ? "true" : following);
    } else if (override) {
      settings[override[1]] = override[2];
    }
  }
}

/**
 * ${a.b} replaced by what the text says about a.b; what it does not say stays.
 * @param {Grammar} grammar
 * @param {string} written
 * @param {Settings} settings
 */
function follow(grammar, written, settings) {
  const { depth, longest } = grammar.limits;
  let value = written;
  for (let i = 0; i < depth; i++) {
    const replaced = value.replace(grammar.all("reference"), (all, name) => (Object.hasOwn(settings, name) ? settings[name] : all));
    if (replaced === value || replaced.length > longest) break;
    value = replaced;
  }
  return value;
}

/* ---- Fields ---------------------------------------------------------------------------------------------------------- */

/**
 * The calculator that knows most of the names; null when none knows any.
 * @param {Record<string, Definition>} definitions
 * @param {Settings} settings
 */
export function guessFramework(definitions, settings) {
  let best = null, most = 0;
  for (const [framework, { inputs }] of Object.entries(definitions)) {
    const known = inputs.flatMap(({ paths }) => paths).filter((path) => Object.hasOwn(settings, path)).length;
    if (known > most) { most = known; best = framework; }
  }
  return best;
}

/**
 * Texts for the fields of one calculator, slips of the pen, and how many settings have no bearing.
 * @param {Grammar} grammar
 * @param {Definition} definition
 * @param {Settings} settings
 */
export function toFields(grammar, definition, settings) {
  /** @type {Settings} */
  const fields = {};
  const used = new Set(), names = Object.keys(settings);
  for (const one of definition.inputs) {
    for (const path of one.paths.filter((name) => Object.hasOwn(settings, name))) {
      fields[one.name] = settings[path];
      used.add(path);
    }
    for (const { found, value } of one.choices) {
      if (found && names.some((name) => name === found || name.startsWith(`${found}.`))) fields[one.name] = value;
    }
  }
  const paths = Array.from(new Set(definition.inputs.flatMap((one) => one.paths))).filter((path) => !used.has(path)).sort();
  const left = names.filter((name) => !used.has(name));
  const slips = Object.fromEntries(left.map((name) => [name, closest(name, paths)]).filter(([, meant]) => meant));
  return { fields: { ...fields, ...placement(grammar, definition, settings) }, slips, others: left.length - Object.keys(slips).length };
}

/**
 * Whether training and generation share GPUs, as far as the settings say.
 * @param {Grammar} grammar
 * @param {Definition} definition
 * @param {Settings} settings
 * @returns {Settings}
 */
function placement(grammar, { placement: stated }, settings) {
  if (!stated) return {};
  const listed = stated.listed === null ? undefined : settings[stated.listed];
  if (listed !== undefined) return { placement: listed.includes(String(stated.model)) ? "colocate" : "separate" };
  const [train, infer] = [stated.train, stated.infer].map((name) => readDevices(grammar, settings[name ?? ""] || "") || []);
  if (!train.length || !infer.length) return {};
  return { placement: train.some((device) => infer.includes(device)) ? "colocate" : "separate" };
}
