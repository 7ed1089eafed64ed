/*
 * What a script would run: its commands with every word worked out, branch by branch, as far as the text itself says. The meaning
 * is defined in fieldguide/runtime/calculate/shell/script.py.
 */
import { counted } from "./arithmetic.js";
import { matches } from "./pattern.js";
import { TRUTHS, both, compared, inner, merged, opposite, waits } from "./outcome.js";
import { isOpen, plain, trimmed } from "./text.js";
import { Expander, LONGEST, Scope } from "./words.js";

/** @typedef {any[]} Shape */
/** @typedef {Shape[]} Word */
/** @typedef {import("./words.js").Value} Value */
/** @typedef {import("./outcome.js").Truth} Truth */
/** @typedef {{ commands: string[][], files: Map<string, string>, missing: string[], variables: Map<string, Value> }} Made what a script runs */

const STEPS = 20000;
const ROUNDS = 64;
const DEPTH = 12;
const QUIET = new Set(["true", ":", "export", "set", "echo", "shopt", "ulimit", "printf", "sleep", "mkdir", "cd", "pushd", "popd"]);

/**
 * Go through a script; no file that it reads is at hand in a browser.
 * @param {string} text
 * @param {(text: string) => Shape[]} parse
 * @returns {Made}
 */
export function run(text, parse) {
  const runner = new Runner(parse);
  runner.statements(parse(text));
  runner.made.variables = runner.scope.variables;
  return runner.made;
}

class Runner {
  /** @param {(text: string) => Shape[]} parse */
  constructor(parse) {
    this.parse = parse;
    /** @type {Made} */
    this.made = { commands: [], files: new Map(), missing: [], variables: new Map() };
    this.scope = new Scope();
    /** @type {Map<string, Shape[]>} */
    this.functions = new Map();
    this.steps = 0;
    this.depth = 0;
  }

  /* ---- Statements ---------------------------------------------------------------------------------------------------- */

  /** @param {Shape[]} shapes */
  statements(shapes) {
    /** @type {Truth} */
    let truth = true;
    for (const shape of shapes) {
      if (++this.steps > STEPS) return null;
      truth = this.statement(shape);
    }
    return truth;
  }

  /** @type {(shape: Shape) => Truth} */
  statement([kind, first, second, third]) {
    switch (kind) {
      case "and": case "or": return this.joined(kind, first, second);
      case "simple": return this.simple(first, second, third);
      case "block": return this.statements(first);
      case "pipe": return this.pipe(first);
      case "test": return this.test(first);
      case "math": return this.counts(first);
      case "not": return opposite(this.statement(first));
      case "if": return this.branch(first, second);
      case "function": return this.functions.set(first, second) && true;
      case "case": return this.cases(first, second);
      case "for": return this.loop(first, second, third);
      default: return null; // `while` runs on what nobody knows
    }
  }

  /** @param {Shape[]} shapes */
  pipe(shapes) {
    for (const one of shapes) this.statement(one);
    return null;
  }

  /** @param {Shape} expression */
  counts(expression) {
    const value = counted(expression, (word) => this.expander(true).number(word));
    return value === null ? null : value !== 0;
  }

  /**
   * @param {string} kind
   * @param {Shape} first
   * @param {Shape} second
   */
  joined(kind, first, second) {
    const truth = this.statement(first);
    if (truth !== null) return truth === (kind === "and") ? this.statement(second) : truth;
    this.either([() => this.statement(second), () => null]);
    return null;
  }

  /**
   * Branches up to one that is certain; where one before it is open, any of them may be run.
   * @param {[tests: Shape[], body: Shape[]][]} branches
   * @param {Shape[]} otherwise
   */
  branch(branches, otherwise) {
    const possible = [];
    for (const [tests, body] of [...branches, [[], otherwise]]) { // what has no test is certain
      const truth = this.statements(tests);
      if (truth !== false) possible.push(() => this.statements(body));
      if (truth) break;
    }
    this.either(possible);
    return possible.length > 1 ? null : true;
  }

  /**
   * @param {Word} word
   * @param {[patterns: Word[], body: Shape[]][]} items
   */
  cases(word, items) {
    const text = this.expander(true).text(word), isKnown = !isOpen(text) && !this.asks(word);
    const possible = [];
    for (const [patterns, body] of items) {
      const found = patterns.map((pattern) => this.expander(true).text(pattern));
      if (isKnown && !found.some((one) => matches(one, text))) continue;
      possible.push(() => this.statements(body));
      if (isKnown) break;
    }
    if (!isKnown || !possible.length) possible.push(() => null);
    this.either(possible);
    return null;
  }

  /**
   * Whether a word is about the arguments of the script, which nobody knows.
   * @param {Word} word
   */
  asks(word) {
    return this.scope.given === null && word.some(([kind, name, , , operator]) => kind === "param" && operator === null && !/^[A-Za-z_]/.test(name));
  }

  /**
   * @param {string} name
   * @param {Word[] | null} words
   * @param {Shape[]} body
   */
  loop(name, words, body) {
    if (words === null) return null;
    for (const item of this.expander(false).fields(words).slice(0, ROUNDS)) {
      this.scope.variables.set(name, item);
      this.statements(body);
    }
    return null;
  }

