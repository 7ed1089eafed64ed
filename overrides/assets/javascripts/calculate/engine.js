/*
 * From settings to numbers and to the assertions that would fire. The meaning is defined in fieldguide/runtime/calculate/engine.py;
 * recorded results of upstream code hold both to it.
 */
import { Failure, evaluate, literal, namesIn, render, taken } from "./expression.js";

/** @typedef {import("./expression.js").Expression} Expression */
/** @typedef {import("./expression.js").Value} Value */
/** @typedef {import("./expression.js").Values} Values */

/** @typedef {{ value: string, since: number, until: number, found: string[], also: string[] }} Choice */
/**
 * One setting of a framework.
 * @typedef {{
 *   name: string, symbol: string, kind: string, label: string | null, role: string | null, shown: string, key: string,
 *   paths: string[], choices: Choice[], default: Value, start: Value, required: boolean, optional: boolean, least: number, most: number,
 *   only: Expression, others: string | null,
 * }} Input
 */
/** @typedef {{ name: string, symbol: string, label: string | null, value: Expression, only: Expression }} Quantity */
/**
 * One place in a program at which a rule is checked.
 * @typedef {{
 *   rule: string, at: number, anchor: string, entry: string, when: string, since: number, until: number, only: Expression,
 *   check: Expression, error: (string | null)[], show: Expression[],
 * }} Case
 */
/**
 * A calculator, as fieldguide/content/definition.py writes it.
 * @typedef {{
 *   name: string, versions: string[], inputs: Input[], quantities: Quantity[], cases: Case[],
 *   placement: { listed: string | null, model: string | null, train: string | null, infer: string | null } | null,
 *   programs: string[], others: string[], unless: string[], completed: string[],
 * }} Definition
 */
/** @typedef {[kind: string, of: string | null]} Failed why a quantity has no value, and for want of what */
/** @typedef {{ values: Values, failures: Record<string, Failed> }} State */
/** @typedef {"error" | "silent" | "zero"} Kind */
/**
 * A case that does not hold.
 * @typedef {{
 *   rule: string, at: number, anchor: string, entry: string, when: string, kind: Kind, text: string, formula: string,
 *   figures: string, cause: string[],
 * }} Finding
 */

const DIVIDING = ["//", "%", "ceildiv"];

/**
 * @param {Definition} definition
 * @returns {Record<string, string>}
 */
function symbolsOf({ inputs, quantities }) {
  return Object.assign(Object.create(null), ...[...inputs, ...quantities].map(({ name, symbol }) => ({ [name]: symbol })));
}

/**
 * @param {unknown} error
 * @param {Record<string, Failed>} failures
 * @returns {Failed}
 */
function failure(error, failures) {
  if (!(error instanceof Failure)) throw error;
  if (error.kind === "missing") return failures[error.name] || ["missing", error.name];
  return [error.kind, null];
}

/**
 * Every input and quantity that has a value, and why the others have none.
 * @param {Definition} definition
 * @param {Values} settings
 */
export function workedOut(definition, settings) {
  /** @type {State} */
  const { values, failures } = { values: { version: definition.versions.length - 1 }, failures: {} };
  for (const one of definition.inputs) if (!one.required) values[one.name] = one.default;
  Object.assign(values, settings);
  for (const { name, only, value } of definition.quantities) {
    try {
      if (evaluate(only, values)) values[name] = evaluate(value, values);
      else failures[name] = ["unused", null];
    } catch (error) {
      failures[name] = failure(error, failures);
    }
  }
  return { values, failures };
}

/**
 * @param {Expression} node
 * @param {Record<string, string>} symbols
 */
function inNames(node, symbols) { return render(node, (name) => symbols[name] || name); }

/**
 * @param {Expression} node
 * @param {Values} values
 */
function inFigures(node, values) { return render(node, (name) => literal(values[name])); }

/**
 * @param {Quantity} one
 * @param {State} state
 * @param {Record<string, string>} symbols
 */
function number({ name, label, value }, { values, failures }, symbols) {
  const failed = failures[name];
  if (failed) return { name, label, value: null, failure: failed[0], of: failed[1], formula: "", figures: "" };
  const node = taken(value, values);
  return { name, label, value: values[name], failure: null, of: null, formula: inNames(node, symbols), figures: inFigures(node, values) };
}

/**
 * How a case does not hold; null when it does, or has no bearing.
 * @param {Case} item
 * @param {State} state
 * @returns {Kind | null}
 */
