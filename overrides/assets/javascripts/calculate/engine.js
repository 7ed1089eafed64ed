/*
 * From settings to numbers and to the assertions that would fire. The meaning is defined in fieldguide/runtime/calculate/engine.py;
 * recorded results of upstream code hold both to it.
 */
(function (global) {
  "use strict";
  var language = global.fieldguide.expression;
  var LARGEST_INPUT = 100000000;

  function symbolsOf(definition) {
    var symbols = Object.create(null);
    definition.inputs.concat(definition.quantities).forEach(function (one) { symbols[one.name] = one.symbol; });
    return symbols;
  }
  function failure(error, failures) {
    if (!(error instanceof language.Failure)) throw error;
    if (error.kind === "missing") return failures[error.name] || ["missing", error.name];
    return [error.kind, null];
  }
  function workedOut(definition, settings) {
    var values = { version: definition.versions.length - 1 }, failures = {};
    definition.inputs.forEach(function (one) { if (!one.required) values[one.name] = one["default"]; });
    Object.assign(values, settings);
    definition.quantities.forEach(function (quantity) {
      try {
        if (language.evaluate(quantity.only, values)) values[quantity.name] = language.evaluate(quantity.value, values);
        else failures[quantity.name] = ["unused", null];
      } catch (error) {
        failures[quantity.name] = failure(error, failures);
      }
    });
    return { values: values, failures: failures };
  }
  function inNames(node, symbols) {
    return language.render(node, function (name) { return symbols[name] || name; });
  }
  function inFigures(node, values) {
    return language.render(node, function (name) { return language.literal(values[name]); });
  }
  function number(one, state, symbols) {
    var failed = state.failures[one.name];
    if (failed) return { name: one.name, label: one.label, value: null, failure: failed[0], of: failed[1], formula: "", figures: "" };
    var node = language.taken(one.value, state.values);
    return {
      name: one.name, label: one.label, value: state.values[one.name], failure: null, of: null,
      formula: inNames(node, symbols), figures: inFigures(node, state.values)
    };
  }
  function verdict(item, state) {
    if (state.values.version < item.since) return null;
    try {
      if (!language.evaluate(item.only, state.values) || language.evaluate(item.check, state.values)) return null;
      return item.error.length ? "error" : "silent";
    } catch (error) {
      return failure(error, state.failures)[0] === "zero" ? "zero" : null;
    }
  }
  function finding(definition, item, kind, state, symbols) {
    function named(node) { return inNames(node, symbols); }
    var made = { rule: item.rule, at: item.at, anchor: item.anchor, entry: item.entry, when: item.when, kind: kind, text: "", formula: named(item.check) };
    if (kind === "zero") {
      made.cause = [named(zero(item.check, state.values, definition.quantities))];
      made.figures = made.cause[0] + " = 0";
      return made;
    }
    var shown = item.show.map(function (one) { return language.literal(language.evaluate(one, state.values)); });
    made.text = item.error.map(function (piece) { return piece === null ? shown.shift() : piece; }).join("");
    made.cause = untrue(item.check, state.values).map(named);
    made.figures = figures(item.check, state.values, symbols);
    return made;
  }
  /* `30 % 8 == 0`; where something is not set or is no number, what each name stands for. */
  function figures(check, values, symbols) {
    var names = Array.from(new Set(language.namesIn(check)));
    if (names.every(function (name) { return Number.isInteger(values[name]); })) return inFigures(check, values);
    return names.map(function (name) { return (symbols[name] || name) + " = " + language.literal(values[name]); }).join(", ");
  }
  /* The parts of a condition that does not hold for which it does not. */
  function untrue(node, values) {
    if (!Array.isArray(node) || (node[0] !== "and" && node[0] !== "or")) return [node];
    var parts = node.slice(1).filter(function (operand) { return !language.evaluate(operand, values); });
    return [].concat.apply([], parts.map(function (operand) { return untrue(operand, values); }));
  }
  /* The divisor that is zero, in an expression that divides by zero or in a quantity that it needs; else null. */
  function zero(node, values, quantities) {
    if (typeof node === "string") {
      var quantity = quantities.filter(function (one) { return one.name === node; })[0];
      return has(values, node) || !quantity ? null : zero(quantity.value, values, quantities);
    }
    if (!Array.isArray(node) || node[0] === "text") return null;
    var parts = node[0] === "if" ? [node[1], node[language.evaluate(node[1], values) ? 2 : 3]] : node.slice(1);
    for (var i = 0; i < parts.length; i++) {
      var found = zero(parts[i], values, quantities);
      if (found !== null) return found;
    }
    return ["//", "%", "ceildiv"].indexOf(node[0]) >= 0 && language.evaluate(node[2], values) === 0 ? node[2] : null;
  }
  function has(object, name) { return Object.prototype.hasOwnProperty.call(object, name); }

  /* Findings that have one cause together, each headed by the one that the program hits first; silent ones apart. */
  function causesOf(findings) {
    var groups = [];
    findings.forEach(function (one) {
      var same = groups.filter(function (group) { return sameCause(group[0], one); })[0];
      if (same) same.push(one); else groups.push([one]);
    });
    return groups;
  }
  function sameCause(one, other) {
    function within(a, b) { return a.cause.every(function (part) { return b.cause.indexOf(part) >= 0; }); }
    return (one.kind === "silent") === (other.kind === "silent") && (within(one, other) || within(other, one));
  }

  function calculate(definition, settings) {
    var state = workedOut(definition, settings), symbols = symbolsOf(definition), findings = [];
    definition.cases.forEach(function (item) {
      var kind = verdict(item, state);
      if (kind) findings.push(finding(definition, item, kind, state, symbols));
    });
    return {
      numbers: definition.quantities.map(function (one) { return number(one, state, symbols); }),
      findings: findings,
      causes: causesOf(findings),
      first: findings.filter(function (one) { return one.kind !== "silent"; })[0] || null
    };
  }

  global.fieldguide.engine = { LARGEST_INPUT: LARGEST_INPUT, calculate: calculate, workedOut: workedOut, verdict: verdict };
})(typeof self === "undefined" ? globalThis : self);
