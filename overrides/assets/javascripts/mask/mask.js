/* A text without what names people, machines, places and secrets: the rules of catalog/masks.yml. */
import { applyRules, compileRules } from "../match/expression.js";

/**
 * What masks a text; too much rather than too little.
 * @param {import("../match/expression.js").Rule[]} rules
 */
export function masker(rules) {
  const compiled = compileRules(rules);
  return (/** @type {string} */ text) => applyRules(text, compiled);
}