export function verdict(item, { values, failures }) {
  if (values.version < item.since || values.version > item.until) return null;
  try {
    if (!evaluate(item.only, values) || evaluate(item.check, values)) return null;
    return item.error.length ? "error" : "silent";
  } catch (error) {
    return failure(error, failures)[0] === "zero" ? "zero" : null;
  }
}

/**
 * @param {Definition} definition
 * @param {Case} item
 * @param {Kind} kind
 * @param {Values} values
 * @param {Record<string, string>} symbols
 * @returns {Finding}
 */
function finding(definition, item, kind, values, symbols) {
  const named = (/** @type {Expression} */ node) => inNames(node, symbols);
  const { rule, at, anchor, entry, when, check } = item, shared = { rule, at, anchor, entry, when, kind, formula: named(check) };
  if (kind === "zero") {
    const divisor = named(zero(check, values, definition.quantities));
    return { ...shared, text: "", cause: [divisor], figures: `${divisor} = 0` };
  }
  const shown = item.show.map((one) => literal(evaluate(one, values)));
  return {
    ...shared,
    text: item.error.map((piece) => piece ?? shown.shift()).join(""),
    cause: untrue(check, values).map(named),
    figures: figures(check, values, symbols),
  };
}

/**
 * `30 % 8 == 0`; where something is not set or is no number, what each name stands for.
 * @param {Expression} check
 * @param {Values} values
 * @param {Record<string, string>} symbols
 */
function figures(check, values, symbols) {
  const names = Array.from(new Set(namesIn(check)));
  if (names.every((name) => Number.isInteger(values[name]))) return inFigures(check, values);
  return names.map((name) => `${symbols[name] || name} = ${literal(values[name])}`).join(", ");
}

/**
 * The parts of a condition that does not hold for which it does not.
 * @param {Expression} node
 * @param {Values} values
 * @returns {Expression[]}
 */
function untrue(node, values) {
  if (!Array.isArray(node) || (node[0] !== "and" && node[0] !== "or")) return [node];
  const [, ...operands] = node;
  return operands.filter((operand) => !evaluate(operand, values)).flatMap((operand) => untrue(operand, values));
}

/**
 * The divisor that is zero, in an expression that divides by zero or in a quantity that it needs; else null.
 * @param {Expression} node
 * @param {Values} values
 * @param {Quantity[]} quantities
 * @returns {Expression}
 */
function zero(node, values, quantities) {
  if (typeof node === "string") {
    const quantity = quantities.find(({ name }) => name === node);
    return Object.hasOwn(values, node) || !quantity ? null : zero(quantity.value, values, quantities);
  }
  if (!Array.isArray(node) || node[0] === "text") return null;
  const [operator, ...operands] = node;
  const parts = operator === "if" ? [operands[0], operands[evaluate(operands[0], values) ? 1 : 2]] : operands;
  for (const part of parts) {
    const found = zero(part, values, quantities);
    if (found !== null) return found;
  }
  return DIVIDING.includes(operator) && evaluate(operands[1], values) === 0 ? operands[1] : null;
}

/**
 * Findings that have one cause together, each headed by the one that the program hits first; silent ones apart.
 * @param {Finding[]} findings
 */
function causesOf(findings) {
  /** @type {Finding[][]} */
  const groups = [];
  for (const one of findings) {
    const same = groups.find(([head]) => sameCause(head, one));
    if (same) same.push(one); else groups.push([one]);
  }
  return groups;
}

/**
 * @param {Finding} one
 * @param {Finding} other
 */
function sameCause(one, other) {
  const within = (/** @type {Finding} */ a, /** @type {Finding} */ b) => a.cause.every((part) => b.cause.includes(part));
  return (one.kind === "silent") === (other.kind === "silent") && (within(one, other) || within(other, one));
}

/**
 * @param {Definition} definition
 * @param {Values} settings
 */
export function calculate(definition, settings) {
  const state = workedOut(definition, settings), symbols = symbolsOf(definition);
  const findings = definition.cases.flatMap((item) => {
    const kind = verdict(item, state);
    return kind ? [finding(definition, item, kind, state.values, symbols)] : [];
  });
  return {
    numbers: definition.quantities.map((one) => number(one, state, symbols)),
    findings,
    causes: causesOf(findings),
    first: findings.find(({ kind }) => kind !== "silent") || null,
  };
}
