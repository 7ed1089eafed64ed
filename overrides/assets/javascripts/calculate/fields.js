/*
 * From what stands in a field to the value of an input, or to a word why not. The meaning is defined in
 * fieldguide/runtime/calculate/fields.py.
 */
import { stripped } from "../match/expression.js";

/** @typedef {import("./engine.js").Definition} Definition */
/** @typedef {import("./engine.js").Input} Input */
/** @typedef {import("./grammar.js").Grammar} Grammar */
/** @typedef {Record<string, string | number>} Fills what the words need */
/** @typedef {{ value: import("./expression.js").Value, problem: string | null, note: string | null, fills: Fills, devices: number[] | null }} Reading */

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
 * @param {Grammar} grammar
 * @param {Definition} definition
 * @param {Input} one
 * @param {string} written
 * @param {number} version
 */
export function readField(grammar, definition, one, written, version) {
  const text = stripped(written);
  if (grammar.search("unresolved", text)) return problem("calc_bad_reference", { text });
  if (one.kind === "flag") return flag(grammar, text);
  if (one.kind === "choice") return choice(definition, one, text, version);
  if (grammar.search("nothing", text)) return blank(one);
  const bare = unquoted(text);
  return grammar.search("listed", bare) ? listed(grammar, one, bare) : number(grammar, one, text);
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
 * @param {Grammar} grammar
 * @param {Input} one
 * @param {string} written
 */
function number(grammar, { least, most }, written) {
  if (grammar.search("power", written)) return problem("calc_bad_digits", { text: written });
  const text = grammar.search("pointZero", written) ? written.split(".")[0] : written;
  if (grammar.search("fraction", text)) return problem("calc_bad_fraction", { text });
  if (!grammar.search("whole", text)) return problem("calc_bad_number", { text });
  const value = Number(text);
  if (value < least) return problem("calc_bad_small", { least, text });
  if (value > most) return problem("calc_bad_large", { most, text });
  return reading(value + 0);
}

/**
 * @param {Grammar} grammar
 * @param {Input} one
 * @param {string} text
 */
function listed(grammar, { kind, least }, text) {
  const devices = readDevices(grammar, text);
  if (devices === null) return problem("calc_bad_list", { text });
  const count = devices.length;
  if (kind !== "devices") return problem("calc_bad_count", { count, text });
  if (!count) return problem("calc_bad_small", { least, text });
  return { ...reading(count, "calc_note_devices", { count }), devices };
}

/**
 * Numbers of GPUs, as `list(range(0, 8))`, `[0, 1]` or several with + between them; null for anything else.
 * @param {Grammar} grammar
 * @param {string} text
 */
export function readDevices(grammar, text) {
  const devices = [];
  for (const part of text.split("+").map(stripped)) {
    const span = grammar.search("range", part), items = grammar.search("items", part);
    if (span) {
      const [, first, end, step] = span, from = end === undefined ? 0 : Number(first);
      for (let at = from; at < Number(end ?? first); at += Number(step || 1)) devices.push(at);
    } else if (items) {
      devices.push(...(items[1] || "").split(",").filter(stripped).map(Number));
    } else {
      return null;
    }
  }
  return devices;
}

/**
 * @param {Grammar} grammar
 * @param {string} text
 */
function flag(grammar, text) {
  if (grammar.search("true", text)) return reading(true);
  return grammar.search("false", text) ? reading(false) : problem("calc_bad_flag", { text });
}

/**
 * @param {Definition} definition
 * @param {Input} one
 * @param {string} text
 * @param {number} version
 */
function choice({ versions }, one, text, version) {
  if (!text) return blank(one);
  const bare = unquoted(text), found = one.choices.find(({ value, also }) => value === bare || also.includes(bare));
  if (!found && one.others !== null) return reading(one.others, "calc_note_other", { text: bare });
  if (!found) return problem("calc_bad_choice", { text, choices: one.choices.map(({ value }) => value).join(", ") });
  if (version < found.since) return problem("calc_bad_since", { text: found.value, version: versions[found.since] });
  if (version > found.until) return problem("calc_bad_until", { text: found.value, version: versions[found.until] });
  return reading(found.value);
}
