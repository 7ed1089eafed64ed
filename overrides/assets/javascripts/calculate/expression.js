/*
 * The small language of rules and quantities, as fieldguide/runtime/calculate/expression.py compiles it: nested lists in which a name
 * is a text and everything else that is no literal is [operator, operand …]. One set of test vectors holds both to the same
 * meaning.
 */

/** @typedef {number | boolean | string | null} Value */
/** @typedef {Value | Operation} Expression */
/** @typedef {[operator: string, ...operands: Expression[]]} Operation */
/** @typedef {Record<string, any>} Values of inputs and quantities by name: Value, as far as rules and their types go */

const LARGEST = Number.MAX_SAFE_INTEGER;
const ATOM = 9;
/** @type {Record<string, number>} */
const STRENGTH = {
  "if": 0, or: 1, and: 2, not: 3, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, is: 4, "is not": 4,
  "+": 5, "-": 5, "*": 6, "//": 6, "%": 6,
};

/*
 * Why an expression has no value: kind is "missing" (name says what), "zero" or "large". No Error, which would note its stack:
 * thousands are thrown and caught while values are tried.
 */
export class Failure {
  /**
   * @param {"missing" | "zero" | "large"} kind
   * @param {string} [name]
   */
  constructor(kind, name = "") {
    this.kind = kind;
    this.name = name;
  }
}

/** @param {number} value */
function whole(value) {
  if (Math.abs(value) > LARGEST) throw new Failure("large");
  return value;
}

/** @param {number} value */
function divisor(value) {
  if (value === 0) throw new Failure("zero");
  return value;
}

/**
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
function gcd(a, b) { return b ? gcd(b, a % b) : Math.abs(a); }

/** @type {Record<string, (...operands: any[]) => any>} */
const OPERATIONS = {
  "+": (a, b) => whole(a + b),
  "-": (a, b) => whole(a - b),
  "*": (a, b) => whole(a * b),
  "//": (a, b) => Math.floor(a / divisor(b)) + 0,
  "%": (a, b) => ((a % divisor(b)) + b) % b + 0,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  is: (a, b) => a === b,
  "is not": (a, b) => a !== b,
  not: (a) => !a,
  min: Math.min,
  max: Math.max,
  lcm: (...all) => all.reduce((a, b) => (a && b ? whole(a / gcd(a, b) * b) : 0), 1),
  ceildiv: (a, b) => Math.ceil(a / divisor(b)) + 0,
};

/**
 * @param {Expression} node
 * @param {Values} values
 * @returns {any} a Value
 */
export function evaluate(node, values) {
  if (typeof node === "string") {
    if (!Object.hasOwn(values, node)) throw new Failure("missing", node);
    return values[node];
  }
  if (!Array.isArray(node)) return node;
  const [operator, ...operands] = node;
  const value = (/** @type {Expression} */ operand) => evaluate(operand, values);
  if (operator === "text") return operands[0];
  if (operator === "if") return value(operands[value(operands[0]) ? 1 : 2]);
  if (operator === "and") return operands.every(value);
  if (operator === "or") return operands.some(value);
  return OPERATIONS[operator](...operands.map(value));
}

/**
 * The expression without the branches that these values do not take.
 * @param {Expression} node
 * @param {Values} values
 * @returns {Expression}
 */
export function taken(node, values) {
  if (!Array.isArray(node) || node[0] === "text") return node;
  const [operator, ...operands] = node;
  if (operator === "if") return taken(operands[evaluate(operands[0], values) ? 1 : 2], values);
  return [operator, ...operands.map((operand) => taken(operand, values))];
}

/**
 * A value as Python prints it.
 * @param {unknown} value
 */
export function literal(value) {
  return value === true ? "True" : value === false ? "False" : value === null ? "None" : String(value);
}

/**
 * @param {Expression} node
 * @param {(name: string) => string} name how a name is written
 * @param {number} [outer] strength of what it stands in
 * @returns {string}
 */
export function render(node, name, outer = 0) {
  if (typeof node === "string") return name(node);
  if (!Array.isArray(node)) return literal(node);
  const [operator, ...operands] = node, strength = STRENGTH[operator] ?? ATOM;
  const text = rendered(operator, operands, name, strength);
  return strength < outer ? `(${text})` : text;
}

/**
 * @param {string} operator
 * @param {Expression[]} operands
 * @param {(name: string) => string} name
 * @param {number} strength
 */
function rendered(operator, operands, name, strength) {
  const part = (/** @type {number} */ index, /** @type {number} */ outer) => render(operands[index], name, outer);
  if (operator === "text") return String(operands[0]);
  if (operator === "if") return `${part(1, strength + 1)} if ${part(0, strength + 1)} else ${part(2, strength + 1)}`;
  if (operator === "not") return `not ${part(0, strength)}`;
  if (operator === "ceildiv") return `ceil(${part(0, 6)} / ${part(1, 7)})`;
  if (strength === ATOM) return `${operator}(${operands.map((one) => render(one, name)).join(", ")})`;
  // The right side of - // % needs its parentheses even at equal strength.
  return operands.map((_, index) => part(index, strength + (index > 0 ? 1 : 0))).join(` ${operator} `);
}

/**
 * @param {Expression} node
 * @returns {string[]}
 */
export function namesIn(node) {
  if (typeof node === "string") return [node];
  if (!Array.isArray(node) || node[0] === "text") return [];
  const [, ...operands] = node;
  return operands.flatMap(namesIn);
}
