/* Calculator page: fields and pastes in, numbers and the assertion that would fire out. */
import { calculate } from "../../calculate/engine.js";
import { Grammar } from "../../calculate/grammar.js";
import { choose, isAbout, isCompleted } from "../../calculate/choose.js";
import { SettingsError, readText, toFields } from "../../calculate/settings.js";
import { load } from "../address.js";
import { copyButton } from "../clipboard.js";
import { element, fill, findAll, parsed } from "../dom.js";
import { GIVEN, keep, kept } from "../session.js";
import { Tool } from "../tool.js";
import { fresh, fromAddress, keepCase, keptCase, toAddress } from "./cases.js";
import { Form } from "./form.js";
import { Verdict } from "./verdict.js";

const PAUSE = 120; // milliseconds without typing after which the verdict is worked out

const UNKNOWN = "${?}"; // stands in fields that a file which is not at hand may set

/** @returns {Promise<unknown>} */
function withYaml() { return load("assets/vendor/js-yaml/js-yaml.min.js"); }

/** @returns {Promise<unknown>} */
function withShell() { return load("assets/javascripts/shell.js"); }

class Calculator extends Tool {
  /** @param {HTMLElement} box */
  constructor(box) {
    super(box);
    /** @type {import("./cases.js").Definitions} */
    this.definitions = parsed(box.dataset.calculators);
    this.grammar = new Grammar(parsed(box.dataset.grammar));
    const page = { words: this.words, places: parsed(box.dataset.places), grammar: this.grammar };
    this.form = new Form(page, this.part("fields"), (name, text) => { this.state.texts[name] = text; this.soon(); });
    this.verdict = new Verdict(page, (changes) => this.apply(changes), (name) => this.form.focus(name));
    this.text = this.part("text", HTMLTextAreaElement);
    this.framework = this.part("framework", HTMLSelectElement);
    this.version = this.part("version", HTMLSelectElement);
    this.isRead = false;
    /** @type {string | null} the program that the pasted text starts, where none of the rules is about it */
    this.other = null;
    this.waiting = 0;
    const frameworks = Object.keys(this.definitions);
    this.put("framework", frameworks.map((name) => new Option(this.definitions[name].name, name)));
    this.state = this.start(frameworks);
    this.listen();
    const given = kept(GIVEN);
    if (!given) return;
    keep(GIVEN, null);
    this.text.value = given;
    this.read();
  }

  /**
   * The case that the address names, else the one that was kept, else the beginning.
   * @param {string[]} frameworks
   */
  start(frameworks) {
    const asked = fromAddress(this.definitions), kept = keptCase(this.definitions, asked);
    const { framework: chosen = "" } = document.documentElement.dataset;
    this.text.value = kept ? kept.text : "";
    this.isRead = kept !== null && kept.isRead;
    const first = frameworks.includes(chosen) ? chosen : frameworks[0];
    const state = asked || kept?.state || fresh(this.definitions, first, "start");
    this.open(state);
    if (this.isRead) this.ready().then(() => { if (this.described()) this.show(); else this.showNothing(); });
    if (new URLSearchParams(location.search).has("calc")) toAddress(this.definitions, state);
    return state;
  }

  listen() {
    this.part("paste").addEventListener("submit", (event) => { event.preventDefault(); this.read(); });
    this.text.addEventListener("focus", withYaml);
    this.text.addEventListener("paste", () => setTimeout(() => this.read(), 0));
    this.text.addEventListener("input", () => keepCase(this.definitions, this.state, this.text.value, false));
    this.part("form").addEventListener("submit", (event) => event.preventDefault());
    this.framework.addEventListener("change", () => this.begin(this.framework.value));
    this.version.addEventListener("change", () => { this.state.version = Number(this.version.value); this.soon(); });
    this.part("now").addEventListener("click", () => this.part("verdict").scrollIntoView({ block: "start" }));
    this.part("reset").addEventListener("click", () => {
      this.text.value = "";
      this.begin(this.state.framework);
      this.part("paste").scrollIntoView({ block: "nearest" });
    });
    copyButton(this.part("copy"), () => {
      toAddress(this.definitions, this.state);
      return location.href;
    });
    window.addEventListener("hashchange", () => {
      const asked = fromAddress(this.definitions);
      if (asked) { this.say([]); this.open(asked); this.remember(); }
    });
  }

  /* ---- Results -------------------------------------------------------------------------------------------------------- */

  /** @param {import("./cases.js").State} state */
  open(state) {
    this.state = state;
    const definition = this.definitions[state.framework];
    this.form.build(definition);
    this.put("version", definition.versions.map((name, index) => new Option(name, String(index))).reverse());
    this.framework.value = state.framework;
    this.version.value = String(state.version);
    this.show();
  }

  /**
   * A framework as it is before anybody has typed.
   * @param {string} framework
   */
  begin(framework) {
    this.isRead = false;
    this.other = null;
    this.say([]);
    this.open(fresh(this.definitions, framework, "start"));
    this.remember();
  }

