/* How the logs of a run are read: `search/run.json`, which fieldguide/content/run.py makes of catalog/run.yml. */
import { expression } from "../match/expression.js";

/** @typedef {Record<string, string>} Said field → what its group held */
/** @typedef {[pattern: string, fields: string[]]} NamedRow */
/** @typedef {[kind: string, pattern: string, fields: string[]]} FileRow */
/** @typedef {[name: string, role: string, how: string | null, anchor: string, lines: number, does: string | null, pattern: string, fields: string[]]} EventRow */
/**
 * `search/run.json`
 * @typedef {{
 *   limits: Record<string, number>, ignored: [kind: string, pattern: string][], files: FileRow[], heads: [kind: string, pattern: string][],
 *   nodes: NamedRow[], runs: [kind: string, pattern: string][], speakers: NamedRow[], times: NamedRow[], echoes: string[],
 *   echoTexts: string[], ways: Record<string, number>, events: EventRow[],
 * }} CompiledRules
 */
/**
 * Something that a line may tell; see `Event` in fieldguide/content/catalog/models/run.py.
 * @typedef {{ name: string, role: string, how: string, anchor: string, lines: number, does: string, named: Named }} Event
 */
/** @typedef {ReturnType<typeof rulesOf>} RunRules */

/** A pattern whose groups have names; a name twice is the first of them that matched. */
export class Named {
  /**
   * @param {string} pattern
   * @param {string[]} [fields]
   */
  constructor(pattern, fields = []) {
    this.regex = expression(pattern, "g");
    this.fields = fields;
  }

  /**
   * What the first match says; null where there is none.
   * @param {string} text
   */
  read(text) {
    this.regex.lastIndex = 0;
    const match = this.regex.exec(text);
    return match && this.values(match);
  }

  /**
   * What each match says; `matchAll` copies the pattern each time.
   * @param {string} text
   */
  all(text) {
    const found = [];
    this.regex.lastIndex = 0;
    for (let match; (match = this.regex.exec(text));) {
      found.push(this.values(match));
      if (!match[0]) this.regex.lastIndex++;
    }
    return found;
  }

  /** @param {RegExpExecArray} match */
  values(match) {
    /** @type {Said} */
    const said = {};
    this.fields.forEach((name, at) => { if (match[at + 1] !== undefined) said[name] ??= match[at + 1]; });
    return said;
  }
}

/** @param {CompiledRules} data */
export function rulesOf(data) {
  const named = (/** @type {NamedRow} */ [pattern, fields]) => new Named(pattern, fields);
  const plain = (/** @type {[string, string]} */ [kind, pattern]) => ({ kind, named: new Named(pattern) });
  return {
    limits: data.limits,
    ignored: data.ignored.map(plain),
    files: data.files.map(([kind, ...row]) => ({ kind, named: named(row) })),
    heads: data.heads.map(plain),
    nodes: data.nodes.map(named),
    runs: data.runs.map(plain),
    speakers: data.speakers.map(named),
    times: data.times.map(named),
    echoes: new Set(data.echoes),
    echoTexts: data.echoTexts,
    ways: data.ways,
    events: data.events.map(eventOf),
  };
}

/**
 * @param {EventRow} row
 * @returns {Event}
 */
function eventOf([name, role, how, anchor, lines, does, ...row]) {
  return { name, role, how: how || "", anchor, lines, does: does || "", named: new Named(...row) };
}
