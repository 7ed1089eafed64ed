/* An environment from text: pip, uv and conda lists, requirements, Dockerfiles, scripts, collect_env, version lines of logs. */
import { readCommands } from "./commands.js";
import { requirement } from "./requirement.js";
import { compare, version } from "./version.js";
import { Vocabulary, fits, normal } from "./vocabulary.js";

const LARGEST = 8 << 20, LONGEST = 2000, HEAD = 20000;
const LISTED = /^\s*([A-Za-z][\w.-]*)\s+(v?\d+\.[\w.!+*-]*)(?:\s+(\S.*))?\s*$/;
const FROZEN = /^\s*(?:\[[\w]+\]\s+)?([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(={2,3}|@)\s*(\S+)/;
const EDITABLE = /^\s*#\s*Editable [^(]*\(([\w.-]+)==([\w.!+-]+)\)/;
const FROM_GIT = /^\s*-e\s+git\+\S+?@([0-9a-f]{7,40})#egg=([\w.-]+)/;
const COLLECTED = /^\s*\[(?:pip3?|conda)\]\s+([A-Za-z][\w.-]*)(?:==|\s+)(v?\d[\w.!+]*)/;
const FULL_LIST = /^\s*(?:Package\s+Version|-{4,}\s+-{4,}|# packages in environment|# Name\s+Version)/m;
const INSTALLS = /^\s*(?:FROM\s+\S+|(?:RUN\s+)?(?:.*\s)?(?:pip3?|conda|micromamba|mamba)\s+install\s)/m;
const RANGE = /^\s*([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*([<>!~][^#;]*)/;
/** @type {[string, RegExp][]} lines that say a version in words */
const SAID = [
  ["python", /^\s*Python version:\s*(3\.\d+\.\d+)|\bPython (3\.\d+\.\d+)\b/i],
  ["torch", /^\s*PyTorch version:\s*(\d[\w.+]*)|\b(?:torch|pytorch)(?:\.__version__)?[ =:]+v?(\d+\.\d+\.\d+[\w.+]*)/i],
  ["cuda", /CUDA used to build PyTorch:\s*(\d+\.\d+)|torch\.version\.cuda[ =:]+(\d+\.\d+)/i],
  ["driver", /Nvidia driver version:\s*(\d+\.\d+[\d.]*)|Driver Version:\s*(\d+\.\d+[\d.]*)/i],
  ["cudnn", /cuDNN version:[^\d\n]*(\d+\.\d+[\d.]*)/i],
  ["nccl", /\bNCCL version[: ]+(\d+\.\d+\.\d+)/i],
  ["vllm", /\bvLLM (?:API server )?version:?[ =]+v?(\d+\.\d+[\w.+]*)|LLM engine \(v(\d+\.\d+[\w.+]*)\)/i],
  ["sglang", /\bsglang(?:\.__version__| version)?[ =:]+v?(\d+\.\d+\.\d+[\w.+]*)/i],
  ["transformers", /\btransformers(?:\.__version__| version)[ =:]+v?(\d+\.\d+[\w.+]*)/i],
  ["ray", /\bRay version:?[ =]+(\d+\.\d+[\w.]*)|\bRay: (\d+\.\d+\.\d+)/i],
  ["deepspeed", /DeepSpeed info: version=(\d+\.\d+[\w.]*)|deepspeed version[ =:]+(\d+\.\d+[\w.]*)/i],
  ["megatron-core", /\b(?:megatron[.-]core|mcore) version[ =:]+(\d+\.\d+[\w.]*)/i],
  ["cann", /\bCANN(?: version)?[ =:]+(\d+\.\d+[\w.]*)/i],
];
// What a log or a list names in several places with different precision.
const LOOSE = new Set(["python", "cuda", "cudnn", "nccl", "driver"]);

/** @typedef {{ package: string, version: string, asked: string, line: number, other: string }} Installed */
/** @typedef {{ packages: Map<string, Installed>, complete: boolean, cut: boolean }} Environment */

/**
 * The version that is there; null for a revision.
 * @param {Installed | undefined} one
 */
export function number(one) { return one ? version(one.version) : null; }

/**
 * cuda, rocm or ascend, as far as the packages tell.
 * @param {Environment} environment
 */
export function platform({ packages }) {
  if (["torch-npu", "vllm-ascend", "cann"].some((name) => packages.has(name))) return "ascend";
  return packages.get("torch")?.version.includes("rocm") ? "rocm" : "cuda";
}

/**
 * The packages that a text names. A text that names none gives an empty environment.
 * @param {import("./facts.js").Facts} facts
 * @param {string} given
 * @returns {Environment}
 */
export function readEnvironment(facts, given) {
  const cut = given.length > LARGEST, text = given.slice(0, LARGEST).replaceAll("\ufeff", "");
  const isListed = FULL_LIST.test(text);
  if (!isListed && INSTALLS.test(text) && !mostlyPins(text)) {
    const own = facts.frameworks.map((one) => /** @type {[string, string, string[], string[], string[]]} */ ([
      one.id, one.name, one.names, [one.repository.split("/").at(-1) ?? ""], [],
    ]));
    const read = readCommands(text, new Vocabulary([...facts.vocabulary.rows, ...own]));
    return { packages: withCuda(merged(read.map(asInstalled))), complete: false, cut };
  }
  const names = new Map(facts.frameworks.flatMap((one) => one.names.map((name) => [normal(name), one.id])));
  /** @type {(name: string) => string | undefined} */
  const idOf = (name) => names.get(normal(name)) ?? facts.vocabulary.idOf(name);
  const fromJson = json(text, idOf);
  const read = fromJson.length ? fromJson : lines(text, facts.vocabulary, idOf, names);
  const isFrozen = text.slice(0, HEAD).split("\n").filter((line) => line.includes("==")).length > 20;
  return { packages: withCuda(merged(read)), complete: isListed || isFrozen || text.trimStart().startsWith("["), cut };
}

/** @param {string} text */
function mostlyPins(text) {
  const rows = text.slice(0, HEAD).split("\n").filter((line) => line.trim());
  return rows.filter((line) => FROZEN.test(line) && !/^\s*(?:RUN|pip)/.test(line)).length > rows.length / 2;
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string} [asked]
 * @param {number} [line]
 * @returns {Installed}
 */
function installed(name, text, asked = "", line = 0) { return { package: name, version: text, asked, line, other: "" }; }

/** @param {import("./vocabulary.js").Found} one */
function asInstalled(one) {
  if (one.ref) return installed(one.package, fits(one)?.exact[0] ?? one.ref, "", one.line);
  return installed(one.package, /^==([^*,]+)$/.exec(one.spec)?.[1] ?? "", one.spec || "*", one.line);
}

/**
 * `pip list --format=json`.
 * @param {string} text
 * @param {(name: string) => string | undefined} idOf
 */
function json(text, idOf) {
  /** @type {Installed[]} */
  const read = [];
  let rows;
  try { rows = text.trimStart().startsWith("[") ? JSON.parse(text) : []; } catch { rows = []; }
  for (const row of Array.isArray(rows) ? rows : []) {
    const id = typeof row?.name === "string" && typeof row.version === "string" ? idOf(row.name) : undefined;
    if (id) read.push(installed(id, row.version));
  }
  return read;
}

/**
 * Line by line; of a log of millions most name no package, and one says its versions again and again.
 * @param {string} text
 * @param {Vocabulary} vocabulary
 * @param {(name: string) => string | undefined} idOf
 * @param {Map<string, string>} names
 */
function lines(text, vocabulary, idOf, names) {
  const known = [...names.keys(), ...vocabulary.rows.flatMap(([id, , aliases]) => [id, ...aliases])];
  const stems = [...new Set(known.map((name) => name.split(/[-_.]/)[0].toLowerCase()))];
  const ofFramework = new RegExp(`\\b(${[...names.keys()].join("|")})(?:\\.__version__| version)[ =:]+v?(\\d+\\.\\d+[\\w.+]*)`, "gi");
  const said = new Set();
  /** @type {Installed[]} */
  const read = [];
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const low = line.toLowerCase();
    if (line.length > LONGEST || !stems.some((stem) => low.includes(stem))) continue;
    for (const [name, number, asked] of ofLine(line, vocabulary, ofFramework)) {
      const id = idOf(name);
      if (id && !said.has(`${id} ${number}`)) {
        said.add(`${id} ${number}`);
        read.push(installed(id, number, asked, at + 1));
      }
    }
  }
  return read;
}

/**
 * Name, version and what is asked for, of one line.
 * @param {string} line
 * @param {Vocabulary} vocabulary
 * @param {RegExp} ofFramework words that say the version of a framework
 * @returns {[string, string, string][]}
 */
function ofLine(line, vocabulary, ofFramework) {
  const only = EDITABLE.exec(line) ?? COLLECTED.exec(line);
  if (only) return [[only[1], only[2], ""]];
  /** @type {[string, string, string][]} */
  const read = [];
  const git = FROM_GIT.exec(line), pin = FROZEN.exec(line), row = LISTED.exec(line), range = RANGE.exec(line);
  if (git) read.push([git[2].split("&")[0], git[1], ""]);
  else if (pin) read.push(frozen(pin, vocabulary));
  else if (row) read.push([row[1], row[2], ""]);
  else if (range) read.push([range[1], "", range[2].trim()]);
  for (const [name, pattern] of SAID) {
    const match = pattern.exec(line);
    if (match) read.push([name, match.slice(1).find(Boolean) ?? "", ""]);
  }
  for (const [, name, number] of line.matchAll(ofFramework)) read.push([name, number, ""]);
  return read;
}

/**
 * @param {RegExpExecArray} match
 * @param {Vocabulary} vocabulary
 * @returns {[string, string, string]}
 */
function frozen(match, vocabulary) {
  const [, name, sign, rest] = match;
  if (sign !== "@") return [name, rest.replace(/[,;\\]+$/, ""), ""];
  const named = requirement(`${name} @ ${rest}`, vocabulary, 0) ?? requirement(rest, vocabulary, 0);
  if (named?.spec) return [name, named.spec.replace(/^=+/, ""), ""];
  const revision = /@([\w./-]+)(?:#|$)/.exec(rest.slice(rest.indexOf("://") + 3));
  return revision && rest.includes("://") ? [name, revision[1], ""] : [name, "", "*"];
}

/**
 * One row each: the first that says a version; another version of the same package is kept beside it.
 * @param {Installed[]} read
 */
function merged(read) {
  /** @type {Map<string, Installed>} */
  const packages = new Map();
  for (const one of read) {
    const first = packages.get(one.package), left = number(first), right = number(one);
    if (!first || (!first.version && one.version)) packages.set(one.package, one);
    else if (left && right && compare(left, right) && !first.other && !LOOSE.has(one.package)) {
      packages.set(one.package, { ...first, other: one.version });
    }
  }
  return packages;
}

/**
 * CUDA as torch was built for it, when only torch tells: 2.6.0+cu124.
 * @param {Map<string, Installed>} packages
 */
function withCuda(packages) {
  const torch = packages.get("torch"), match = /\+cu(\d\d)(\d)/.exec(torch?.version ?? "");
  if (torch && match) packages.set("cuda", installed("cuda", `${match[1]}.${match[2]}`, "", torch.line));
  return packages;
}
