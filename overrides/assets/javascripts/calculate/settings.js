/*
 * From a configuration file or a launch script to the texts of the fields. The meaning is defined in
 * fieldguide/runtime/calculate/settings.py.
 */
import { stripped } from "../match/expression.js";
import { told } from "./choose.js";
import { readDevices } from "./fields.js";
import { addFlags, runWith, runsOf, stray } from "./launch.js";
import { closest } from "./slips.js";
import { split } from "./words.js";

/** @typedef {import("./engine.js").Definition} Definition */
/** @typedef {import("./grammar.js").Grammar} Grammar */
/** @typedef {import("./launch.js").Run} Run */
/** @typedef {import("./launch.js").Settings} Settings */
/** @typedef {{ runs: Run[], missing: string[], stray: string | null }} Pasted */
/** @typedef {(text: string) => import("./shell/script.js").Made} Shell */

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
 * What a text sets, references followed; `missing` are files that a script reads, `stray` settings that it passes to nothing.
 * @param {Grammar} grammar
 * @param {string} text YAML, override lines, a launch script, or YAML and a script one below the other
 * @param {Shell} shell goes through a script
 * @returns {Pasted}
 */
export function readText(grammar, text, shell) {
  if (!stripped(text)) throw new SettingsError("calc_paste_empty");
  const read = taken(grammar, text, shell);
  if (!read.runs.some(({ settings }) => Object.keys(settings).length)) throw new SettingsError("calc_paste_nothing");
  return { ...read, runs: read.runs.map((one) => ({ ...one, settings: allFollowed(grammar, one.settings) })) };
}

/**
 * @param {Grammar} grammar
 * @param {string} text
 * @param {Shell} shell
 * @returns {Pasted}
 */
function taken(grammar, text, shell) {
  const isYaml = grammar.search("yamlLine", text), whole = isYaml ? fileSettings(grammar, text) : {}, values = Object.values(whole);
  if (values.length) {
    const scripts = values.filter((one) => one.includes("\n") && grammar.search("scriptLine", one)).map((one) => script(grammar, one, shell));
    const runs = [runWith(whole, { isPartial: true }), ...scripts.flatMap((one) => one.runs)];
    return { runs, missing: scripts.flatMap((one) => one.missing), stray: null };
  }
  if (grammar.search("scriptLine", text)) return script(grammar, text, shell);
  return { runs: [isYaml ? runWith(yaml(grammar, text), { isPartial: true }) : runWith(lines(grammar, text))], missing: [], stray: null };
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

/**
 * The settings of a YAML file that a script names or writes; none where it is no such file.
 * @param {Grammar} grammar
 * @param {string} text
 * @returns {Settings}
 */
function fileSettings(grammar, text) {
  try {
    return yaml(grammar, text);
  } catch (error) {
    if (error instanceof SettingsError) return {};
    throw error;
  }
}

/* ---- Scripts --------------------------------------------------------------------------------------------------------- */

/**
 * @param {Grammar} grammar
 * @param {string} text
 * @param {Shell} shell
 * @returns {Pasted}
 */
function script(grammar, text, shell) {
  const [base, rest] = divided(grammar, text), made = gone(shell, rest);
  const runs = runsOf(grammar, made, (one) => fileSettings(grammar, one), base);
  return { runs, missing: made.missing, stray: stray(grammar, made) };
}

/**
 * What a script runs; nothing where it is nested without end, which nothing is that people run.
 * @param {Shell} shell
 * @param {string} text
 */
function gone(shell, text) {
  try {
    return shell(text);
  } catch (error) {
    if (error instanceof RangeError) throw new SettingsError("calc_paste_nothing");
    throw error;
  }
}

/**
 * Settings of YAML that stands before or behind a script, and the script.
 * @param {Grammar} grammar
 * @param {string} text
 * @returns {[base: Settings, script: string]}
 */
function divided(grammar, text) {
  const rows = text.split("\n"), starts = rows.flatMap((row, at) => (grammar.search("scriptLine", row) ? [at] : []));
  if (!starts.length) return [{}, text];
  let below = starts[starts.length - 1] + 1;
  while (below < rows.length && (/^(?:[ \t]|$)/.test(rows[below]) || !grammar.search("yamlLine", rows[below]))) below++;
  for (const [part, rest] of [[rows.slice(0, starts[0]), rows.slice(starts[0])], [rows.slice(below), rows.slice(0, below)]]) {
    const yamlText = part.join("\n");
    if ((yamlText.match(grammar.all("yamlLine")) || []).length < 2) continue;
    const read = fileSettings(grammar, yamlText);
    if (Object.keys(read).length) return [read, rest.join("\n")];
  }
  return [{}, text];
}

/**
 * Override lines and flags, each as a shell would split it but for its parentheses.
 * @param {Grammar} grammar
 * @param {string} text
 */
function lines(grammar, text) {
  /** @type {Settings} */
  const settings = {};
  let pending = "";
  for (const line of text.replace(/\\\r?\n/g, " ").split(/\r\n|\r|\n/)) {
    pending = pending ? `${pending}\n${line}` : line;
    const words = split(pending);
    if (words === null) continue;
    pending = "";
    addFlags(grammar, words, settings);
  }
  return settings;
}

/**
 * @param {Grammar} grammar
 * @param {Settings} settings
 */
function allFollowed(grammar, settings) {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, follow(grammar, value, settings)]));
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
    const choice = told(one, settings);
    if (choice !== null) fields[one.name] = choice;
    for (const path of one.paths.filter((name) => Object.hasOwn(settings, name))) {
      fields[one.name] = settings[path];
      used.add(path);
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
