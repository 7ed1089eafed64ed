/* Values of one input that may make settings pass which fail, the nearest first; as in fieldguide/runtime/calculate/nearest.py. */
import { Failure, evaluate, namesIn } from "./expression.js";

/** @typedef {import("./engine.js").Case} Case */
/** @typedef {import("./engine.js").Definition} Definition */
/** @typedef {import("./engine.js").Input} Input */
/** @typedef {import("./expression.js").Expression} Expression */
/** @typedef {import("./expression.js").Values} Values */
/** @typedef {[input: string, value: number | boolean | null]} Change */
/** @typedef {{ distance: number, changes: Change[] }} Candidate */

const COMPARED = ["==", "<", "<=", ">", ">="];

/**
 * The value of an expression; `otherwise` when it has none.
 * @param {Expression} node
 * @param {Values} values
 * @param {import("./expression.js").Value} otherwise
 */
function valueOr(node, values, otherwise) {
  try {
    return evaluate(node, values);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return otherwise;
  }
}

/**
 * Whether a setting has any bearing beside these others; yes, as long as that cannot be told.
 * @param {Input} one
 * @param {Values} values
 */
export function applies(one, values) { return valueOr(one.only, values, true) === true; }

/** @param {Case[]} items */
function named(items) { return new Set(items.flatMap(({ check }) => namesIn(check))); }

/**
 * @param {Definition} definition
 * @param {Case[]} items
 */
export function reached({ quantities }, items) {
  const names = named(items);
  for (const { name, value } of quantities.toReversed()) if (names.has(name)) for (const one of namesIn(value)) names.add(one);
  return names;
}

/**
 * Inputs to change: numbers that the cases depend on, and flags and numbers not set that their conditions name.
 * @param {Definition} definition
 * @param {Case[]} failing
 * @param {Values} values
 */
export function movable(definition, failing, values) {
  const all = reached(definition, failing), direct = named(failing);
  return definition.inputs.filter(({ name, kind, optional }) => {
    const now = values[name];
    if (!all.has(name)) return false;
    if (kind === "flag") return direct.has(name) && typeof now === "boolean";
    return (kind === "int" || kind === "devices") && (Number.isInteger(now) || (now === null && optional && direct.has(name)));
  });
}

/**
 * Values near the present one, by ratio: its neighbours, and multiples and divisors of what the failing cases divide.
 * @param {Case[]} failing
 * @param {Input} one
 * @param {Values} values
 */
export function nearby(failing, one, values) {
  /** @type {(distance: number, value: number | boolean | null) => Candidate} */
  const candidate = (distance, value) => ({ distance, changes: [[one.name, value]] });
  const now = values[one.name];
  if (typeof now === "boolean") return [candidate(1, !now)];
  const start = now === null ? 1 : now; // what is not set begins with the smallest
  const near = around(start, sides(failing, COMPARED, values), sides(failing, ["%"], values));
  const kept = Array.from(near).filter((value) => value >= Math.max(one.least, 1) && value <= one.most && value !== now)
    .map((value) => candidate(ratio(start, value), value)).sort(nearer);
  return now !== null && mayBeNone(failing, one) ? [candidate(1, null), ...kept] : kept;
}

/**
 * @param {number} start
 * @param {number[]} compared numbers that something is compared with
 * @param {number[]} divided numbers that divide or are divided
 */
function around(start, compared, divided) {
  const near = new Set(compared);
  for (let step = -64; step <= 64; step++) near.add(start + step);
  for (let step = 2; step < 9; step++) near.add(start * step).add(Math.floor(start / step));
  for (const value of divided) {
    near.add(Math.floor(start / value) * value).add(Math.ceil(start / value) * value);
    for (let part = 1; part <= 64; part++) if (value % part === 0) near.add(value / part);
  }
  return near;
}

/**
 * Whether a condition would have a setting left out.
 * @param {Case[]} failing
 * @param {Input} one
 */
function mayBeNone(failing, one) {
  return one.optional && failing.some(({ check }) =>
    nodes(check, ["is"]).some(([, left, right]) => left === one.name && right === null));
}

/**
 * @param {number} a
 * @param {number} b
 */
function ratio(a, b) { return Math.min(a, b) > 0 ? Math.max(a, b) / Math.min(a, b) : Math.abs(a - b) + 1; }

/**
 * @param {Candidate} a
 * @param {Candidate} b
 */
function nearer(a, b) {
  const [[one, value]] = a.changes, [[other, otherValue]] = b.changes;
  return a.distance - b.distance || (one < other ? -1 : one > other ? 1 : Number(value) - Number(otherValue));
}

/**
 * @param {Definition} definition
 * @param {Case[]} failing
 * @param {Values} values
 */
export function nearest(definition, failing, values) {
  return movable(definition, failing, values).flatMap((one) => nearby(failing, one, values)).sort(nearer);
}

/**
 * Both sides of every such operator in the failing cases, where they are positive numbers.
 * @param {Case[]} failing
 * @param {string[]} operators
 * @param {Values} values
 * @returns {number[]}
 */
function sides(failing, operators, values) {
  return failing.flatMap(({ check }) => nodes(check, operators)).flatMap(([, ...operands]) => operands)
    .map((side) => valueOr(side, values, null)).filter((value) => Number.isInteger(value) && value > 0);
}

/**
 * @param {Expression} node
 * @param {string[]} operators
 * @returns {import("./expression.js").Operation[]}
 */
function nodes(node, operators) {
  if (!Array.isArray(node) || node[0] === "text") return [];
  const [operator, ...operands] = node, below = operands.flatMap((operand) => nodes(operand, operators));
  return operators.includes(operator) ? [node, ...below] : below;
}