  show() {
    const own = this.definitions[this.state.framework], definition = this.other === null ? own : { ...own, cases: [] };
    const { bound, settings, open } = this.form.read(definition, this.state);
    const outcome = calculate(bound, settings), [first, later] = this.verdict.findings(outcome), fires = outcome.first;
    if (fires) this.status(this.words.calc_fires, "error", fires.rule);
    else if (this.other !== null) this.status(fill(this.words.calc_not_judged, { program: this.other }), "open", "");
    else this.status(open ? this.words.calc_open : this.words.calc_passes, open ? "open" : "fine", "");
    this.put("findings", first);
    this.put("proposals", fires ? this.verdict.proposals(bound, settings) : []);
    this.part("proposals").hidden = !fires;
    this.put("later", later);
    this.put("numbers", this.verdict.numbers(definition, outcome));
    this.part("results").hidden = false;
  }

  /**
   * The line of the verdict, and the same where a phone shows nothing but fields.
   * @param {string} text
   * @param {string} kind
   * @param {string} rule
   */
  status(text, kind, rule) {
    this.part("status").textContent = text;
    this.part("now").textContent = `${text} ${rule}`.trim();
    for (const name of ["status", "now"]) this.part(name).dataset.kind = kind;
  }

  /** What could not be read has no verdict, and that of an earlier text must not stand there. */
  showNothing() {
    this.status(this.words.calc_unread, "error", "");
    for (const name of ["findings", "proposals", "later", "numbers"]) this.put(name, []);
    for (const name of ["proposals", "results"]) this.part(name).hidden = true;
  }

  soon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      if (this.part("read").dataset.kind === "error") { this.isRead = false; this.say([]); }
      this.show();
      this.remember();
    }, PAUSE);
  }

  remember() {
    toAddress(this.definitions, this.state);
    keepCase(this.definitions, this.state, this.text.value, this.isRead);
  }

  /** @param {import("../../calculate/nearest.js").Change[]} changes */
  apply(changes) {
    for (const [name, value] of changes) this.state.texts[name] = String(value ?? "");
    this.show();
    this.remember();
    this.bringIntoView();
  }

  /** The first line of the verdict and what follows it. */
  bringIntoView() {
    const { top } = this.part("status").getBoundingClientRect();
    if (top > innerHeight * 0.55 || top < 100) this.part("verdict").scrollIntoView({ block: "start" });
  }

  /* ---- Paste ---------------------------------------------------------------------------------------------------------- */

  /**
   * @param {string[]} lines
   * @param {string} [kind]
   */
  say(lines, kind = "") {
    this.part("read").dataset.kind = kind;
    this.put("read", lines.map((line) => element("p", { textContent: line })));
  }

  /** The case that the pasted text describes, with what to say about it; null when it cannot be read, which is said too. */
  described() {
    try {
      const pasted = readText(this.grammar, this.text.value, globalThis.goThrough), [framework, run] = choose(this.definitions, pasted);
      if (!framework) throw new SettingsError("calc_paste_unknown");
      const definition = this.definitions[framework], { fields, slips, others } = toFields(this.grammar, definition, run.settings);
      const done = fill(this.words.calc_paste_done, { count: Object.keys(fields).length, framework: definition.name, others });
      const missing = [...run.missing, ...pasted.missing].map((name) => fill(this.words.calc_file, { name }));
      const loose = pasted.stray === null ? [] : [fill(this.words.calc_stray, { name: pasted.stray })];
      const typed = Object.entries(slips).map(([name, meant]) => fill(this.words.calc_slip, { name, meant }));
      this.say([done, ...missing, ...loose, ...typed]);
      this.other = isAbout(definition, run) ? null : run.program ?? this.words.calc_other_program;
      const made = fresh(this.definitions, framework, "default");
      const open = this.unset(definition, run);
      const set = Object.entries(fields).filter(([name, text]) => !(name in open && this.grammar.search("nothing", text)));
      return { ...made, texts: { ...made.texts, ...open, ...Object.fromEntries(set) } };
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      this.say([fill(this.words[error.problem], error.fills)], "error");
      return null;
    }
  }

  /**
   * Where a file that is not at hand may set what this text leaves out, no default is certain.
   * @param {import("../../calculate/engine.js").Definition} definition
   * @param {import("../../calculate/launch.js").Run} run
   */
  unset(definition, { missing, isPartial, settings }) {
    if (!missing.length && !(isPartial && isCompleted(definition, settings))) return {};
    return Object.fromEntries(definition.inputs.filter(({ paths }) => paths.length).map(({ name }) => [name, UNKNOWN]));
  }

  /** What reads the text that stands there: a script needs its parser. */
  ready() { return Promise.all([withYaml(), ...(this.grammar.search("scriptLine", this.text.value) ? [withShell()] : [])]); }

  async read() {
    clearTimeout(this.waiting);
    this.isRead = true;
    await this.ready();
    const made = this.described();
    if (made) this.open(made); else this.showNothing();
    this.remember();
    this.bringIntoView();
  }
}

const [box] = findAll(document, "[data-fg=calculator]");
if (box) new Calculator(box);
