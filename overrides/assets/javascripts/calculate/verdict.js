/* What the calculator answers: the rule that stops the run, what would pass, what would come next, and the numbers. */
(function () {
  "use strict";
  var guide = window.fieldguide, dom = guide.dom, element = dom.element;

  /* `page`: {words, places}; `apply(changes)` and `focus(name of an input)` are told what the reader chooses. */
  function Verdict(page, apply, focus) {
    this.words = page.words;
    this.places = page.places;
    this.apply = apply;
    this.focus = focus;
  }
  function code(text) { return element("code", { textContent: text }); }
  function link(place, text) { return element("a", { href: dom.address(place), textContent: text }); }
  function inputOf(definition, name) {
    return definition.inputs.filter(function (one) { return one.name === name; })[0];
  }

  /* ---- Rules that fail ----------------------------------------------------------------------------------------------- */

  /* What one cause breaks, headed by the rule that the program hits first. */
  Verdict.prototype.finding = function (group, name) {
    var one = group[0], words = this.words, entry = this.places.entries[one.entry];
    var said = one.kind === "error" ? element("pre", { className: "fg-printed" }, [code(one.text)])
      : element("p", { textContent: words[one.kind === "zero" ? "calc_zero" : "calc_silent"] });
    var rule = element("dl", { className: "fg-calc__rule" }, [
      element("dt", { textContent: words.calc_must_hold }), element("dd", {}, [code(one.formula)]),
      element("dt", { textContent: words.calc_here }), element("dd", {}, [code(one.figures)])
    ]);
    var where = element("p", { className: "fg-calc__where" }, [this.rule(one), " · ", link(entry[0], entry[1])]);
    var made = element("div", { className: "fg-calc__finding " + name }, [said, rule, where]);
    if (group.length > 1) made.append(this.also(group.slice(1)));
    made.dataset.rule = one.rule;
    return made;
  };
  Verdict.prototype.rule = function (one) {
    return element("span", {}, [link(this.places.rules + "#" + one.anchor, one.rule), " · " + this.words["when_" + one.when]]);
  };
  Verdict.prototype.also = function (others) {
    var line = element("p", { className: "fg-calc__also", textContent: this.words.calc_also + " " }), self = this;
    var once = others.filter(function (one, at) {
      return others.findIndex(function (other) { return other.rule === one.rule && other.when === one.when; }) === at;
    });
    once.forEach(function (one, at) { line.append(at ? this.words.calc_separator : "", self.rule(one)); }, this);
    return line;
  };

  /* [first, would come next, prints nothing]: lists of elements. */
  Verdict.prototype.findings = function (outcome) {
    var self = this;
    function listed(groups, name) { return groups.map(function (group) { return self.finding(group, name); }); }
    var loud = outcome.causes.filter(function (group) { return group[0].kind !== "silent"; });
    var quiet = outcome.causes.filter(function (group) { return group[0].kind === "silent"; });
    var later = loud.length < 2 ? [] : [element("details", { className: "fg-calc__later" }, [
      element("summary", { textContent: dom.fill(this.words.calc_later, { count: loud.length - 1 }) })
    ].concat(listed(loud.slice(1), "")))];
    if (quiet.length) later = later.concat(element("p", { className: "fg-calc__more", textContent: this.words.calc_quiet }), listed(quiet, ""));
    return [listed(loud.slice(0, 1), "fg-calc__first"), later];
  };

  /* ---- What to do ---------------------------------------------------------------------------------------------------- */

  Verdict.prototype.change = function (definition, change) {
    var value = change[1] === null ? this.words.calc_blank : String(change[1]);
    return guide.form.shown(inputOf(definition, change[0]), this.words) + " = " + value;
  };
  /* The changes, and a button that makes them. */
  Verdict.prototype.offer = function (definition, changes) {
    var self = this, texts = changes.map(function (change) { return self.change(definition, change); });
    var button = element("button", { type: "button", className: "fg-calc__apply", textContent: this.words.calc_apply });
    button.setAttribute("aria-label", this.words.calc_apply + ": " + texts.join(", "));
    button.addEventListener("click", function () { self.apply(changes); });
    return [element("span", { className: "fg-calc__changes" }, texts.map(code)), button];
  };
  Verdict.prototype.proposals = function (definition, settings) {
    var self = this, found = guide.nearest.proposals(definition, settings);
    if (!found.length) return this.needs(definition, settings);
    return [element("p", { className: "fg-calc__more", textContent: this.words.calc_nearest }),
      element("ul", { className: "fg-calc__proposals" }, found.map(function (one) {
        return element("li", {}, self.offer(definition, one.changes));
      }))];
  };
  /* Where no small change passes: what each rule asks for, and which to begin with. */
  Verdict.prototype.needs = function (definition, settings) {
    var self = this, words = this.words;
    return [element("p", { className: "fg-calc__more", textContent: words.calc_no_nearest }),
      element("ul", { className: "fg-calc__proposals" }, guide.nearest.needs(definition, settings).map(function (need) {
        var head = element("span", { className: "fg-calc__need" }, [element("strong", { textContent: need.rule })]);
        if (need.hardest) head.append(" ", element("small", { textContent: words.calc_hardest }));
        var made = element("li", {}, [head].concat(need.change ? self.offer(definition, [need.change]) : self.bearing(definition, need)));
        made.dataset.rule = need.rule;
        return made;
      }))];
  };
  Verdict.prototype.bearing = function (definition, need) {
    var self = this, text = this.words.calc_depends.split("{settings}"), made = element("span", {}, [text[0]]);
    need.inputs.forEach(function (name, at) {
      var button = element("button", { type: "button", className: "fg-calc__go", textContent: guide.form.shown(inputOf(definition, name), self.words) });
      button.addEventListener("click", function () { self.focus(name); });
      made.append(at ? self.words.calc_separator : "", button);
    });
    made.append(text[1]);
    return [made];
  };

  /* ---- Numbers ------------------------------------------------------------------------------------------------------- */

  Verdict.prototype.numbers = function (definition, outcome) {
    var self = this, made = [];
    outcome.numbers.forEach(function (one) {
      if (!one.label || one.failure === "unused") return;
      made.push(element("dt", { textContent: self.words[one.label] }), self.number(definition, one));
    });
    return made;
  };
  Verdict.prototype.number = function (definition, one) {
    var value = element("dd", {});
    value.dataset.number = one.name;
    if (one.failure) {
      var of = inputOf(definition, one.of);
      value.textContent = dom.fill(this.words["calc_none_" + one.failure], { of: of ? guide.form.shown(of, this.words) : "" });
      return value;
    }
    value.append(element("strong", { textContent: String(one.value) }));
    if (one.figures !== String(one.value)) value.append(" = ", code(one.figures));
    if (one.formula !== one.figures) value.append(element("br"), element("small", {}, [code(one.formula)]));
    return value;
  };

  guide.Verdict = Verdict;
})();
