/* Whole numbers as Bash counts with them; null for what nobody can say. The meaning is defined in fieldguide/runtime/calculate/shell/arithmetic.py. */

/** @typedef {any[]} Shape */

const LARGEST = Number.MAX_SAFE_INTEGER;

/**
 * Division that drops what is behind the point.
 * @param {number} a
 * @param {number} b
 */
function quotient(a, b) { return b ? Math.trunc(a / b) + 0 : null; }

/**
 * @param {number} a
 * @param {number} b
 */
function power(a, b) {
  if (b < 0 || b > 64) return null;
  let made = 1;
  for (let i = 0; i < b; i++) {
    made *= a;
    if (Math.abs(made) > LARGEST) return null;
  }
  return made;
}

/** @type {Record<string, (a: number, b: number) => number | null>} */
const BINARY = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b + 0,
  "/": quotient,
  "%": (a, b) => (b ? a % b + 0 : null),
  "**": power,
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  "<": (a, b) => Number(a < b),
  "<=": (a, b) => Number(a <= b),
  ">": (a, b) => Number(a > b),
  ">=": (a, b) => Number(a >= b),
  "&&": (a, b) => Number(a !== 0 && b !== 0),
  "||": (a, b) => Number(a !== 0 || b !== 0),
};
/** @type {Record<string, (a: number) => number>} */
const UNARY = { "-": (a) => 0 - a, "+": (a) => a, "!": (a) => Number(a === 0) };

/**
 * The value of an expression.
 * @param {Shape} expression
 * @param {(word: Shape[]) => number | null} number what a word of it stands for
 * @returns {number | null}
 */
export function counted(expression, number) {
  const [kind, first, second, third] = expression;
  if (kind === "word") return number(first);
  if (kind === "choice") {
    const test = counted(first, number);
    return test === null ? null : counted(test ? second : third, number);
  }
  if (kind === "unary" && Object.hasOwn(UNARY, first)) {
    const value = counted(second, number);
    return value === null ? null : UNARY[first](value);
  }
  if (kind === "binary" && Object.hasOwn(BINARY, first)) {
    const a = counted(second, number), b = counted(third, number);
    const made = a === null || b === null ? null : BINARY[first](a, b);
    return made !== null && Math.abs(made) <= LARGEST ? made : null;
  }
  return null;
}
