/*
 * A case: framework, version and the text of each field. It is in the address behind the #, which no request holds, and is
 * kept in this tab.
 */
(function () {
  "use strict";
  var STORE = "fieldguide.calculator";
  var LONGEST = 200000;   // characters of a pasted text that are kept
  var dom = window.fieldguide.dom;

  function textOf(value) { return value === null || value === undefined ? "" : String(value); }

  /* The fields with their `start` or `default`, in the newest version. */
  function fresh(definitions, framework, name) {
    var definition = definitions[framework], texts = {};
    definition.inputs.forEach(function (one) { texts[one.name] = textOf(one[name]); });
    return { framework: framework, version: definition.versions.length - 1, texts: texts };
  }
  /* `get` gives a value or null: calc, version, and a field for each name. */
  function named(definitions, get) {
    var framework = get("calc");
    if (!Object.prototype.hasOwnProperty.call(definitions, framework || "")) return null;
    var made = fresh(definitions, framework, "start");
    var version = definitions[framework].versions.indexOf(get("version"));
    if (version >= 0) made.version = version;
    Object.keys(made.texts).forEach(function (name) { if (get(name) !== null) made.texts[name] = get(name); });
    return made;
  }
  function parameters(definitions, state) {
    var definition = definitions[state.framework], made = new URLSearchParams({ calc: state.framework });
    if (state.version !== definition.versions.length - 1) made.set("version", definition.versions[state.version]);
    definition.inputs.forEach(function (one) {
      if (state.texts[one.name] !== textOf(one.start)) made.set(one.name, state.texts[one.name]);
    });
    return made;
  }
  function read(definitions, parameters) {
    return named(definitions, function (name) { return parameters.get(name); });
  }

  /* The case that the address names, behind the # or, as links once were written, behind the ?; null when it names none. */
  function fromAddress(definitions) {
    return read(definitions, new URLSearchParams(location.hash.slice(1))) || read(definitions, new URLSearchParams(location.search));
  }
  function toAddress(definitions, state) {
    var made = new URL(location.href), framework = made.searchParams.get("fw");
    made.search = framework === null ? "" : new URLSearchParams({ fw: framework });
    made.hash = parameters(definitions, state);
    history.replaceState(history.state, "", made);
  }

  /* `text`: what stands in the box for a paste; `isRead`: whether it was read. */
  function keep(definitions, state, text, isRead) {
    dom.keep(STORE, { made: String(parameters(definitions, state)), text: text.slice(0, LONGEST), isRead: isRead });
  }
  /* {state, text, isRead} as kept, when the address names the same case or none; else null. */
  function kept(definitions, asked) {
    var found = dom.kept(STORE);
    var state = found && read(definitions, new URLSearchParams(found.made));
    if (!state || (asked && String(parameters(definitions, asked)) !== found.made)) return null;
    return { state: state, text: found.text, isRead: found.isRead };
  }

  window.fieldguide.cases = { fresh: fresh, fromAddress: fromAddress, toAddress: toAddress, keep: keep, kept: kept };
})();
