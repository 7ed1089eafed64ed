/*
 * Words as Bash makes them: variables, defaults, arithmetic and arrays, split at spaces where nothing quotes them. The meaning is
 * defined in fieldguide/runtime/calculate/shell/words.py.
 */
import { counted } from "./arithmetic.js";
import { removed, replaced } from "./pattern.js";
import { isOpen, split, trimmed } from "./text.js";

/** @typedef {any[]} Shape */
/** @typedef {Shape[]} Word */
/** @typedef {string | string[]} Value */

const WHOLE = /^-?(?:0|[1-9][0-9]{0,15})$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const LONGEST = 100000;

/**
 * What is open, in one piece: no space of it ever ends a word.
 * @param {string} source
 */
function kept(source) { return source.replace(/[ \t\n]+/g, "\u00a0"); }

/* What a script knows at one of its places. */
export class Scope {
  constructor() {
    /** @type {Map<string, Value>} */
    this.variables = new Map();
    /** @type {string[] | null} those of a function that runs; the script's own nobody knows */
    this.given = null;
  }
}

/* Words in the making: `null` until something stands there. */
class Fields {
  constructor() {
    /** @type {string[]} */
    this.made = [];
    /** @type {string | null} */
    this.current = null;
  }

  /** @param {string} text */
  add(text) { this.current = (this.current ?? "") + text; }

  end() {
    if (this.current !== null) this.made.push(this.current);
    this.current = null;
  }

  /** @param {string} text */
  addSplit(text) {
    if (/^[ \t\n]/.test(text)) this.end();
    split(text).forEach((piece, at) => {
      if (at) this.end();
      this.add(piece);
    });
    if (/[ \t\n]$/.test(text)) this.end();
  }

  /**
   * @param {string[]} items
   * @param {boolean} quoted
   */
  addItems(items, quoted) {
    items.forEach((item, at) => {
      if (at) this.end();
      if (quoted) this.add(item); else this.addSplit(item);
    });
  }
}

export class Expander {
  /**
   * @param {Scope} scope what is known; `${X:=1}` writes into it
   * @param {(shapes: Shape[]) => string | null} run the output of a command that can be said without running it
   * @param {boolean} blank whether a variable that nobody sets is empty, as in a condition, and not open
   */
  constructor(scope, run, blank) {
    this.scope = scope;
    this.run = run;
    this.blank = blank;
  }

  /**
   * Words with what is not quoted split at spaces.
   * @param {Word[]} words
   */
  fields(words) {
    const made = new Fields();
    for (const word of words) {
      for (const part of word) this.add(made, part);
      made.end();
    }
    return made.made;
  }

  /**
   * One word that nothing splits.
   * @param {Word} word
   */
  text(word) {
    return word.map((part) => { const found = this.part(part); return typeof found === "string" ? found : found.join(" "); }).join("").slice(0, LONGEST);
  }

  /**
   * What a word stands for in arithmetic.
   * @param {Word} word
   */
  number(word) {
    let text = trimmed(this.text(word));
    if (NAME.test(text)) {
      const value = this.scope.variables.get(text);
      text = typeof value === "string" ? value : this.blank && value === undefined ? "0" : "";
    }
    return WHOLE.test(text) ? Number(text) : null;
  }

  /**
   * @param {Fields} made
   * @param {Shape} part
   */
  add(made, part) {
    const isPlain = part[0] === "text" || part[0] === "open", quoted = part[part.length - (isPlain ? 1 : 2)];
    const found = this.part(part);
    if (typeof found !== "string") made.addItems(found, quoted);
    else if (quoted || isPlain) made.add(found);
    else made.addSplit(found);
  }

  /**
   * @param {Shape} part
   * @returns {Value}
   */
  part(part) {
    const [kind, first] = part;
    if (kind === "text") return first;
    if (kind === "open") return kept(first);
    if (kind === "math") return String(counted(first, (word) => this.number(word)) ?? kept(part[3]));
    if (kind === "run") return this.run(first) ?? kept(part[3]);
    const [, name, index, prefix, operator, words, quoted, source] = part;
    const found = this.param(name, index, prefix, operator, words, kept(source));
    const isOne = quoted && (name === "*" || (index?.length === 1 && index[0][0] === "text" && index[0][1] === "*"));
    return isOne && typeof found !== "string" ? found.join(" ") : found;
  }

