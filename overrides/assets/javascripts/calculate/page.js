/* Calculator page: fields and pastes in, numbers and the assertion that would fire out. The case stands in the address. */
(function () {
  "use strict";
  var box = document.querySelector("[data-fg=calculator]");
  if (!box) return;
  var guide = window.fieldguide;
  var definitions = JSON.parse(box.dataset.calculators);
  var places = JSON.parse(box.dataset.places);
  var words = JSON.parse(box.dataset.words);
  var config = JSON.parse(document.getElementById("__config").textContent);
  var base = new URL(config.base.replace(/\/?$/, "/"), location.href).href;
  var frameworks = Object.keys(definitions);
  var rows = {};
  var state = null;
  var waiting = 0;

  function part(name) { return box.querySelector("[data-part=" + name + "]"); }
  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, function (all, name) { return name in values ? String(values[name]) : all; });
  }
  function element(name, values, children) {
    var made = Object.assign(document.createElement(name), values);
    (children || []).forEach(function (child) { made.append(child); });
    return made;
  }
  /* Opened from a folder, a link names the file. */
  function address(place) {
    return base + (location.protocol === "file:" ? place.replace(/\/(?=#|$)/, "/index.html") : place);
  }
  function link(place, text) { return element("a", { href: address(place), textContent: text }); }
  function code(text) { return element("code", { textContent: text }); }
  function textOf(value) { return value === null || value === undefined ? "" : String(value); }

  /* ---- State: framework, version and the text of each field ------------------------------------------------------------ */

  function fresh(framework, name) {
    var definition = definitions[framework], texts = {};
    definition.inputs.forEach(function (one) { texts[one.name] = textOf(one[name]); });
    return { framework: framework, version: definition.versions.length - 1, texts: texts };
  }
  function fromAddress() {
    var asked = guide.address.read();
    var wanted = asked.get("calc") || document.documentElement.dataset.framework;
    var made = fresh(frameworks.indexOf(wanted) >= 0 ? wanted : frameworks[0], "start");
    if (asked.get("calc") !== made.framework) return made;
    var version = definitions[made.framework].versions.indexOf(asked.get("version"));
    if (version >= 0) made.version = version;
    Object.keys(made.texts).forEach(function (name) { if (asked.has(name)) made.texts[name] = asked.get(name); });
    return made;
  }
  function toAddress() {
    var definition = definitions[state.framework], asked = new URLSearchParams({ calc: state.framework });
    if (state.version !== definition.versions.length - 1) asked.set("version", definition.versions[state.version]);
    definition.inputs.forEach(function (one) {
      if (state.texts[one.name] !== textOf(one.start)) asked.set(one.name, state.texts[one.name]);
    });
    guide.address.write(asked);
  }

  /* ---- Fields --------------------------------------------------------------------------------------------------------- */

  function shown(one) {
    if (one.label) return words[one.label];
    return (one.role ? one.role + ": " : "") + one.shown;
  }
  function labelled(one, id) {
    if (one.label) return [element("label", { htmlFor: id, textContent: words[one.label] })];
    var label = element("label", { htmlFor: id }, (one.role ? [element("small", { textContent: one.role }), " "] : []).concat(code(one.shown)));
    var more = link(places.keys[one.key], "?");
    more.className = "fg-calc__key";
    more.setAttribute("aria-label", fill(words.calc_about, { key: one.shown }));
    return [label, more];
  }
  function control(one, id) {
    var options = one.kind === "flag" ? ["true", "false"] : one.choices.map(function (choice) { return choice.value; });
    if (!options.length) {
      var mode = one.kind === "int" && one.least >= 0 ? "numeric" : "text";
      return element("input", { id: id, type: "text", inputMode: mode, autocomplete: "off", spellcheck: false });
    }
    return element("select", { id: id }, options.map(function (value) { return new Option(value, value); }));
  }
  function build() {
    var definition = definitions[state.framework];
    rows = {};
    part("fields").replaceChildren.apply(part("fields"), definition.inputs.map(function (one) {
      var id = "fg-calc-" + one.name;
      var made = { input: control(one, id), note: element("small", { id: id + "-note", className: "fg-calc__note" }) };
      made.input.setAttribute("aria-describedby", id + "-note");
      made.input.addEventListener("input", function () { state.texts[one.name] = made.input.value; soon(); });
      made.row = element("p", { className: "fg-calc__field" }, [
        element("span", { className: "fg-calc__label" }, labelled(one, id)), made.input, made.note
      ]);
      rows[one.name] = made;
      return made.row;
    }));
    part("version").replaceChildren.apply(part("version"), definition.versions.map(function (name, index) {
      return new Option(name, String(index));
    }).reverse());
    part("framework").value = state.framework;
    part("version").value = String(state.version);
    show();
  }
  /* A text that no option has gets one, so that what is wrong can be seen. */
  function put(input, text) {
    if (input.value === text) return;
    if (input.tagName === "SELECT" && !Array.prototype.some.call(input.options, function (option) { return option.value === text; })) {
      input.add(new Option(text || "–", text));
    }
    input.value = text;
  }
  function normal(one, reading) {
    return one.kind === "flag" && !reading.problem ? String(reading.value) : state.texts[one.name];
  }
  function note(one, reading) {
    var row = rows[one.name], said = reading.problem || reading.note;
    put(row.input, normal(one, reading));
    row.note.textContent = said ? fill(words[said], reading.fills) : "";
    row.note.dataset.kind = reading.problem ? "error" : "";
    row.input.setAttribute("aria-invalid", String(!!reading.problem));
  }

  /* ---- Results -------------------------------------------------------------------------------------------------------- */

  function soon() {
    clearTimeout(waiting);
    waiting = setTimeout(function () { show(); toAddress(); }, 120);
  }
  /* An input that could not be read has no default: nothing is worked out from a guess. */
  function without(definition, readings) {
    return Object.assign({}, definition, {
      inputs: definition.inputs.map(function (one) {
        return readings[one.name].problem ? Object.assign({}, one, { required: true }) : one;
      })
    });
  }
  function show() {
    var definition = definitions[state.framework], readings = {}, settings = { version: state.version };
    definition.inputs.forEach(function (one) {
      readings[one.name] = guide.fields.readField(definition, one, state.texts[one.name], state.version);
      if (!readings[one.name].problem) settings[one.name] = readings[one.name].value;
    });
    var open = 0;
    definition.inputs.forEach(function (one) {
      note(one, readings[one.name]);
      rows[one.name].row.hidden = !applies(one, settings);
      if (readings[one.name].problem && !rows[one.name].row.hidden) open++;
    });
    var bound = without(definition, readings);
    var outcome = guide.engine.calculate(bound, settings);
    part("status").textContent = words[outcome.first ? "calc_fires" : open ? "calc_open" : "calc_passes"];
    part("status").dataset.kind = outcome.first ? "error" : open ? "open" : "fine";
    part("findings").replaceChildren.apply(part("findings"), findings(outcome));
    part("proposals").replaceChildren.apply(part("proposals"), outcome.first ? proposals(bound, settings) : []);
    part("numbers").replaceChildren.apply(part("numbers"), numbers(definition, outcome));
    part("copy").textContent = part("copy").dataset.idle;
  }
  function applies(one, settings) {
    try {
      return guide.expression.evaluate(one.only, settings) === true;
    } catch (error) {
      if (!(error instanceof guide.expression.Failure)) throw error;
      return true;
    }
  }
  function findings(outcome) {
    var later = outcome.findings.filter(function (one) { return one !== outcome.first && one.kind !== "silent"; });
    var quiet = outcome.findings.filter(function (one) { return one.kind === "silent"; });
    var made = outcome.first ? [finding(outcome.first, "fg-calc__first")] : [];
    [["calc_later", later], ["calc_quiet", quiet]].forEach(function (group) {
      if (!group[1].length) return;
      made.push(element("p", { className: "fg-calc__more", textContent: words[group[0]] }));
      group[1].forEach(function (one) { made.push(finding(one, "")); });
    });
    return made;
  }
  function finding(one, name) {
    var entry = places.entries[one.entry];
    var head = element("p", {}, [link(places.rules + "#" + one.anchor, one.rule), " · " + words["when_" + one.when] + " · ", link(entry[0], entry[1])]);
    var text = one.kind === "error" ? element("pre", {}, [code(one.text)]) : element("p", {}, [words[one.kind === "zero" ? "calc_zero" : "calc_silent"]]);
    var rule = element("p", { className: "fg-calc__rule" }, [words.calc_must_hold + " ", code(one.formula)]);
    if (one.figures) rule.append(" ", code(one.figures));
    var made = element("div", { className: "fg-calc__finding " + name }, [head, text, rule]);
    made.dataset.rule = one.rule;
    return made;
  }
  function proposals(definition, settings) {
    var found = guide.engine.proposals(definition, settings);
    if (!found.length) return [element("p", { textContent: words.calc_no_nearest })];
    var list = element("ul", { className: "fg-calc__proposals" }, found.map(function (one) {
      var text = one.changes.map(function (change) {
        var input = definition.inputs.filter(function (item) { return item.name === change[0]; })[0];
        return shown(input) + " = " + change[1];
      }).join(", ");
      var button = element("button", { type: "button", className: "fg-calc__apply", textContent: words.calc_apply });
      button.setAttribute("aria-label", words.calc_apply + ": " + text);
      button.addEventListener("click", function () {
        one.changes.forEach(function (change) { state.texts[change[0]] = String(change[1]); });
        show();
        toAddress();
        part("status").scrollIntoView({ block: "nearest" });
      });
      return element("li", {}, [code(text), " ", button]);
    }));
    return [element("p", { className: "fg-calc__more", textContent: words.calc_nearest }), list];
  }
  function numbers(definition, outcome) {
    var made = [];
    outcome.numbers.forEach(function (one) {
      if (!one.label || one.failure === "unused") return;
      var value = element("dd", {});
      if (one.failure) {
        var of = definition.inputs.filter(function (input) { return input.name === one.of; })[0];
        value.textContent = fill(words["calc_none_" + one.failure], { of: of ? shown(of) : "" });
      } else {
        value.append(element("strong", { textContent: String(one.value) }));
        if (one.figures !== String(one.value)) value.append(" = ", code(one.figures));
        if (one.formula !== one.figures) value.append(element("br"), element("small", {}, [code(one.formula)]));
      }
      value.dataset.number = one.name;
      made.push(element("dt", { textContent: words[one.label] }), value);
    });
    return made;
  }

  /* ---- Paste, choices, buttons ---------------------------------------------------------------------------------------- */

  function say(lines, kind) {
    part("read").dataset.kind = kind || "";
    part("read").replaceChildren.apply(part("read"), lines.map(function (line) { return element("p", { textContent: line }); }));
  }
  function read() {
    try {
      var settings = guide.paste.readPaste(part("text").value);
      var framework = guide.paste.guessFramework(definitions, settings);
      if (!framework) throw new guide.paste.PasteError("calc_paste_unknown");
      var found = guide.paste.toFields(definitions[framework], settings);
      state = fresh(framework, "default");
      Object.assign(state.texts, found.fields);
      build();
      toAddress();
      var said = { count: Object.keys(found.fields).length, framework: definitions[framework].name, others: found.others };
      say([fill(words.calc_paste_done, said)].concat(Object.keys(found.slips).map(function (name) {
        return fill(words.calc_slip, { name: name, meant: found.slips[name] });
      })));
    } catch (error) {
      if (!(error instanceof guide.paste.PasteError)) throw error;
      say([fill(words[error.problem], error.fills)], "error");
    }
  }
  part("paste").addEventListener("submit", function (event) { event.preventDefault(); read(); });
  part("text").addEventListener("paste", function () { setTimeout(read, 0); });
  part("form").addEventListener("submit", function (event) { event.preventDefault(); });
  part("framework").addEventListener("change", function (event) {
    state = fresh(event.target.value, "start");
    build();
    toAddress();
  });
  part("version").addEventListener("change", function (event) {
    state.version = Number(event.target.value);
    show();
    toAddress();
  });
  part("reset").addEventListener("click", function () {
    state = fresh(state.framework, "start");
    part("text").value = "";
    say([]);
    build();
    toAddress();
  });
  part("copy").addEventListener("click", function () {
    toAddress();
    (navigator.clipboard ? navigator.clipboard.writeText(location.href) : Promise.reject()).catch(copySelected).then(function () {
      part("copy").textContent = part("copy").dataset.done;
    });
  });
  /* Where the clipboard is closed to scripts, a selection still is not. */
  function copySelected() {
    var field = element("textarea", { value: location.href, className: "fg-calc__link" });
    box.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }

  part("framework").replaceChildren.apply(part("framework"), frameworks.map(function (name) {
    return new Option(definitions[name].name, name);
  }));
  part("text").value = "";
  function open() {
    state = fromAddress();
    build();
  }
  guide.address.watch(open);
  open();
})();
