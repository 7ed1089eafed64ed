/* The fields of the calculator: one for each setting of the framework, with a word beside it when it cannot be read. */
import { readField } from "../../calculate/fields.js";
import { applies } from "../../calculate/candidates.js";
import { address } from "../address.js";
import { element, fill } from "../dom.js";

/** @typedef {import("../../calculate/engine.js").Definition} Definition */
/** @typedef {import("../../calculate/engine.js").Input} Input */
/** @typedef {import("../../calculate/engine.js").Values} Values */
/** @typedef {import("../../calculate/fields.js").Reading} Reading */
/** @typedef {Record<string, string>} Words */
/** @typedef {{ keys: Record<string, string>, entries: Record<string, [place: string, title: string]>, rules: string }} Places */
/** @typedef {{ words: Words, places: Places, grammar: import("../../calculate/grammar.js").Grammar }} Page what the calculator's page says to its script */
/** @typedef {{ row: HTMLElement, input: HTMLInputElement | HTMLSelectElement, note: HTMLElement }} Row */

/**
 * What a setting is called.
 * @param {Input} one
 * @param {Words} words
 */
export function shown(one, words) {
  if (one.label) return words[one.label];
  return (one.role ? `${one.role}: ` : "") + one.shown;
}

/**
 * @param {Input} one
 * @param {string} id
 */
function control(one, id) {
  const options = one.kind === "flag" ? ["true", "false"] : one.choices.map(({ value }) => value);
  if (options.length) return element("select", { id }, options.map((value) => new Option(value, value)));
  const inputMode = one.kind === "int" && one.least >= 0 ? "numeric" : "text";
  return element("input", { id, type: "text", inputMode, autocomplete: "off", spellcheck: false });
}

/**
 * A text that no option has gets one, so that what is wrong can be seen.
 * @param {Row["input"]} input
 * @param {string} text
 */
function put(input, text) {
  if (input.value === text) return;
  if (input instanceof HTMLSelectElement && !Array.from(input.options).some(({ value }) => value === text)) {
    input.add(new Option(text || "–", text));
  }
  input.value = text;
}

export class Form {
  /**
   * @param {Page} page
   * @param {HTMLElement} box
   * @param {(name: string, text: string) => void} changed told what is typed
   */
  constructor({ words, places, grammar }, box, changed) {
    this.grammar = grammar;
    this.words = words;
    this.places = places;
    this.box = box;
    this.changed = changed;
    /** @type {Record<string, Row>} */
    this.rows = {};
  }

  /**
   * @param {Input} one
   * @param {string} id
   */
  labelled(one, id) {
    if (one.label) return [element("label", { htmlFor: id, textContent: this.words[one.label] })];
    const role = one.role ? [element("small", { textContent: one.role }), " "] : [];
    const label = element("label", { htmlFor: id }, [...role, element("code", { textContent: one.shown })]);
    const more = element("a", { href: address(this.places.keys[one.key]), textContent: "?", className: "fg-calc__key" });
    more.setAttribute("aria-label", fill(this.words.calc_about, { key: one.shown }));
    return [label, more];
  }

  /** @param {Definition} definition */
  build(definition) {
    this.rows = Object.fromEntries(definition.inputs.map((one) => [one.name, this.row(one)]));
    this.box.replaceChildren(...Object.values(this.rows).map(({ row }) => row));
  }

  /**
   * @param {Input} one
   * @returns {Row}
   */
  row(one) {
    const id = `fg-calc-${one.name}`, input = control(one, id);
    const note = element("small", { id: `${id}-note`, className: "fg-calc__note" });
    input.setAttribute("aria-describedby", note.id);
    input.addEventListener("input", () => this.changed(one.name, input.value));
    const label = element("span", { className: "fg-calc__label" }, this.labelled(one, id));
    return { row: element("p", { className: "fg-calc__field" }, [label, input, note]), input, note };
  }

  /**
   * Reads every field. `bound` has no default for what could not be read, since nothing is worked out from a guess; `open`
   * counts such fields among those that bear on the rest.
   * @param {Definition} definition
   * @param {import("./cases.js").State} state
   */
  read(definition, { texts, version }) {
    /** @type {Values} */
    const settings = { version };
    const readings = definition.inputs.map((one) => readField(this.grammar, definition, one, texts[one.name], version));
    definition.inputs.forEach(({ name }, i) => { if (!readings[i].problem) settings[name] = readings[i].value; });
    let open = 0;
    const inputs = definition.inputs.map((one, i) => {
      const { row } = this.rows[one.name], unread = readings[i].problem !== null;
      this.note(one, readings[i], texts[one.name]);
      row.hidden = !applies(one, settings);
      if (unread && !row.hidden) open++;
      return unread ? { ...one, required: true } : one;
    });
    return { settings, bound: { ...definition, inputs }, open };
  }

  /**
   * @param {Input} one
   * @param {Reading} reading
   * @param {string} text
   */
  note(one, { problem, note, value, fills }, text) {
    const row = this.rows[one.name], said = problem || note;
    put(row.input, one.kind === "flag" && !problem ? String(value) : text);
    row.note.textContent = said ? fill(this.words[said], fills) : "";
    row.note.dataset.kind = problem ? "error" : "";
    row.input.setAttribute("aria-invalid", String(Boolean(problem)));
  }

  /** @param {string} name */
  focus(name) { this.rows[name].input.focus(); }
}
