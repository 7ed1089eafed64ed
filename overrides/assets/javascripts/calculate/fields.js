/*
 * From what stands in a field to the value of an input, or to a word why not. The meaning is defined in
 * fieldguide/runtime/calculate/fields.py.
 */
import { LARGEST_INPUT } from "./engine.js";

/** @typedef {import("./engine.js").Definition} Definition */
/** @typedef {import("./engine.js").Input} Input */
/** @typedef {Record<string, string | number>} Fills what the words need */
/** @typedef {{ value: import("./expression.js").Value, problem: string | null, note: string | null, fills: Fills, devices: number[] | null }} Reading */

const WHOLE = /^[+-]?[0-9]{1,30}$/;
const POINT_ZERO = /^[+-]?[0-9]+\.0*$/;
const FRACTION = /^[+-]?[0-9]*\.[0-9]+$/;
const POWER = /^[+-]?[0-9.]+(?:[eE]\+?[0-9]+|\s*(?:\^|\*\*)\s*[0-9]+)$|^[0-9]{1,3}(?:[,_][0-9]{3})+$/;
const NOTHING = /^(?:none|null|~)?$/i;
const TRUE = /^(?:true|yes|on|1)$/i;
const FALSE = /^(?:false|no|off|0|none|null)?$/i;
const LISTED = /^(?:list\(\s*range\([^]*|range\([^]*|\[[^]*)$/;
const RANGE = /^(?:list\(\s*)?range\(\s*([0-9]{1,6})\s*(?:,\s*([0-9]{1,6})\s*)?(?:,\s*([1-9][0-9]{0,5})\s*)?\)\s*\)?$/;
const ITEMS = /^\[\s*([0-9]{1,6}(?:\s*,\s*[0-9]{1,6})*)?\s*,?\s*\]$/;

/**
 * @param {import("./expression.js").Value} value
 * @param {string | null} [note]
 * @param {Fills} [fills]
 * @returns {Reading}
 */
function reading(value, note = null, fills = {}) { return { value, problem: null, note, fills, devices: null }; }

/**
 * @param {string} name
 * @param {Fills} [fills]
 * @returns {Reading}
 */
function problem(name, fills = {}) { return { value: null, problem: name, note: null, fills, devices: null }; }

/**
 * @param {Definition} definition
 * @param {Input} one
 * @param {string} written
 * @param {number} version
 */
export function readField(definition, one, written, version) {
  const text = written.trim();
  if (text.includes("${") || /^\$[A-Za-z_]/.test(text)) return problem("calc_bad_reference", { text });
  if (one.kind === "flag") return flag(text);
  if (one.kind === "choice") return choice(definition, one, text, version);
  if (NOTHING.test(text)) return blank(one);
  const bare = unquoted(text);
  return LISTED.test(bare) ? listed(one, bare) : number(one, text);
}

/** @param {string} text */
function unquoted(text) { return text.replace(/^["']+|["']+$/g, ""); }

/** @param {Input} one */
function blank(one) {
  if (one.optional) return reading(null);
  if (one.required) return problem("calc_bad_required");
  return reading(one.default ?? null, "calc_note_default", { default: String(one.default) });
}

/**
 * @param {Input} one
 * @param {string} written
 */
function number({ least }, written) {
  if (POWER.test(written)) return problem("calc_bad_digits", { text: written });
  const text = POINT_ZERO.test(written) ? written.split(".")[0] : written;
  if (FRACTION.test(text)) return problem("calc_bad_fraction", { text });
  if (!WHOLE.test(text)) return problem("calc_bad_number", { text });
  const value = Number(text);
  if (value < least) return problem("calc_bad_small", { least, text });
  if (value > LARGEST_INPUT) return problem("calc_bad_large", { most: LARGEST_INPUT, text });
  return reading(value + 0);
}

/**
 * @param {Input} one
 * @param {string} text
 */
function listed({ kind, least }, text) {
  const devices = readDevices(text);
  if (devices === null) return problem("calc_bad_list", { text });
  const count = devices.length;
  if (kind !== "devices") return problem("calc_bad_count", { count, text });
  if (!count) return problem("calc_bad_small", { least, text });
  return { ...reading(count, "calc_note_devices", { count }), devices };
}

/**
 * Numbers of GPUs, as `list(range(0, 8))`, `[0, 1]` or several with + between them; null for anything else.
 * @param {string} text
 */
export function readDevices(text) {
  const devices = [];
  for (const part of text.split("+").map((one) => one.trim())) {
    const span = RANGE.exec(part), items = ITEMS.exec(part);
    if (span) {
      const [, first, end, step] = span, from = end === undefined ? 0 : Number(first);
      for (let at = from; at < Number(end ?? first); at += Number(step || 1)) devices.push(at);
    } else if (items) {
      devices.push(...(items[1] || "").split(",").filter((item) => item.trim()).map(Number));
    } else {
      return null;
    }
  }
  return devices;
}

/** @param {string} text */
function flag(text) {
  if (TRUE.test(text)) return reading(true);
  return FALSE.test(text) ? reading(false) : problem("calc_bad_flag", { text });
}

/**
 * @param {Definition} definition
 * @param {Input} one
 * @param {string} text
 * @param {number} version
 */
function choice({ versions }, one, text, version) {
  if (!text) return blank(one);
  const found = one.choices.find(({ value }) => value === unquoted(text));
  if (!found) return problem("calc_bad_choice", { text, choices: one.choices.map(({ value }) => value).join(", ") });
  if (version < found.since) return problem("calc_bad_since", { text: found.value, version: versions[found.since] });
  if (version > found.until) return problem("calc_bad_until", { text: found.value, version: versions[found.until] });
  return reading(found.value);
}
