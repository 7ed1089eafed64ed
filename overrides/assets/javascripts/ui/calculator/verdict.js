/* What the calculator answers: the rule that stops the run, what would pass, what would come next, and the numbers. */
import { needs, proposals } from "../../calculate/nearest.js";
import { address } from "../address.js";
import { element, fill } from "../dom.js";
import { shown } from "./form.js";

/** @typedef {import("../../calculate/engine.js").Definition} Definition */
/** @typedef {import("../../calculate/engine.js").Finding} Finding */
/** @typedef {import("../../calculate/engine.js").Values} Values */
/** @typedef {import("../../calculate/nearest.js").Change} Change */
/** @typedef {import("../../calculate/nearest.js").Need} Need */
/** @typedef {ReturnType<typeof import("../../calculate/engine.js").calculate>} Outcome */

/** @param {string} text */
function code(text) { return element("code", { textContent: text }); }

/**
 * @param {string} place
 * @param {string} text
 */
function link(place, text) { return element("a", { href: address(place), textContent: text }); }

export class Verdict {
  /**
   * @param {import("./form.js").Page} page
   * @param {(changes: Change[]) => void} apply told what the reader chooses
   * @param {(name: string) => void} focus told which input the reader chooses
   */
  constructor({ words, places }, apply, focus) {
    this.words = words;
    this.places = places;
    this.apply = apply;
    this.focus = focus;
  }

  /**
   * @param {Definition} definition
   * @param {string | null} name
   */
  inputName({ inputs }, name) {
    const input = inputs.find((one) => one.name === name);
    return input ? shown(input, this.words) : "";
  }

  /**
   * Parts with the separator of the language between them.
   * @param {(Node | string)[]} parts
   */
  separated(parts) { return parts.flatMap((part, at) => (at ? [this.words.calc_separator, part] : [part])); }

  /* ---- Rules that fail ------------------------------------------------------------------------------------------------ */

  /**
   * What one cause breaks, headed by the rule that the program hits first.
   * @param {Finding[]} group
   * @param {string} name
   */
  finding([one, ...others], name) {
    const { words } = this, [place, title] = this.places.entries[one.entry];
    const said = one.kind === "error" ? element("pre", { className: "fg-printed" }, [code(one.text)])
      : element("p", { textContent: words[one.kind === "zero" ? "calc_zero" : "calc_silent"] });
    const rule = element("dl", { className: "fg-calc__rule" }, [
      element("dt", { textContent: words.calc_must_hold }), element("dd", {}, [code(one.formula)]),
      element("dt", { textContent: words.calc_here }), element("dd", {}, [code(one.figures)]),
    ]);
    const where = element("p", { className: "fg-calc__where" }, [this.rule(one), " · ", link(place, title)]);
    const made = element("div", { className: `fg-calc__finding ${name}` }, [said, rule, where]);
    if (others.length) made.append(this.also(others));
    made.dataset.rule = one.rule;
    return made;
  }

  /** @param {Finding} one */
  rule({ anchor, rule, when }) {
    return element("span", {}, [link(`${this.places.rules}#${anchor}`, rule), ` · ${this.words[`when_${when}`]}`]);
  }

  /** @param {Finding[]} others */
  also(others) {
    const once = Array.from(new Map(others.map((one) => [`${one.rule} ${one.when}`, one])).values());
    return element("p", { className: "fg-calc__also" }, [`${this.words.calc_also} `, ...this.separated(once.map((one) => this.rule(one)))]);
  }

  /**
   * The first; then what would come next, and what prints nothing.
   * @param {Outcome} outcome
   * @returns {[first: HTMLElement[], later: HTMLElement[]]}
   */
  findings({ causes }) {
    const listed = (/** @type {Finding[][]} */ groups) => groups.map((group) => this.finding(group, ""));
    const loud = causes.filter(([head]) => head.kind !== "silent"), quiet = causes.filter(([head]) => head.kind === "silent");
    const later = loud.length < 2 ? [] : [element("details", { className: "fg-calc__later" }, [
      element("summary", { textContent: fill(this.words.calc_later, { count: loud.length - 1 }) }), ...listed(loud.slice(1)),
    ])];
    const silent = quiet.length ? [element("p", { className: "fg-calc__more", textContent: this.words.calc_quiet }), ...listed(quiet)] : [];
    return [loud.slice(0, 1).map((group) => this.finding(group, "fg-calc__first")), [...later, ...silent]];
  }

