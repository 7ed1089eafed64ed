/*
 * From settings that fail to the nearest that pass, or to what each rule needs when no small change is enough. The meaning is
 * defined in fieldguide/runtime/calculate/nearest.py.
 */
(function (global) {
  "use strict";
  var language = global.fieldguide.expression, engine = global.fieldguide.engine;
  // The search: settings tried at most, values of each input where two are changed, and proposals that are enough.
  var TRIED = 2000, PAIRED = 12, SHOWN = 4;
  // Where two changes are not enough: settings tried before each further change, and changes at most.
  var STEP_TRIED = 400, STEPS = 6;
  var COMPARED = ["==", "<", "<=", ">", ">="];

  function flat(lists) { return [].concat.apply([], lists); }
  function whole(value) { return Number.isInteger(value); }
  function fails(kind) { return kind === "error" || kind === "zero"; }
  function withChanges(settings, changes) {
    var changed = Object.assign({}, settings);
    changes.forEach(function (change) { changed[change[0]] = change[1]; });
    return changed;
  }

  /* Small changes of one input, else of two, else of several, after which no assertion fires: [{distance, changes}]. */
  function proposals(definition, settings) {
    var now = standing(definition, settings);
    var near = movable(definition, now.failing, now.values).map(function (one) { return nearby(now.failing, one, now.values); });
    var found = passing(definition, settings, now.silent, flat(near));
    if (!found.length) found = passing(definition, settings, now.silent, paired(near));
    return found.length ? found : stepByStep(definition, settings, now.silent);
  }

  /* What each cause alone needs, in the order in which the program comes to them: [{rule, at, change, inputs, hardest}]. */
  function needs(definition, settings) {
    var values = engine.workedOut(definition, settings).values, hardest = null, farthest = -1;
    var found = engine.calculate(definition, settings).causes.filter(function (group) { return group[0].kind !== "silent"; }).map(function (group) {
      var item = definition.cases.filter(function (one) { return one.at === group[0].at; })[0];
      var near = satisfying(definition, settings, item, values);
      var made = { rule: item.rule, at: item.at, change: near ? near.changes[0] : null, inputs: bearing(definition, item, values), hardest: false };
      var distance = near ? near.distance : Infinity;
      if (distance > farthest) { farthest = distance; hardest = made; }
      return made;
    });
    if (hardest) hardest.hardest = true;
    return found;
  }

  function standing(definition, settings) {
    var state = engine.workedOut(definition, settings), failing = [], silent = new Set();
    definition.cases.forEach(function (item) {
      var kind = engine.verdict(item, state);
      if (fails(kind)) failing.push(item); else if (kind) silent.add(item.rule);
    });
    return { failing: failing, silent: silent, values: state.values };
  }
  function satisfying(definition, settings, item, values) {
    return nearest(definition, [item], values).filter(function (one) {
      return engine.verdict(item, engine.workedOut(definition, withChanges(settings, one.changes))) === null;
    })[0] || null;
  }
  function bearing(definition, item, values) {
    var names = reached(definition, [item]);
    return definition.inputs.filter(function (one) { return names.has(one.name) && applies(one, values); }).map(function (one) { return one.name; });
  }
  /* Whether a setting has any bearing beside these others; yes, as long as that cannot be told. */
  function applies(one, values) {
    try {
      return language.evaluate(one.only, values) === true;
    } catch (error) {
      if (!(error instanceof language.Failure)) throw error;
      return true;
    }
  }

  /* ---- Values to try ------------------------------------------------------------------------------------------------- */

  function named(items) { return new Set(flat(items.map(function (item) { return language.namesIn(item.check); }))); }
  function reached(definition, items) {
    var names = named(items);
    definition.quantities.slice().reverse().forEach(function (quantity) {
      if (names.has(quantity.name)) language.namesIn(quantity.value).forEach(function (name) { names.add(name); });
    });
    return names;
  }
  /* Inputs to change: numbers that the cases depend on, and flags and numbers not set that their conditions name. */
  function movable(definition, failing, values) {
    var all = reached(definition, failing), direct = named(failing);
    return definition.inputs.filter(function (one) {
      var now = values[one.name];
      if (!all.has(one.name)) return false;
      if (one.kind === "flag") return direct.has(one.name) && typeof now === "boolean";
      return (one.kind === "int" || one.kind === "devices") && (whole(now) || (now === null && one.optional && direct.has(one.name)));
    });
  }
  /* Values near the present one, by ratio: its neighbours, and multiples and divisors of what the failing cases divide. */
  function nearby(failing, one, values) {
    var now = values[one.name], near = new Set();
    function candidate(distance, value) { return { distance: distance, changes: [[one.name, value]] }; }
    if (typeof now === "boolean") return [candidate(1, !now)];
    var start = now === null ? 1 : now;   // what is not set begins with the smallest
    for (var step = -64; step <= 64; step++) near.add(start + step);
    sides(failing, COMPARED, values).forEach(function (value) { near.add(value); });
    for (step = 2; step < 9; step++) { near.add(start * step); near.add(Math.floor(start / step)); }
    sides(failing, ["%"], values).forEach(function (value) {
      near.add(Math.floor(start / value) * value);
      near.add(Math.ceil(start / value) * value);
      for (var part = 1; part <= 64; part++) if (value % part === 0) near.add(value / part);
    });
    var kept = Array.from(near).filter(function (value) {
      return value >= Math.max(one.least, 1) && value <= engine.LARGEST_INPUT && value !== now;
    }).map(function (value) { return candidate(ratio(start, value), value); }).sort(nearer);
    return (now !== null && mayBeNone(failing, one) ? [candidate(1, null)] : []).concat(kept);
  }
  /* Whether a condition would have a setting left out. */
  function mayBeNone(failing, one) {
    return one.optional && failing.some(function (item) {
      return nodes(item.check, ["is"]).some(function (node) { return node[1] === one.name && node[2] === null; });
    });
  }
  function ratio(a, b) {
    return Math.min(a, b) > 0 ? Math.max(a, b) / Math.min(a, b) : Math.abs(a - b) + 1;
  }
  function nearer(a, b) {
    var one = a.changes[0], other = b.changes[0];
    return a.distance - b.distance || (one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : one[1] - other[1]);
  }
  function nearest(definition, failing, values) {
    return flat(movable(definition, failing, values).map(function (one) { return nearby(failing, one, values); })).sort(nearer);
  }
  /* Both sides of every such operator in the failing cases, where they are positive numbers. */
  function sides(failing, operators, values) {
    var found = [];
    failing.forEach(function (item) {
      nodes(item.check, operators).forEach(function (node) {
        node.slice(1).forEach(function (side) {
          try {
            var value = language.evaluate(side, values);
            if (whole(value) && value > 0) found.push(value);
          } catch (error) {
            if (!(error instanceof language.Failure)) throw error;
          }
        });
      });
    });
    return found;
  }
  function nodes(node, operators) {
    if (!Array.isArray(node) || node[0] === "text") return [];
    return (operators.indexOf(node[0]) >= 0 ? [node] : []).concat(flat(node.slice(1).map(function (operand) { return nodes(operand, operators); })));
  }

  /* ---- Trying -------------------------------------------------------------------------------------------------------- */

  /* How many cases fire, or go wrong in silence where they did not before; counted up to `most`. */
  function faults(definition, settings, silent, most) {
    var state = engine.workedOut(definition, settings), count = 0;
    definition.cases.some(function (item) {
      var kind = engine.verdict(item, state);
      if (fails(kind) || (kind === "silent" && !silent.has(item.rule))) count++;
      return count === most;
    });
    return count;
  }
  /* The nearest candidates after which nothing fires, one for each set of inputs, among the nearest TRIED. */
  function passing(definition, settings, silent, candidates) {
    var found = [], seen = new Set();
    candidates.sort(function (a, b) { return a.distance - b.distance; }).slice(0, TRIED).some(function (candidate) {
      var inputs = candidate.changes.map(function (change) { return change[0]; }).join(" ");
      if (seen.has(inputs) || faults(definition, withChanges(settings, candidate.changes), silent, 1)) return false;
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
  /* Change after change, each the one that leaves the fewest faults; nothing when that does not end well. */
  function stepByStep(definition, settings, silent) {
    var changed = new Map(), distance = 1, least = faults(definition, settings, silent, definition.cases.length);
    for (var step = 0; step < STEPS; step++) {
      var now = withChanges(settings, Array.from(changed)), state = standing(definition, now), best = null;
      nearest(definition, state.failing, state.values).slice(0, STEP_TRIED).some(function (candidate) {
        var left = faults(definition, withChanges(now, candidate.changes), silent, least);
        if (left < least) { least = left; best = candidate; }
        return !least;
      });
      if (!best) return [];
      changed.set(best.changes[0][0], best.changes[0][1]);
      distance *= best.distance;
      if (!least) return [{ distance: distance, changes: Array.from(changed) }];
    }
    return [];
  }

  global.fieldguide.nearest = { proposals: proposals, needs: needs, applies: applies };
})(typeof self === "undefined" ? globalThis : self);
