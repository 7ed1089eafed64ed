/*
 * From settings to numbers, to the assertions that would fire, and to the nearest settings that pass. The meaning is defined
 * in fieldguide/calculate/engine.py; recorded results of upstream code hold both to it.
 */
(function (global) {
  "use strict";
  var language = global.fieldguide.expression;
  var LARGEST_INPUT = 100000000;
  // The search: settings tried at most, values of each input where two are changed, and proposals that are enough.
  var TRIED = 2000, PAIRED = 12, SHOWN = 4;

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
  function finding(item, kind, state, symbols) {
    var made = {
      rule: item.rule, anchor: item.anchor, entry: item.entry, when: item.when, kind: kind, text: "",
      formula: inNames(item.check, symbols), figures: ""
    };
    if (kind === "zero") return made;
    var shown = item.show.map(function (one) { return language.literal(language.evaluate(one, state.values)); });
    made.text = item.error.map(function (piece) { return piece === null ? shown.shift() : piece; }).join("");
    made.figures = inFigures(item.check, state.values);
    return made;
  }
  function calculate(definition, settings) {
    var state = workedOut(definition, settings), symbols = symbolsOf(definition), findings = [];
    definition.cases.forEach(function (item) {
      var kind = verdict(item, state);
      if (kind) findings.push(finding(item, kind, state, symbols));
    });
    return {
      numbers: definition.quantities.map(function (one) { return number(one, state, symbols); }),
      findings: findings,
      first: findings.filter(function (one) { return one.kind !== "silent"; })[0] || null
    };
  }

  /* ---- Nearest settings that pass ------------------------------------------------------------------------------------ */

  function whole(value) { return Number.isInteger(value); }
  function movable(definition, failing, values) {
    var reached = new Set([].concat.apply([], failing.map(function (item) { return language.namesIn(item.check); })));
    definition.quantities.slice().reverse().forEach(function (quantity) {
      if (reached.has(quantity.name)) language.namesIn(quantity.value).forEach(function (name) { reached.add(name); });
    });
    return definition.inputs.filter(function (one) {
      return reached.has(one.name) && (one.kind === "int" || one.kind === "devices") && whole(values[one.name]);
    });
  }
  function remainders(node) {
    if (!Array.isArray(node) || node[0] === "text") return [];
    return (node[0] === "%" ? [node] : []).concat([].concat.apply([], node.slice(1).map(remainders)));
  }
  /* Both sides of every % in the failing cases. */
  function divided(failing, state) {
    var found = [];
    failing.forEach(function (item) {
      remainders(item.check).forEach(function (node) {
        node.slice(1).forEach(function (side) {
          try {
            var value = language.evaluate(side, state.values);
            if (whole(value) && value > 0) found.push(value);
          } catch (error) { failure(error, state.failures); }
        });
      });
    });
    return found;
  }
  function ratio(a, b) {
    return Math.min(a, b) > 0 ? Math.max(a, b) / Math.min(a, b) : Math.abs(a - b) + 1;
  }
  function nearby(failing, one, state) {
    var now = state.values[one.name], near = new Set();
    for (var step = -64; step <= 64; step++) near.add(now + step);
    for (step = 2; step < 9; step++) { near.add(now * step); near.add(Math.floor(now / step)); }
    divided(failing, state).forEach(function (value) {
      near.add(Math.floor(now / value) * value);
      near.add(Math.ceil(now / value) * value);
      for (var part = 1; part <= 64; part++) if (value % part === 0) near.add(value / part);
    });
    return Array.from(near).filter(function (value) {
      return value >= Math.max(one.least, 1) && value <= LARGEST_INPUT && value !== now;
    }).map(function (value) { return { distance: ratio(now, value), changes: [[one.name, value]] }; }).sort(nearer);
  }
  function nearer(a, b) { return a.distance - b.distance || a.changes[0][1] - b.changes[0][1]; }
  function passes(definition, settings, silent) {
    var state = workedOut(definition, settings);
    return definition.cases.every(function (item) {
      var kind = verdict(item, state);
      return kind === null || (kind === "silent" && silent.has(item.rule));
    });
  }
  /* The nearest candidates after which nothing fires, one for each set of inputs, among the nearest TRIED. */
  function passing(definition, settings, silent, candidates) {
    var found = [], seen = new Set();
    candidates.sort(function (a, b) { return a.distance - b.distance; }).slice(0, TRIED).some(function (candidate) {
      var inputs = candidate.changes.map(function (change) { return change[0]; }).join(" ");
      var changed = Object.assign({}, settings);
      candidate.changes.forEach(function (change) { changed[change[0]] = change[1]; });
      if (seen.has(inputs) || !passes(definition, changed, silent)) return false;
      seen.add(inputs);
      return found.push(candidate) === SHOWN;
    });
    return found;
  }
  function paired(near) {
    var pairs = [];
    near.forEach(function (first, index) {
      near.slice(index + 1).forEach(function (second) {
        first.slice(0, PAIRED).forEach(function (a) {
          second.slice(0, PAIRED).forEach(function (b) {
            pairs.push({ distance: a.distance * b.distance, changes: a.changes.concat(b.changes) });
          });
        });
      });
    });
    return pairs;
  }
  /* Small changes of one input, else of two, after which no assertion fires; one for each input, the smallest first. */
  function proposals(definition, settings) {
    var state = workedOut(definition, settings), failing = [], silent = new Set();
    definition.cases.forEach(function (item) {
      var kind = verdict(item, state);
      if (kind === "silent") silent.add(item.rule);
      else if (kind) failing.push(item);
    });
    var near = movable(definition, failing, state.values).map(function (one) { return nearby(failing, one, state); });
    var found = passing(definition, settings, silent, [].concat.apply([], near));
    return found.length ? found : passing(definition, settings, silent, paired(near));
  }

  global.fieldguide.engine = { LARGEST_INPUT: LARGEST_INPUT, calculate: calculate, proposals: proposals };
})(typeof self === "undefined" ? globalThis : self);
