/* The answer for a run as Markdown for a ticket: what people, machines, places and secrets name is masked. */
import { Wording } from "../../run/wording.js";
import { fill } from "../dom.js";

/** @typedef {import("../../run/shown.js").RunResult} RunResult */
/** @typedef {import("../log/results.js").Results} Results */

export class RunTicket {
  /**
   * @param {RunResult} result
   * @param {Results} shown
   */
  constructor(result, shown) {
    this.result = result;
    this.shown = shown;
    this.say = new Wording(result.words, fill);
  }

  text() {
    const { record } = this.result;
    const parts = [
      [`**${this.say.head(record)}**`, ...this.say.facts({ run: { ...record.run, others: {} } })].join("\n"),
      ...this.failure(), ...this.cause(), ...this.followed(), ...this.last(), ...this.report(),
    ];
    return `${parts.filter(Boolean).join("\n\n")}\n`;
  }

  failure() {
    const { words, masked: { failure }, record: { missing } } = this.result;
    if (!failure) return [words.run_none];
    const done = this.say.did(failure.did), ranks = missing.join(words.comma);
    return [
      `### ${words.run_first}${words.colon}${this.say.who(failure)}${words.colon}${this.say.how(failure)}`,
      this.where(failure), failure.text && this.shown.fenced(failure.text), words[`run_sure_${failure.sure}`],
      done && `${words.run_did}${words.colon}${done}`,
      ...this.told(failure),
      ranks && this.say.say("run_missing", { ranks }),
    ];
  }

  /**
   * What the text says of itself, and it does not stand there already.
   * @param {import("../../run/shown.js").Failure} failure
   */
  told({ told, text }) {
    if (!told) return [];
    const error = [told.error, told.message].filter(Boolean).join(": "), raised = told.file && fill(this.shown.words.raised, { ...told });
    return [text.includes(error) ? "" : `${this.result.words.explain_told} \`${error}\``, raised];
  }

  /** @param {import("../../run/wording.js").End} end */
  where(end) {
    const place = this.say.place(end);
    return [place && `\`${place}\``, end.time].filter(Boolean).join(" · ");
  }

  /** What to do about it. */
  cause() {
    const { result } = this, finding = result.findings[result.cause];
    return finding ? this.shown.asMarkdown({ ...finding, file: result.masked.file }, 0, result) : [];
  }

  followed() {
    const { masked: { followed }, record, words } = this.result;
    return this.list(this.say.say("run_followed", { count: record.followed.length }), record.followed.length,
      followed.map((one) => [`${this.say.who(one)}${words.colon}${this.say.how(one)}`, this.where(one)]));
  }

  last() {
    const { masked: { last }, record, words } = this.result;
    return this.list(words.run_last, record.last.length, last.map((one) => [this.say.who(one), one.time, this.say.doing(one)]));
  }

  /**
   * @param {string} title
   * @param {number} count of all rows
   * @param {string[][]} rows the first of them
   */
  list(title, count, rows) {
    const lines = rows.map((row) => `- ${row.filter(Boolean).join(" · ")}`);
    return rows.length ? [title, [...lines, ...(count > rows.length ? [`- … ${count - rows.length}`] : [])].join("\n")] : [];
  }

  report() {
    const { unknown, cause } = this.result;
    return cause < 0 && unknown.lines ? [this.shown.fenced(unknown.text)] : [];
  }
}
