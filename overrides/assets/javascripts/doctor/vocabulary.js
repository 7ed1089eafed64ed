/* Names of packages: one package is written in many ways, and an image tells versions in its name. */
import { specifier } from "./version.js";

const NUMBER = "v?(\\d+(?:\\.\\d+)*(?:\\.?(?:post|rc|dev)\\d+)?)";
const TAG = /^(?:core_|ray-)?v?(\d+(?:\.\d+)+(?:\.?(?:post|rc)\d+)?)$/;
const CELL = /^(\d+) ([a-z][a-z0-9-]*)(?: @ (\S+)|((?:[<>=!~].*)?))$/;
/** @type {[RegExp, string][]} images of others whose tag is the version of what is in them */
const IMAGES = [
  [new RegExp(`(?:^|/)nvidia/cuda:${NUMBER}`), "cuda"],
  [new RegExp(`(?:^|/)nvidia/pytorch:${NUMBER}`), "ngc"],
  [new RegExp(`(?:^|/)vllm/vllm-openai:${NUMBER}`), "vllm"],
  [new RegExp(`(?:^|/)(?:lmsysorg|slimerl)/sglang:${NUMBER}`), "sglang"],
  [new RegExp(`(?:^|/)ascend/vllm-ascend:${NUMBER}`), "vllm-ascend"],
  [new RegExp(`cann(?:-[a-z]+)?:${NUMBER}`), "cann"],
];
/** @type {[RegExp, string, string][]} vllm011 and sgl0512 leave out the points */
const COMPACT = [[/vllm0(\d\d)(?![\d.]\d)/, "vllm", "0."], [/sgl05(\d{1,2})(?!\d)/, "sglang", "0.5."]];

/**
 * A package that a file installs or asks for.
 * @typedef {{ package: string, spec: string, ref: string, line: number }} Found
 */

/**
 * @param {string} name
 * @param {string} spec
 * @param {number} line
 * @param {string} [ref]
 * @returns {Found}
 */
export function found(name, spec, line, ref = "") { return { package: name, spec, ref, line }; }

/**
 * Which versions are meant; null if nobody can tell.
 * @param {Found} one
 */
export function fits(one) {
  if (one.ref) {
    const tag = TAG.exec(one.ref);
    return tag ? specifier(`==${tag[1]}`) : null;
  }
  return one.spec ? specifier(one.spec.replace(/\+[\w.]+/g, "")) : null;
}

/**
 * A cell as catalog/versions has it.
 * @param {string} text
 * @returns {Found}
 */
export function asCell(text) {
  const match = CELL.exec(text);
  if (!match) throw new Error(`no cell: ${text}`);
  return found(match[2], match[4] ?? "", Number(match[1]), match[3] ?? "");
}

/**
 * As the package index compares names.
 * @param {string} name
 */
export function normal(name) { return name.replace(/[-_.]+/g, "-").toLowerCase().replace(/^-+|-+$/g, ""); }

/**
 * The version in the name of an image as a specifier; empty where it tells none.
 * @param {string} name
 * @param {string} text
 */
export function specOf(name, text) {
  if (name === "cuda" && /^\d{3}$/.test(text)) return `==${text.slice(0, 2)}.${text[2]}.*`;
  if (/^\d+$/.test(text)) return "";
  const short = text.split(".").length === 2 && !/[a-z]/.test(text) && name !== "ngc";
  return short ? `==${text}.*` : `==${text}`;
}

export class Vocabulary {
  /** @param {[string, string, string[], string[], string[]][]} rows */
  constructor(rows) {
    this.rows = rows;
    this.name = new Map(rows.map(([id, name]) => [id, name]));
    this.ids = new Map(rows.flatMap(([id, , aliases]) => [id, ...aliases].map((name) => [normal(name), id])));
    this.repositories = new Map(rows.flatMap(([id, , , names]) => names.map((name) => [name.toLowerCase(), id])));
    const tokens = rows.flatMap(([id, , , , names]) => names.map((name) => ({ name, id })));
    this.tokens = tokens.sort((one, other) => other.name.length - one.name.length)
      .map(({ name, id }) => ({ id, pattern: new RegExp(`(?<![a-z])${name}[-_:]?${NUMBER}`) }));
  }

  /**
   * The package of a name on the package index.
   * @param {string} name
   */
  idOf(name) { return this.ids.get(normal(name)); }

  /**
   * The package that a git repository holds.
   * @param {string} address
   */
  ofRepository(address) {
    const last = address.replace(/\/+$/, "").split("/").at(-1) ?? "";
    return this.repositories.get(last.replace(/\.git$/, "").toLowerCase());
  }

  /**
   * What the name of an image tells.
   * @param {string} image
   * @param {number} line
   */
  ofImage(image, line) {
    /** @type {Map<string, Found>} */
    const told = new Map();
    /** @type {(name: string, spec: string) => void} */
    const add = (name, spec) => { if (!told.has(name)) told.set(name, found(name, spec, line)); };
    for (const [pattern, name] of IMAGES) {
      const match = pattern.exec(image);
      if (match) told.set(name, found(name, specOf(name, match[1]), line));
    }
    const low = image.toLowerCase();
    for (const [pattern, name, start] of COMPACT) {
      const match = pattern.exec(low);
      if (match) add(name, `==${start}${Number(match[1])}.*`);
    }
    const last = low.slice(low.lastIndexOf("/") + 1);
    let rest = (last.includes(":") && last.slice(last.indexOf(":") + 1)) || low;
    for (const { id, pattern } of this.tokens) {
      const match = pattern.exec(rest);
      if (match) {
        add(id, specOf(id, match[1]));
        rest = rest.replace(match[0], "");
      }
    }
    return [...told.values()].filter((one) => one.spec);
  }
}
