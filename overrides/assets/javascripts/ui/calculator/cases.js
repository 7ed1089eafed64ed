/*
 * A case: framework, version and the text of each field. It is in the address behind the #, which no request holds, and is
 * kept in this tab.
 */
import { keep, kept } from "../session.js";

/** @typedef {import("../../calculate/engine.js").Definition} Definition */
/** @typedef {Record<string, Definition>} Definitions by framework */
/** @typedef {{ framework: string, version: number, texts: Record<string, string> }} State */

const STORE = "calculator";
const LONGEST = 200000; // characters of a pasted text that are kept

/** @param {unknown} value */
function textOf(value) { return String(value ?? ""); }

/**
 * The fields with their `start` or `default`, in the newest version.
 * @param {Definitions} definitions
 * @param {string} framework
 * @param {"start" | "default"} name
 * @returns {State}
 */
export function fresh(definitions, framework, name) {
  const { inputs, versions } = definitions[framework];
  return { framework, version: versions.length - 1, texts: Object.fromEntries(inputs.map((one) => [one.name, textOf(one[name])])) };
}

/**
 * @param {Definitions} definitions
 * @param {State} state
 */
function parameters(definitions, { framework, version, texts }) {
  const { inputs, versions } = definitions[framework], made = new URLSearchParams({ calc: framework });
  if (version !== versions.length - 1) made.set("version", versions[version]);
  for (const { name, start } of inputs) if (texts[name] !== textOf(start)) made.set(name, texts[name]);
  return made;
}

/**
 * @param {Definitions} definitions
 * @param {URLSearchParams} named calc, version, and a field for each name
 */
function read(definitions, named) {
  const framework = named.get("calc") || "";
  if (!Object.hasOwn(definitions, framework)) return null;
  const made = fresh(definitions, framework, "start"), version = definitions[framework].versions.indexOf(named.get("version") || "");
  if (version >= 0) made.version = version;
  for (const name of Object.keys(made.texts)) made.texts[name] = named.get(name) ?? made.texts[name];
  return made;
}

/**
 * The case that the address names, behind the # or, as links once were written, behind the ?; null when it names none.
 * @param {Definitions} definitions
 */
export function fromAddress(definitions) {
  return read(definitions, new URLSearchParams(location.hash.slice(1))) || read(definitions, new URLSearchParams(location.search));
}

/**
 * @param {Definitions} definitions
 * @param {State} state
 */
export function toAddress(definitions, state) {
  const made = new URL(location.href), framework = made.searchParams.get("fw");
  made.search = framework === null ? "" : String(new URLSearchParams({ fw: framework }));
  made.hash = String(parameters(definitions, state));
  history.replaceState(history.state, "", made);
}

/**
 * @param {Definitions} definitions
 * @param {State} state
 * @param {string} text what stands in the box for a paste
 * @param {boolean} isRead whether it was read
 */
export function keepCase(definitions, state, text, isRead) {
  keep(STORE, { made: String(parameters(definitions, state)), text: text.slice(0, LONGEST), isRead });
}

/**
 * What was kept, when the address names the same case or none; else null.
 * @param {Definitions} definitions
 * @param {State | null} asked
 * @returns {{ state: State, text: string, isRead: boolean } | null}
 */
export function keptCase(definitions, asked) {
  const found = kept(STORE), state = found && read(definitions, new URLSearchParams(found.made));
  if (!state || (asked && String(parameters(definitions, asked)) !== found.made)) return null;
  return { state, text: found.text, isRead: found.isRead };
}
