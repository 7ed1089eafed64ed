/* One requirement as pip takes it: a name with versions, an address of git, a wheel. */
import { specifier, version, compare } from "./version.js";
import { found } from "./vocabulary.js";

const GIT = /(?:^|@\s*)git\+\w+:\/\/([^@\s#]+?)(?:@([^#\s]+))?(?:#\S*)?$/;
const WHEEL = /^([A-Za-z][\w.]*?)-(\d[^-]*)-(?:[^-]+-)?[^-]+-[^-]+-[^-]+\.whl$/;
const SOURCE = /^([A-Za-z][\w.-]*?)-(\d[\w.+]*?)\.tar\.gz$/;
const PUBLIC = /^\d+(?:\.\d+)*(?:\.?(?:post|rc|a|b)\d+)?(?:\.dev\d+)?/;
const NAMED = /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*([^;]*)(?:;\s*(.*))?$/;
const CONDITION = /(\w+)\s*(==|!=|<=|>=|<|>)\s*["']([^"']*)["']/;
/** @type {Record<string, string>} the machine that requirements with a condition are read for */
const MACHINE = { sys_platform: "linux", platform_machine: "x86_64", platform_system: "Linux", python_version: "3.12", extra: "" };

/**
 * The package that a requirement names, if it is one that counts.
 * @param {string} given
 * @param {import("./vocabulary.js").Vocabulary} vocabulary
 * @param {number} line
 * @returns {import("./vocabulary.js").Found | null}
 */
export function requirement(given, vocabulary, line) {
  const text = given.trim().replace(/^["']+|["']+$/g, "");
  const git = GIT.exec(text);
  if (git) {
    const named = /@ | @/.test(text) ? /^[A-Za-z][\w.-]*/.exec(text) : null;
    const id = vocabulary.ofRepository(git[1]) ?? (named ? vocabulary.idOf(named[0]) : undefined);
    return id ? found(id, "", line, git[2] ?? "HEAD") : null;
  }
  if (/^(?:https?:|file:|\/|\.\/)/.test(text) || /\.(?:whl|tar\.gz)$/.test(text) && !text.includes("@")) return archive(text, vocabulary, line);
  const match = NAMED.exec(text);
  const id = match ? vocabulary.idOf(match[1]) : undefined;
  if (!match || !id || !holds(match[3] ?? "")) return null;
  const rest = match[2].trim().replace(/^\((.*)\)$/, "$1");
  if (rest.startsWith("@")) return requirement(rest.slice(1), vocabulary, line);
  const spec = specifier(rest);
  return spec ? found(id, String(spec), line) : null;
}

/**
 * @param {string} text
 * @param {import("./vocabulary.js").Vocabulary} vocabulary
 * @param {number} line
 */
function archive(text, vocabulary, line) {
  const name = decoded(text).split("#")[0].split("/").at(-1) ?? "";
  const match = WHEEL.exec(name) ?? SOURCE.exec(name);
  const id = match ? vocabulary.idOf(match[1]) : undefined;
  const number = match ? PUBLIC.exec(match[2]) : null;
  return id && number ? found(id, `==${number[0]}`, line) : null;
}

/** @param {string} text */
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/**
 * Whether a condition holds on the machine; one that is not understood does.
 * @param {string} marker
 */
function holds(marker) {
  return marker.split(/\s+or\s+/).some((part) => part.split(/\s+and\s+/).every((one) => {
    const match = CONDITION.exec(one);
    if (!match || !(match[1] in MACHINE)) return true;
    const here = MACHINE[match[1]], [, name, operator, value] = match;
    const left = version(here), right = version(value);
    const order = name === "python_version" && left && right ? compare(left, right) : here === value ? 0 : here < value ? -1 : 1;
    return { "==": order === 0, "!=": order !== 0, "<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0 }[operator] ?? true;
  }));
}
