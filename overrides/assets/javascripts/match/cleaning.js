/* Takes out of a text what differs from run to run. The rules are data; fieldguide/runtime/clean.py says what they mean. */

/** @typedef {[pattern: string, replacement: string]} Rule */
/** @typedef {[pattern: RegExp, replacement: string]} CompiledRule */

/**
 * @param {Rule[]} rules
 * @returns {CompiledRule[]}
 */
export function compileRules(rules) {
  return rules.map(([pattern, replacement]) => [new RegExp(pattern, "g"), replacement]);
}

/**
 * The text after each rule in turn.
 * @param {string} text
 * @param {CompiledRule[]} rules
 */
export function applyRules(text, rules) {
  return rules.reduce((cleaned, [pattern, replacement]) => cleaned.replace(pattern, replacement), text);
}
