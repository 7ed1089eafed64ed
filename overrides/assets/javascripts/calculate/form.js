/* The fields of the calculator: one for each setting of the framework, with a word beside it when it cannot be read. */
(function () {
  "use strict";
  var guide = window.fieldguide, dom = guide.dom;

  /* `page`: {words, places}; `changed(name, text)` is told what is typed. */
  function Form(page, element, changed) {
    this.page = page;
    this.element = element;
    this.changed = changed;
    this.rows = {};
  }

  function shown(one, words) {
    if (one.label) return words[one.label];
    return (one.role ? one.role + ": " : "") + one.shown;
  }
  function control(one, id) {
    var options = one.kind === "flag" ? ["true", "false"] : one.choices.map(function (choice) { return choice.value; });
    if (!options.length) {
      var mode = one.kind === "int" && one.least >= 0 ? "numeric" : "text";
      return dom.element("input", { id: id, type: "text", inputMode: mode, autocomplete: "off", spellcheck: false });
    }
    return dom.element("select", { id: id }, options.map(function (value) { return new Option(value, value); }));
  }
  /* A text that no option has gets one, so that what is wrong can be seen. */
  function put(input, text) {
    if (input.value === text) return;
    if (input.tagName === "SELECT" && !Array.prototype.some.call(input.options, function (option) { return option.value === text; })) {
      input.add(new Option(text || "–", text));
    }
    input.value = text;
  }

  Form.prototype.labelled = function (one, id) {
    var words = this.page.words;
    if (one.label) return [dom.element("label", { htmlFor: id, textContent: words[one.label] })];
    var role = one.role ? [dom.element("small", { textContent: one.role }), " "] : [];
    var label = dom.element("label", { htmlFor: id }, role.concat(dom.element("code", { textContent: one.shown })));
    var more = dom.element("a", { href: dom.address(this.page.places.keys[one.key]), textContent: "?", className: "fg-calc__key" });
    more.setAttribute("aria-label", dom.fill(words.calc_about, { key: one.shown }));
    return [label, more];
  };
  Form.prototype.build = function (definition) {
    var self = this;
    this.rows = {};
    this.element.replaceChildren.apply(this.element, definition.inputs.map(function (one) {
      var id = "fg-calc-" + one.name;
      var made = { input: control(one, id), note: dom.element("small", { id: id + "-note", className: "fg-calc__note" }) };
      made.input.setAttribute("aria-describedby", id + "-note");
      made.input.addEventListener("input", function () { self.changed(one.name, made.input.value); });
      made.row = dom.element("p", { className: "fg-calc__field" }, [
        dom.element("span", { className: "fg-calc__label" }, self.labelled(one, id)), made.input, made.note
      ]);
      self.rows[one.name] = made;
      return made.row;
    }));
  };

  /* Reads every field: {settings, bound, open}; `bound` has no default for what could not be read, since nothing is worked
     out from a guess; `open` counts such fields among those that bear on the rest. */
  Form.prototype.read = function (definition, state) {
    var self = this, readings = {}, settings = { version: state.version }, open = 0;
    definition.inputs.forEach(function (one) {
      var reading = readings[one.name] = guide.fields.readField(definition, one, state.texts[one.name], state.version);
      if (!reading.problem) settings[one.name] = reading.value;
    });
    var inputs = definition.inputs.map(function (one) {
      var reading = readings[one.name], row = self.rows[one.name];
      self.note(one, reading, state.texts[one.name]);
      row.row.hidden = !guide.nearest.applies(one, settings);
      if (reading.problem && !row.row.hidden) open++;
      return reading.problem ? Object.assign({}, one, { required: true }) : one;
    });
    return { settings: settings, bound: Object.assign({}, definition, { inputs: inputs }), open: open };
  };
  Form.prototype.note = function (one, reading, text) {
    var row = this.rows[one.name], said = reading.problem || reading.note;
    put(row.input, one.kind === "flag" && !reading.problem ? String(reading.value) : text);
    row.note.textContent = said ? dom.fill(this.page.words[said], reading.fills) : "";
    row.note.dataset.kind = reading.problem ? "error" : "";
    row.input.setAttribute("aria-invalid", String(!!reading.problem));
  };
  Form.prototype.focus = function (name) { this.rows[name].input.focus(); };

  guide.form = { Form: Form, shown: shown };
})();
