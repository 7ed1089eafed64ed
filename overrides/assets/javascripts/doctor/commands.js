/* What a Dockerfile or an install script installs, line by line. Nothing is run. */
import { requirement } from "./requirement.js";
import { found } from "./vocabulary.js";

const TOKEN = /(?:"[^"]*"|'[^']*'|[^\s;&|"'])+|&&|\|\||[;|&]/g;
const COMMENT = /(?:^|\s)#(?=\s|$).*$|^\s*#.*$/;
const VARIABLE = /\$\{(\w+)(?::?-([^}]*))?\}|\$(\w+)/g;
const ASSIGNED = /^(\w+)=([^]*)$/;
const SEPARATORS = new Set("&& || ; | & then else do fi done if { } ( )".split(" "));
const VALUED = new Set(
  ("-i --index-url --extra-index-url --index --trusted-host -f --find-links -r --requirement -c --constraint --build-constraint -t " +
    "--target --config-settings --config-setting --retries --timeout --default-timeout --resume-retries --python --build-option " +
    "--global-option -n --name -p --prefix --channel --depth").split(" "),
);
/** @type {Record<string, string>} */
const PINNED_BY = { PYTHON_VERSION: "python", CUDA_VERSION: "cuda", NCCL_VERSION: "nccl", CUDNN_VERSION: "cudnn" };
const CONDA = new Set(["conda", "mamba", "micromamba"]);
const PYTHON = /^python(3\.\d+)(?:-dev|-venv)?$/;
const INDEX = /(?:pytorch\.org|sglang\.ai|vllm\.ai)\/(?:\w+\/)+cu(\d\d)(\d)/;

/** @typedef {{ text: string, line: number }} Word */
/** @typedef {import("./vocabulary.js").Found} Found */

/**
 * What is installed, each package once, in the order of the lines.
 * @param {string} text
 * @param {import("./vocabulary.js").Vocabulary} vocabulary
 */
export function readCommands(text, vocabulary) {
  const reader = new Reader(vocabulary);
  for (const words of lines(text)) reader.line(words);
  return reader.finish();
}

/**
 * The words of each command, continued lines put together.
 * @param {string} text
 */
function* lines(text) {
  /** @type {Word[]} */
  let words = [];
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trimStart().startsWith("#") && words.length) continue; // a comment between continued lines
    const bare = line.replace(COMMENT, "").trimEnd(), goesOn = bare.endsWith("\\");
    words.push(...Array.from((goesOn ? bare.slice(0, -1) : bare).matchAll(TOKEN), (token) => ({ text: token[0], line: at + 1 })));
    if (!goesOn && words.length) {
      yield words;
      words = [];
    }
  }
  if (words.length) yield words;
}

class Reader {
  /** @param {import("./vocabulary.js").Vocabulary} vocabulary */
  constructor(vocabulary) {
    this.vocabulary = vocabulary;
    /** @type {Map<string, Word>} */
    this.variables = new Map();
    /** @type {Map<string, Found>} */
    this.kept = new Map();
    /** @type {string | undefined} */
    this.cloned = undefined;
    /** @type {Found | undefined} */
    this.index = undefined;
  }

  finish() {
    if (this.index && !this.kept.has("cuda")) this.kept.set("cuda", this.index);
    return [...this.kept.values()]
      .filter((one) => one.spec || one.ref || !["python", "cuda"].includes(one.package))
      .sort((one, other) => one.line - other.line || (one.package < other.package ? -1 : 1));
  }

  /** @param {Word[]} words */
  line(words) {
    const head = words[0]?.text.toUpperCase() ?? "";
    if (head === "FROM") this.image(words);
    else if (["ARG", "ENV", "EXPORT", "LOCAL"].includes(head)) this.assign(words.slice(1));
    else {
      const hopper = words.some(({ text }) => text.includes("hopper")); // FlashAttention 3 is built from the repository of 2
      for (const command of split(head === "RUN" ? words.slice(1) : words)) this.command(this.bare(command), hopper);
    }
  }

  /** @param {Word[]} words */
  image(words) {
    const word = words.slice(1).find(({ text }) => !text.startsWith("--"));
    const filled = word ? this.filled(word) : null;
    if (filled) this.keep(this.vocabulary.ofImage(filled.text, filled.line));
  }

  /** @param {Word[]} given */
  assign(given) {
    const spread = given.length === 2 && !given[0].text.includes("=");
    const words = spread ? [{ text: `${given[0].text}=${given[1].text}`, line: given[1].line }] : given;
    for (const word of words) {
      const match = ASSIGNED.exec(word.text);
      if (!match) continue;
      const value = this.filled({ text: unquoted(match[2]), line: word.line });
      this.variables.set(match[1], value);
      const name = PINNED_BY[match[1]];
      if (name && /^\d+(\.\d+)+$/.test(value.text)) {
        this.keep([found(name, value.text.split(".").length === 2 ? `==${value.text}.*` : `==${value.text}`, value.line)]);
      }
    }
  }

