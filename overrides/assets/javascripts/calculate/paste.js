/*
 * From a configuration file or a launch script to the texts of the fields. The meaning is defined in
 * fieldguide/runtime/calculate/settings.py.
 */
import { readDevices } from "./fields.js";
import { closest } from "./slips.js";
import { split } from "./words.js";

/** @typedef {import("./engine.js").Definition} Definition */
/** @typedef {Record<string, string>} Settings dotted name → value as text */

const YAML_LINE = /^[^\S\n]*(?:- )?[A-Za-z_][\w.-]*:(?:\s|$)/gm;
const SCRIPT_LINE = /^\s*(?:#!|--[A-Za-z][\w-]|export\s+\w|set -|source\s|(?:python3?|ray|bash|torchrun)\s|[A-Za-z_]\w*=\()/m;
const OVERRIDE = /^\+{0,2}([A-Za-z_]\w*(?:\.\w+)+|[a-z]\w*)=([^]*)$/;
const ASSIGNED = /^(?:export\s+)?([A-Za-z_]\w*)=([^]*)$/;
const FLAG = /^--([A-Za-z][\w-]*)(?:=([^]*))?$/;
const VARIABLE = /\$\{(\w+)(?::?-([^}]*))?\}|\$(\w+)/g;
const REFERENCE = /\$\{([\w.]+)\}/g;
const ARRAY = /^\$\{\w+\[[@*]\]\}$/;
const SEPARATORS = ["&&", "||", "|", ";", "&"];
// References are followed this far, and nesting and the number of settings end here: a few lines of YAML can hold millions.
const DEPTH = 10, NESTED = 40, MOST = 20000, LONGEST = 10000;

/* The text cannot be taken: `problem` names the words that say why. */
export class PasteError extends Error {
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
 * @param {string} text
 * @returns {Settings}
 */
export function readPaste(text) {
  if (!text.trim()) throw new PasteError("calc_paste_empty");
  const isScript = SCRIPT_LINE.test(text), yamlLines = (text.match(YAML_LINE) || []).length;
  if (isScript && yamlLines >= 2) throw new PasteError("calc_paste_mixed");
  const settings = isScript || !yamlLines ? script(text) : yaml(text), pairs = Object.entries(settings);
  if (!pairs.length) throw new PasteError("calc_paste_nothing");
  return Object.fromEntries(pairs.map(([name, value]) => [name, follow(value, settings)]));
}

/* ---- YAML ------------------------------------------------------------------------------------------------------------ */

/**
 * Every scalar as it is written: no schema, so that Python and JavaScript read the same.
 * @param {string} text
 * @returns {Settings}
 */
function yaml(text) {
  const data = parsed(text);
  if (!isMapping(data)) throw new PasteError("calc_paste_nothing");
  /** @type {Settings} */
  const settings = {};
  let count = 0; // what merges say again and again counts each time
  for (const [name, value] of flat("", data, 0)) {
    if (++count > MOST) throw new PasteError("calc_paste_large", { most: MOST });
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
    throw new PasteError("calc_paste_yaml", { line: (mark ? mark.line : 0) + 1 });
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
  if (depth > NESTED) return;
  if (!isMapping(value)) {
    yield [prefix, Array.isArray(value) ? `[${value.map((item) => (typeof item === "string" ? item : "…")).join(", ")}]` : String(value)];
    return;
  }
  for (const part of [value["<<"]].flat()) if (isMapping(part)) yield* flat(prefix, part, depth + 1);
  for (const [key, inner] of Object.entries(value)) {
    if (key !== "<<") yield* flat(prefix ? `${prefix}.${key}` : key, inner, depth + 1);
  }
}

/* ---- Scripts --------------------------------------------------------------------------------------------------------- */

/** @param {string} text */
function script(text) {
  /** @type {Settings} */
  const variables = {};
  /** @type {Settings} */
  const settings = {};
  for (const written of commands(text)) {
    let words = written.map((word) => expand(word, variables)), assigned;
    while (words.length && (assigned = ASSIGNED.exec(words[0]))) {
      const [, name, value] = assigned;
      variables[name] = value;
      // `rollout_batch_size=64` alone on a line is an override.
      if (words.length === 1 && /^[a-z]/.test(name)) settings[name] = value;
      words = words.slice(1);
    }
    flags(words, settings);
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
 * @param {string} word
 * @param {Settings} variables
 */
function expand(word, variables) {
  return word.replace(VARIABLE, (all, braced, fallback, plain) => {
    const name = braced || plain;
    return Object.hasOwn(variables, name) ? variables[name] : fallback ?? all;
  });
}

/**
 * Add what flags and overrides among the words of a command set.
 * @param {string[]} words
 * @param {Settings} settings
 */
function flags(words, settings) {
  for (const [index, word] of words.entries()) {
    const following = words[index + 1] ?? "--", flag = FLAG.exec(word), override = OVERRIDE.exec(word);
    if (flag) {
      const bare = following.startsWith("--") || ARRAY.test(following) || SEPARATORS.includes(following);
      settings[flag[1].replace(/-/g, "_")] = flag[2] ?? (bare ? "true" : following);
    } else if (override) {
      settings[override[1]] = override[2];
    }
  }
}

/**
 * ${a.b} replaced by what the text says about a.b; what it does not say stays.
 * @param {string} written
 * @param {Settings} settings
 */
function follow(written, settings) {
  let value = written;
  for (let i = 0; i < DEPTH; i++) {
    const replaced = value.replace(REFERENCE, (all, name) => (Object.hasOwn(settings, name) ? settings[name] : all));
    if (replaced === value || replaced.length > LONGEST) break;
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
 * @param {Definition} definition
 * @param {Settings} settings
 */
export function toFields(definition, settings) {
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
  return { fields: { ...fields, ...placement(definition, settings) }, slips, others: left.length - Object.keys(slips).length };
}

/**
 * Whether training and generation share GPUs: ROLL says it by GPU numbers, ChatLearn by a list of models.
 * @param {Definition} definition
 * @param {Settings} settings
 * @returns {Settings}
 */
function placement({ inputs }, settings) {
  if (!inputs.some(({ name }) => name === "placement")) return {};
  const colocated = settings["runtime_args.colocation"];
  if (colocated !== undefined) return { placement: colocated.includes("policy_trainer") ? "colocate" : "separate" };
  const [train, infer] = ["actor_train", "actor_infer"].map((role) => readDevices(settings[`${role}.device_mapping`] || "") || []);
  if (!train.length || !infer.length) return {};
  return { placement: train.some((device) => infer.includes(device)) ? "colocate" : "separate" };
}
