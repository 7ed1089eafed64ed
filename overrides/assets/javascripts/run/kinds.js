/* What a file of a run is, and whose: by its name, else by its first lines; as fieldguide/runtime/run/kinds.py. */
import { whoOf } from "./who.js";

/** @typedef {import("./rules.js").RunRules} RunRules */

export const OTHER = "other";

/**
 * Kind and owner of a file by its path; "other" where no rule fits.
 * @param {string} name
 * @param {RunRules} rules
 * @returns {{ kind: string, who: import("./who.js").Who }}
 */
export function kindByName(name, { nodes, files }) {
  const node = firstRead(nodes, name)?.node ?? "";
  for (const { kind, named } of files) {
    const said = named.read(name);
    if (said) return { kind, who: whoOf({ node, ...said }) };
  }
  return { kind: OTHER, who: whoOf({ node }) };
}

/**
 * @param {import("./rules.js").Named[]} rules
 * @param {string} text
 */
function firstRead(rules, text) {
  for (const rule of rules) {
    const said = rule.read(text);
    if (said) return said;
  }
  return null;
}

/**
 * Kind of a file by how it begins.
 * @param {string} head
 * @param {RunRules} rules
 */
export function kindByHead(head, { heads }) { return heads.find(({ named }) => named.read(head))?.kind ?? OTHER; }