  /** @param {Word[]} command */
  bare(command) {
    const start = command.findIndex(({ text }) => !ASSIGNED.test(text));
    if (start < 0) this.assign(command);
    return start < 0 ? [] : command.slice(start);
  }

  /**
   * A word with its variables, and the line that says the version: that of the last variable.
   * @param {Word} word
   * @returns {Word}
   */
  filled(word) {
    let line = word.line;
    const text = unquoted(word.text).replace(VARIABLE, (all, braced, otherwise, plain) => {
      const known = this.variables.get(braced ?? plain);
      if (known) line = known.line;
      return known ? known.text : otherwise ?? all;
    });
    return { text, line };
  }

  /**
   * @param {Word[]} words
   * @param {boolean} hopper
   */
  command(words, hopper) {
    const plain = words.map(({ text }) => text), isPip = plain.some((word) => /^(?:.*\/)?pip3?(?:\.\d+)?$/.test(word));
    if (plain.includes("install") && isPip) this.pip(words.slice(plain.indexOf("install") + 1));
    else if (plain.includes("uninstall") && isPip) plain.forEach((word) => this.kept.delete(this.vocabulary.idOf(unquoted(word)) ?? ""));
    else if (CONDA.has(plain[0])) this.conda(words.slice(1));
    else if (plain[0] === "git" && hopper) this.cloned = undefined;
    else if (plain[0] === "git") this.git(words.slice(1));
    else if (plain.includes("install") && plain.some((word) => word.startsWith("apt"))) this.apt(words);
  }

  /** @param {Word[]} words */
  pip(words) {
    const upgrade = words.some(({ text }) => ["-U", "--upgrade", "--force-reinstall"].includes(text));
    for (const word of this.arguments(words)) {
      const { text, line } = this.filled(word), one = text.includes("$") ? null : requirement(text, this.vocabulary, line);
      if (one && !(this.kept.has(one.package) && !one.spec && !one.ref && !upgrade)) this.keep([one]);
    }
  }

  /** @param {Word[]} words */
  arguments(words) {
    const kept = [];
    let skip = false;
    for (const word of words) {
      const index = INDEX.exec(word.text);
      if (index) this.index = found("cuda", `==${index[1]}.${index[2]}.*`, word.line);
      if (skip) skip = false;
      else if (word.text.startsWith("-")) skip = VALUED.has(word.text);
      else kept.push(word);
    }
    return kept;
  }

  /** @param {Word[]} words */
  conda(words) {
    for (const word of this.arguments(words)) {
      const { text, line } = this.filled(word), at = text.indexOf("="), name = at < 0 ? text : text.slice(0, at);
      const version = at < 0 ? "" : text.slice(at + 1).replace(/^=+|=+$/g, "").split("=")[0];
      const id = this.vocabulary.idOf(name) ?? (name === "cudatoolkit" ? "cuda" : undefined);
      if (id && version && !version.includes("$")) {
        this.keep([found(id, version.split(".").length > 2 ? `==${version}` : `==${version}.*`, line)]);
      }
    }
  }

  /** @param {Word[]} words */
  git(words) {
    const plain = words.map(({ text }) => unquoted(text));
    if (plain.includes("clone")) {
      const place = words.find(({ text }) => text.includes("://") || text.startsWith("git@"));
      this.cloned = place ? this.vocabulary.ofRepository(unquoted(place.text)) : undefined;
      const at = plain.slice(0, -1).findIndex((word) => word === "-b" || word === "--branch");
      if (this.cloned && place) this.ref(at < 0 ? { text: "HEAD", line: place.line } : words[at + 1]);
    } else if (plain.includes("checkout") && this.cloned) {
      const first = words.slice(plain.indexOf("checkout") + 1).find(({ text }) => !text.startsWith("-"));
      if (first) this.ref(first);
    }
  }

  /** @param {Word} word */
  ref(word) {
    const { text, line } = this.filled(word);
    if (this.cloned && !text.includes("$")) this.keep([found(this.cloned, "", line, text)]);
  }

  /** @param {Word[]} words */
  apt(words) {
    for (const word of words) {
      const { text, line } = this.filled(word), match = PYTHON.exec(text);
      if (match) this.keep([found("python", `==${match[1]}.*`, line)]);
    }
  }

  /** @param {Found[]} more */
  keep(more) { for (const one of more) this.kept.set(one.package, one); }
}

/** @param {Word[]} words */
function split(words) {
  /** @type {Word[][]} */
  const commands = [[]];
  for (const word of words) {
    if (SEPARATORS.has(word.text)) commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands.filter((command) => command.length);
}

/** @param {string} word */
function unquoted(word) { return word.replace(/["']/g, ""); }