  /**
   * Go through each from here, and join what they leave.
   * @param {(() => unknown)[]} possible
   */
  either(possible) {
    const before = this.scope.variables;
    this.scope.variables = possible.map((one) => {
      this.scope.variables = possible.length > 1 ? new Map(before) : before;
      one();
      return this.scope.variables;
    }).reduce(merged);
  }

  /* ---- Conditions ---------------------------------------------------------------------------------------------------- */

  /** @type {(test: Shape) => Truth} */
  test([kind, ...parts]) {
    if (kind === "not") return opposite(this.test(parts[0]));
    if (kind === "and" || kind === "or") return both(kind === "and", this.test(parts[0]), this.test(parts[1]));
    const [operator, ...words] = parts;
    if ((kind !== "unary" && kind !== "binary") || words.some((word) => this.asks(word))) return null;
    if (kind === "binary" && words.some((word) => waits(word, this.scope))) return null;
    const texts = words.map((word) => this.expander(true).text(word));
    if (texts.some(isOpen)) return null;
    if (kind === "binary") return compared(operator, texts[0], texts[1]);
    return operator === "-z" ? !texts[0] : operator === "-n" ? Boolean(texts[0]) : null;
  }

  /* ---- Commands ------------------------------------------------------------------------------------------------------ */

  /** @param {boolean} blank */
  expander(blank) { return new Expander(this.scope, (shapes) => this.output(shapes), blank); }

  /** @type {(assigned: Shape[], words: Word[], redirects: Shape[]) => Truth} */
  simple(assigned, words, redirects) {
    if (!words.length) {
      for (const one of assigned) this.assign(one);
      return true;
    }
    const made = this.expander(false).fields(words), [name] = made;
    this.documents(made, redirects);
    if (!made.length) return null;
    const body = this.functions.get(name);
    if (body && this.depth < DEPTH) return this.call(body, made.slice(1));
    if ((name === "source" || name === ".") && made.length > 1) {
      if (!this.made.missing.includes(plain(made[1]))) this.made.missing.push(plain(made[1]));
      return null;
    }
    if (name === "unset") for (const left of made.slice(1)) this.scope.variables.delete(left);
    const text = name === "eval" ? made.slice(1).join(" ") : inner(made);
    if (text !== null) return this.text(text);
    if (!QUIET.has(name)) this.made.commands.push(made);
    return TRUTHS.get(name) ?? null;
  }

  /** @param {Shape} shape */
  assign([name, index, append, value]) {
    const expander = this.expander(false), { variables } = this.scope;
    if (index !== null) {
      variables.set(`${name}[${expander.text(index)}]`, expander.text(value));
      return;
    }
    const before = variables.get(name);
    if (value[0] === "array") {
      const items = expander.fields(value[1]), earlier = Array.isArray(before) ? before : before ? [before] : [];
      variables.set(name, (append ? [...earlier, ...items] : items).slice(0, LONGEST));
    } else if (append && Array.isArray(before)) {
      variables.set(name, [(before[0] ?? "") + expander.text(value), ...before.slice(1)]);
    } else {
      variables.set(name, ((append ? before ?? "" : "") + expander.text(value)).slice(0, LONGEST));
    }
  }

  /**
   * Files that here-documents write, and variables that `read` gets from them.
   * @param {string[]} made
   * @param {Shape[]} redirects
   */
  documents(made, redirects) {
    const here = redirects.find(([kind]) => kind === "here");
    if (!here || !made.length) return;
    const text = this.here(here);
    const targets = redirects.filter(([kind]) => kind === "to").map(([, target]) => this.expander(false).text(target));
    if (made[0] === "tee") targets.push(...made.slice(1).filter((one) => !one.startsWith("-")));
    if (made[0] === "cat" || made[0] === "tee") for (const target of targets) this.made.files.set(target, text);
    else if (made[0] === "read" && !made[made.length - 1].startsWith("-")) this.scope.variables.set(made[made.length - 1], trimmed(text));
  }

  /**
   * The text of a here-document; behind `<<-` no line begins with tabs.
   * @param {Shape} shape
   */
  here([, word, tabs]) {
    const text = this.expander(false).text(word);
    return tabs ? text.replace(/^\t+/gm, "") : text;
  }

  /**
   * @param {Shape[]} body
   * @param {string[]} given
   */
  call(body, given) {
    const before = this.scope.given;
    this.scope.given = given;
    const truth = this.deeper(body);
    this.scope.given = before;
    return truth;
  }

  /** @param {string} text */
  text(text) {
    return this.depth < DEPTH ? this.deeper(this.parse(text)) : null;
  }

  /** @param {Shape[]} shapes */
  deeper(shapes) {
    this.depth++;
    const truth = this.statements(shapes);
    this.depth--;
    return truth;
  }

  /**
   * What a command prints, where its words say it: `echo`, and `cat` of a here-document.
   * @param {Shape[]} shapes
   * @returns {string | null}
   */
  output(shapes) {
    if (shapes.length !== 1 || shapes[0][0] !== "simple") return null;
    const [, assigned, words, redirects] = shapes[0], here = redirects.filter((/** @type {Shape} */ [kind]) => kind === "here");
    const made = this.expander(false).fields(words);
    if (made.length === 1 && made[0] === "cat" && here.length === 1) return this.here(here[0]).replace(/\n+$/, "");
    if (assigned.length || made[0] !== "echo" || redirects.length) return null;
    const said = made.slice(1).filter((one, at) => at || (one !== "-n" && one !== "-e")).join(" ");
    return isOpen(said) ? null : said;
  }
}