  /* ---- What to do ----------------------------------------------------------------------------------------------------- */

  /**
   * The changes, and a button that makes them.
   * @param {Definition} definition
   * @param {Change[]} changes
   */
  offer(definition, changes) {
    const texts = changes.map(([name, value]) => `${this.inputName(definition, name)} = ${value === null ? this.words.calc_blank : value}`);
    const button = element("button", { type: "button", className: "fg-calc__apply", textContent: this.words.calc_apply });
    button.setAttribute("aria-label", `${this.words.calc_apply}: ${texts.join(", ")}`);
    button.addEventListener("click", () => this.apply(changes));
    return [element("span", { className: "fg-calc__changes" }, texts.map(code)), button];
  }

  /**
   * @param {string} title
   * @param {HTMLElement[]} rows
   */
  offers(title, rows) {
    return [element("p", { className: "fg-calc__more", textContent: title }), element("ul", { className: "fg-calc__proposals" }, rows)];
  }

  /**
   * @param {Definition} definition
   * @param {Values} settings
   */
  proposals(definition, settings) {
    const found = proposals(definition, settings);
    if (!found.length) return this.needs(definition, settings);
    return this.offers(this.words.calc_nearest, found.map(({ changes }) => element("li", {}, this.offer(definition, changes))));
  }

  /**
   * Where no small change passes: what each rule asks for, and which to begin with.
   * @param {Definition} definition
   * @param {Values} settings
   */
  needs(definition, settings) {
    return this.offers(this.words.calc_no_nearest, needs(definition, settings).map((need) => this.need(definition, need)));
  }

  /**
   * @param {Definition} definition
   * @param {Need} need
   */
  need(definition, need) {
    const head = element("span", { className: "fg-calc__need" }, [element("strong", { textContent: need.rule })]);
    if (need.hardest) head.append(" ", element("small", { textContent: this.words.calc_hardest }));
    const made = element("li", {}, [head, ...(need.change ? this.offer(definition, [need.change]) : [this.bearing(definition, need)])]);
    made.dataset.rule = need.rule;
    return made;
  }

  /**
   * @param {Definition} definition
   * @param {Need} need
   */
  bearing(definition, { inputs }) {
    const [before, after] = this.words.calc_depends.split("{settings}");
    const buttons = inputs.map((name) => {
      const button = element("button", { type: "button", className: "fg-calc__go", textContent: this.inputName(definition, name) });
      button.addEventListener("click", () => this.focus(name));
      return button;
    });
    return element("span", {}, [before, ...this.separated(buttons), after]);
  }

  /* ---- Numbers -------------------------------------------------------------------------------------------------------- */

  /**
   * @param {Definition} definition
   * @param {Outcome} outcome
   */
  numbers(definition, { numbers }) {
    return numbers.flatMap((one) =>
      (!one.label || one.failure === "unused" ? [] : [element("dt", { textContent: this.words[one.label] }), this.number(definition, one)]));
  }

  /**
   * @param {Definition} definition
   * @param {Outcome["numbers"][0]} one
   */
  number(definition, { name, value, failure, of, figures, formula }) {
    const made = element("dd");
    made.dataset.number = name;
    if (failure) {
      made.textContent = fill(this.words[`calc_none_${failure}`], { of: this.inputName(definition, of) });
      return made;
    }
    made.append(element("strong", { textContent: String(value) }));
    if (figures !== String(value)) made.append(" = ", code(figures));
    if (formula !== figures) made.append(element("br"), element("small", {}, [code(formula)]));
    return made;
  }
}
