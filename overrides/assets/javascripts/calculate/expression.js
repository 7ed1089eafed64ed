/*
 * The small language of rules and quantities, as fieldguide/runtime/calculate/expression.py compiles it: nested lists in which a name
 * is a text and everything else that is no literal is [operator, operand …]. One set of test vectors holds both to the same
 * meaning.
 */
(function (global) {
  "use strict";
  var LARGEST = Number.MAX_SAFE_INTEGER;
  var ATOM = 9;
  var STRENGTH = {
    "if": 0, or: 1, and: 2, not: 3, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, is: 4, "is not": 4,
    "+": 5, "-": 5, "*": 6, "//": 6, "%": 6
  };

  /* Why an expression has no value: kind is "missing" (name says what), "zero" or "large". */
  function Failure(kind, name) {
    this.kind = kind;
    this.name = name || "";
  }
  function whole(value) {
    if (Math.abs(value) > LARGEST) throw new Failure("large");
    return value;
  }
  function divisor(value) {
    if (value === 0) throw new Failure("zero");
    return value;
  }
  function gcd(a, b) { return b ? gcd(b, a % b) : Math.abs(a); }

  var OPERATIONS = {
    "+": function (a, b) { return whole(a + b); },
    "-": function (a, b) { return whole(a - b); },
    "*": function (a, b) { return whole(a * b); },
    "//": function (a, b) { return Math.floor(a / divisor(b)) + 0; },
    "%": function (a, b) { return ((a % divisor(b)) + b) % b + 0; },
    "==": function (a, b) { return a === b; },
    "!=": function (a, b) { return a !== b; },
    "<": function (a, b) { return a < b; },
    "<=": function (a, b) { return a <= b; },
    ">": function (a, b) { return a > b; },
    ">=": function (a, b) { return a >= b; },
    "is": function (a, b) { return a === b; },
    "is not": function (a, b) { return a !== b; },
    not: function (a) { return !a; },
    min: Math.min,
    max: Math.max,
    lcm: function () {
      return Array.prototype.reduce.call(arguments, function (a, b) { return a && b ? whole(a / gcd(a, b) * b) : 0; }, 1);
    },
    ceildiv: function (a, b) { return Math.ceil(a / divisor(b)) + 0; }
  };

  function evaluate(node, values) {
    if (typeof node === "string") {
      if (!Object.prototype.hasOwnProperty.call(values, node)) throw new Failure("missing", node);
      return values[node];
    }
    if (!Array.isArray(node)) return node;
    var operator = node[0], operands = node.slice(1);
    function value(operand) { return evaluate(operand, values); }
    if (operator === "text") return operands[0];
    if (operator === "if") return value(operands[value(operands[0]) ? 1 : 2]);
    if (operator === "and") return operands.every(value);
    if (operator === "or") return operands.some(value);
    return OPERATIONS[operator].apply(null, operands.map(value));
  }

  /* The expression without the branches that these values do not take. */
  function taken(node, values) {
    if (!Array.isArray(node) || node[0] === "text") return node;
    if (node[0] === "if") return taken(node[evaluate(node[1], values) ? 2 : 3], values);
    return [node[0]].concat(node.slice(1).map(function (operand) { return taken(operand, values); }));
  }

  function literal(value) {
    return value === true ? "True" : value === false ? "False" : value === null ? "None" : String(value);
  }
  function render(node, name, outer) {
    if (typeof node === "string") return name(node);
    if (!Array.isArray(node)) return literal(node);
    var strength = node[0] in STRENGTH ? STRENGTH[node[0]] : ATOM;
    var text = rendered(node[0], node.slice(1), name, strength);
    return outer !== undefined && strength < outer ? "(" + text + ")" : text;
  }
  function rendered(operator, operands, name, strength) {
    function part(index, outer) { return render(operands[index], name, outer); }
    if (operator === "text") return operands[0];
    if (operator === "if") return part(1, strength + 1) + " if " + part(0, strength + 1) + " else " + part(2, strength + 1);
    if (operator === "not") return "not " + part(0, strength);
    if (operator === "ceildiv") return "ceil(" + part(0, 6) + " / " + part(1, 7) + ")";
    if (strength === ATOM) return operator + "(" + operands.map(function (one) { return render(one, name); }).join(", ") + ")";
    // The right side of - // % needs its parentheses even at equal strength.
    return operands.map(function (_, index) { return part(index, strength + (index > 0 ? 1 : 0)); }).join(" " + operator + " ");
  }
  function namesIn(node) {
    if (typeof node === "string") return [node];
    if (!Array.isArray(node) || node[0] === "text") return [];
    return [].concat.apply([], node.slice(1).map(namesIn));
  }

  global.fieldguide = global.fieldguide || {};
  global.fieldguide.expression = {
    Failure: Failure, evaluate: evaluate, taken: taken, render: render, literal: literal, namesIn: namesIn
  };
})(typeof self === "undefined" ? globalThis : self);