  /**
   * @param {string} name
   * @param {Word | null} index
   * @param {string} prefix
   * @param {string | null} operator
   * @param {Word[]} words
   * @param {string} source
   * @returns {Value}
   */
  param(name, index, prefix, operator, words, source) {
    const value = this.value(name, index), isUnknown = value === null || (typeof value === "string" && isOpen(value));
    if (prefix === "#" && operator === null) return isUnknown ? source : String(value.length);
    if (prefix) return source;
    if (operator === null) return this.plain(name, index, value, source);
    if (["-", "=", "+", "?"].includes(operator.replace(/^:+/, ""))) return this.fallback(name, value, operator, words, source);
    return isUnknown ? source : this.changed(value, operator, words, source);
  }

  /**
   * @param {string} name
   * @param {Word | null} index
   * @param {Value | null} value
   * @param {string} source
   * @returns {Value}
   */
  plain(name, index, value, source) {
    if (value !== null) return value;
    const isAll = index !== null && index.length === 1 && index[0][0] === "text" && /^[@*]$/.test(index[0][1]);
    if (name === "@" || name === "*" || isAll) return [];
    return this.blank && NAME.test(name) ? "" : source;
  }

  /**
   * null when it is not set.
   * @param {string} name
   * @param {Word | null} index
   * @returns {Value | null}
   */
  value(name, index) {
    const { given, variables } = this.scope;
    if (name === "@" || name === "*") return given && given.slice();
    if (name === "#") return given && String(given.length);
    if (/^[0-9]+$/.test(name)) return given === null || name === "0" ? null : given[Number(name) - 1] ?? "";
    const found = variables.get(name) ?? null;
    if (index === null) return Array.isArray(found) ? found[0] ?? "" : found;
    return this.item(name, found, this.text(index));
  }

  /**
   * @param {string} name
   * @param {Value | null} found
   * @param {string} key
   * @returns {Value | null}
   */
  item(name, found, key) {
    if (key === "@" || key === "*") return typeof found === "string" ? [found] : found;
    const own = this.scope.variables.get(`${name}[${key}]`);
    if (own !== undefined) return own;
    const at = this.number([["text", key, true]]);
    if (found === null || at === null) return null;
    return (Array.isArray(found) ? found : [found]).at(at) ?? "";
  }

  /**
   * @param {string} name
   * @param {Value | null} value
   * @param {string} operator
   * @param {Word[]} words
   * @param {string} source
   * @returns {Value}
   */
  fallback(name, value, operator, words, source) {
    const has = value !== null && (!operator.startsWith(":") || value.length > 0), kind = operator.at(-1);
    if (kind === "+") return has ? this.operand(words) : "";
    if (has) return value;
    if (kind === "?") return source;
    const made = this.operand(words);
    if (kind === "=" && typeof made === "string") this.scope.variables.set(name, made);
    return made;
  }

  /**
   * The word behind an operator; one that is an array stays one.
   * @param {Word[]} words
   * @returns {Value}
   */
  operand(words) {
    if (words.length === 1 && words[0].length === 1) return this.part(words[0][0]);
    return words.length ? this.text(words[0]) : "";
  }

  /**
   * @param {Value} value
   * @param {string} operator
   * @param {Word[]} words
   * @param {string} source
   * @returns {Value}
   */
  changed(value, operator, words, source) {
    const operands = words.map((word) => this.text(word));
    if (operands.some(isOpen)) return source;
    if (operator === ":") return this.slice(value, operands, source);
    const texts = [value].flat().map((one) => edited(one, operator, operands));
    if (texts.includes(null)) return source;
    const known = /** @type {string[]} */ (texts);
    return typeof value === "string" ? known[0] : known;
  }

  /**
   * @param {Value} value
   * @param {string[]} operands
   * @param {string} source
   * @returns {Value}
   */
  slice(value, operands, source) {
    const numbers = operands.map((one) => this.number([["text", one, true]]));
    if (!numbers.length || numbers.some((one) => one === null || one < 0)) return source;
    const [start, length] = numbers;
    return value.slice(start ?? 0, numbers.length > 1 ? (start ?? 0) + (length ?? 0) : value.length);
  }
}

/**
 * @param {string} text
 * @param {string} operator
 * @param {string[]} operands
 */
function edited(text, operator, operands) {
  if (["#", "##", "%", "%%"].includes(operator)) return removed(operator, operands[0] ?? "", text);
  if (operator === "/" || operator === "//") return replaced(operator, operands[0] ?? "", operands[1] ?? "", text);
  if ((operator === "^^" || operator === ",,") && !operands.join("")) return operator === "^^" ? text.toUpperCase() : text.toLowerCase();
  return null;
}
