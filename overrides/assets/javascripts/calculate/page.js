/* Calculator page: fields and pastes in, numbers and the assertion that would fire out. */
(function () {
  "use strict";
  var box = document.querySelector("[data-fg=calculator]");
  if (!box) return;
  var guide = window.fieldguide, dom = guide.dom, cases = guide.cases;
  var definitions = JSON.parse(box.dataset.calculators);
  var page = { words: JSON.parse(box.dataset.words), places: JSON.parse(box.dataset.places) };
  var words = page.words, frameworks = Object.keys(definitions);
  var form = new guide.form.Form(page, part("fields"), function (name, text) { state.texts[name] = text; soon(); });
  var verdict = new guide.Verdict(page, apply, function (name) { form.focus(name); });
  var state = null, isRead = false, waiting = 0;

  function part(name) { return box.querySelector("[data-part=" + name + "]"); }
  function put(name, children) { part(name).replaceChildren.apply(part(name), children); }

  /* ---- Results ------------------------------------------------------------------------------------------------------- */

  function open(made) {
    state = made;
    form.build(definitions[state.framework]);
    put("version", definitions[state.framework].versions.map(function (name, index) { return new Option(name, String(index)); }).reverse());
    part("framework").value = state.framework;
    part("version").value = String(state.version);
    show();
  }
  function show() {
    var definition = definitions[state.framework], read = form.read(definition, state);
    var outcome = guide.engine.calculate(read.bound, read.settings), findings = verdict.findings(outcome);
    var kind = outcome.first ? "error" : read.open ? "open" : "fine";
    status(words[{ error: "calc_fires", open: "calc_open", fine: "calc_passes" }[kind]], kind, outcome.first ? outcome.first.rule : "");
    put("findings", findings[0]);
    put("proposals", outcome.first ? verdict.proposals(read.bound, read.settings) : []);
    part("proposals").hidden = !outcome.first;
    put("later", findings[1]);
    put("numbers", verdict.numbers(definition, outcome));
    part("results").hidden = false;
  }
  /* The line of the verdict, and the same where a phone shows nothing but fields. */
  function status(text, kind, rule) {
    part("status").textContent = text;
    part("status").dataset.kind = part("now").dataset.kind = kind;
    part("now").textContent = (text + " " + rule).trim();
  }
  /* What could not be read has no verdict, and that of an earlier text must not stand there. */
  function showNothing() {
    status(words.calc_unread, "error", "");
    ["findings", "proposals", "later", "numbers"].forEach(function (name) { put(name, []); });
    part("proposals").hidden = part("results").hidden = true;
  }
  function soon() {
    clearTimeout(waiting);
    waiting = setTimeout(function () {
      if (part("read").dataset.kind === "error") { isRead = false; say([]); }
      show();
      remember();
    }, 120);
  }
  function remember() {
    cases.toAddress(definitions, state);
    cases.keep(definitions, state, part("text").value, isRead);
  }
  function apply(changes) {
    changes.forEach(function (change) { state.texts[change[0]] = change[1] === null ? "" : String(change[1]); });
    show();
    remember();
    bringIntoView();
  }
  /* The first line of the verdict and what follows it. */
  function bringIntoView() {
    var top = part("status").getBoundingClientRect().top;
    if (top > innerHeight * 0.55 || top < 100) part("verdict").scrollIntoView({ block: "start" });
  }

  /* ---- Paste --------------------------------------------------------------------------------------------------------- */

  function say(lines, kind) {
    part("read").dataset.kind = kind || "";
    put("read", lines.map(function (line) { return dom.element("p", { textContent: line }); }));
  }
  /* The case that the pasted text describes, with what to say about it; null when it cannot be read, which is said too. */
  function described() {
    try {
      var settings = guide.paste.readPaste(part("text").value);
      var framework = guide.paste.guessFramework(definitions, settings);
      if (!framework) throw new guide.paste.PasteError("calc_paste_unknown");
      var found = guide.paste.toFields(definitions[framework], settings), made = cases.fresh(definitions, framework, "default");
      Object.assign(made.texts, found.fields);
      var said = { count: Object.keys(found.fields).length, framework: definitions[framework].name, others: found.others };
      say([dom.fill(words.calc_paste_done, said)].concat(Object.keys(found.slips).map(function (name) {
        return dom.fill(words.calc_slip, { name: name, meant: found.slips[name] });
      })));
      return made;
    } catch (error) {
      if (!(error instanceof guide.paste.PasteError)) throw error;
      say([dom.fill(words[error.problem], error.fills)], "error");
      return null;
    }
  }
  function withYaml() { return dom.load("assets/vendor/js-yaml/js-yaml.min.js"); }
  function read() {
    clearTimeout(waiting);
    isRead = true;
    withYaml().then(function () {
      var made = described();
      if (made) open(made); else showNothing();
      remember();
      bringIntoView();
    });
  }

  part("paste").addEventListener("submit", function (event) { event.preventDefault(); read(); });
  part("text").addEventListener("focus", withYaml);
  part("text").addEventListener("paste", function () { setTimeout(read, 0); });
  part("text").addEventListener("input", function () { cases.keep(definitions, state, part("text").value, false); });

  /* ---- Choices, buttons, the way back -------------------------------------------------------------------------------- */

  part("form").addEventListener("submit", function (event) { event.preventDefault(); });
  part("framework").addEventListener("change", function (event) {
    isRead = false;
    say([]);
    open(cases.fresh(definitions, event.target.value, "start"));
    remember();
  });
  part("version").addEventListener("change", function (event) {
    state.version = Number(event.target.value);
    soon();
  });
  part("now").addEventListener("click", function () { part("verdict").scrollIntoView({ block: "start" }); });
  part("reset").addEventListener("click", function () {
    part("text").value = "";
    isRead = false;
    say([]);
    open(cases.fresh(definitions, state.framework, "start"));
    remember();
    part("paste").scrollIntoView({ block: "nearest" });
  });
  dom.copyButton(part("copy"), function () {
    cases.toAddress(definitions, state);
    return location.href;
  });

  function start() {
    var asked = cases.fromAddress(definitions), kept = cases.kept(definitions, asked);
    var chosen = document.documentElement.dataset.framework;
    part("text").value = kept ? kept.text : "";
    isRead = !!kept && kept.isRead;
    open(asked || (kept && kept.state) || cases.fresh(definitions, frameworks.indexOf(chosen) >= 0 ? chosen : frameworks[0], "start"));
    if (isRead) withYaml().then(function () { if (!described()) showNothing(); });
    if (new URLSearchParams(location.search).has("calc")) cases.toAddress(definitions, state);
  }
  put("framework", frameworks.map(function (name) { return new Option(definitions[name].name, name); }));
  start();
  window.addEventListener("hashchange", function () {
    var asked = cases.fromAddress(definitions);
    if (asked) { say([]); open(asked); remember(); }
  });
})();
