/* Regular expressions of the compiled guide; fieldguide/content/dialect.py makes them such that Python reads them alike. */

/** @typedef {[pattern: string, replacement: (string | number)[]]} Rule a number is a group of the pattern */
/** @typedef {{ pattern: RegExp, replacement: (string | number)[] }} CompiledRule */

/* ASCII white space, as the dialect understands it; `trim` takes more. */
const ENDS = /^[ \t\n\r\f\v]+|[ \t\n\r\f\v]+$/g;

/**
 * @param {string} pattern
 * @param {string} [flags]
 */
export function expression(pattern, flags = "") { return new RegExp(pattern, `u${flags}`); }

/**
 * @param {Rule[]} rules
 * @returns {CompiledRule[]}
 */
export function compileRules(rules) {
  return rules.map(([pattern, replacement]) => ({ pattern: expression(pattern, "g"), replacement }));
}

/**
 * The text after each rule in turn.
 * @param {string} text
 * @param {CompiledRule[]} rules
 */
export function applyRules(text, rules) {
  return rules.reduce((made, { pattern, replacement }) => made.replace(pattern, (...found) =>
    replacement.map((part) => (typeof part === "number" ? found[part] ?? "" : part)).join("")), text);
}

/** @param {string} text */
export function stripped(text) { return text.replace(ENDS, ""); }
