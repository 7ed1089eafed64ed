/* The answer for a run on the page, the first failure first. Text of logs is set as text, never as HTML. */
import { Wording } from "../../run/wording.js";
import { address } from "../address.js";
import { element, fill } from "../dom.js";

/** @typedef {import("../../run/shown.js").RunResult} RunResult */
/** @typedef {import("../../run/shown.js").End} End */
/** @typedef {import("../../run/shown.js").Last} Last */
/** @typedef {import("../../run/shown.js").Failure} Failure */
/** @typedef {import("../log/results.js").Results} Results */

/**
 * A summary needs no colon before what it opens.
 * @param {string} text
 */
function asTitle(text) { return text.replace(/[:：]$/, ""); }

export class RunView {
  /**
   * @param {RunResult} result
   * @param {Results} shown how a log box shows a finding
   */
  constructor(result, shown) {
    this.result = result;
    this.shown = shown;
    this.say = new Wording(result.words, fill);
  }

  head() { return this.say.head(this.result.record); }

  nodes() {
    const { record } = this.result;
    return [
      element("p", { className: "fg-run__facts" }, this.say.facts(record).map((textContent) => element("span", { textContent }))),
      this.failure(), ...this.findings(this.result.cause === 0 ? [0] : []), ...this.shown.closest({ ...this.result, told: null }),
      ...this.followed(), ...this.last(), ...this.flight(),
      ...this.others(), ...this.skipped(),
    ];
  }

  /* ---- The first failure ---------------------------------------------------------------------------------------------- */

  failure() {
    const { words, record: { failure } } = this.result;
    if (!failure) return element("p", { className: "fg-run__none", textContent: words.run_none });
    return element("section", { className: "fg-run__first", ariaLabel: words.run_first }, [
      element("p", { className: "fg-log__group", textContent: words.run_first }),
      element("p", { className: "fg-run__who" }, [element("strong", { textContent: this.say.who(failure) }), words.colon, this.say.how(failure)]),
      ...this.where(failure),
      ...(failure.text ? [element("pre", { className: "fg-printed" }, [element("code", { textContent: failure.text, tabIndex: 0 })])] : []),
      element("p", { className: "fg-run__sure", textContent: words[`run_sure_${failure.sure}`] }),
      ...this.missing(),
      element("dl", { className: "fg-run__more" }, this.more(failure)),
    ]);
  }

  /** @param {End} end */
  where(end) {
    const place = this.say.place(end), time = end.time ? [element("span", { textContent: end.time })] : [];
    return place || end.time ? [element("p", { className: "fg-run__place" }, [...(place ? [element("code", { textContent: place })] : []), ...time])] : [];
  }

  missing() {
    const { words, record: { missing } } = this.result, ranks = missing.join(words.comma);
    return ranks ? [element("p", { className: "fg-run__missing", textContent: this.say.say("run_missing", { ranks }) })] : [];
  }

  /** @param {Failure} failure */
  more({ did, told, text, entry, method }) {
    const { words } = this.result, done = this.say.did(did);
    const on = element("a", { href: address(method.page), textContent: method.title });
    const lines = told ? this.shown.lines(told).filter((line) => !(line instanceof HTMLElement && text.includes(line.textContent))) : [];
    return [
      ...(done ? this.pair(words.run_did, [done]) : []),
      ...(lines.length ? this.pair(asTitle(words.explain_told), lines.flatMap((line, at) => [...(at ? [" "] : []), line])) : []),
      ...this.pair(words.run_method, [...(entry === null ? [`${words.run_unknown} `] : []), on]),
    ];
  }

  /**
   * @param {string} term
   * @param {(string | Node)[]} said
   */
  pair(term, said) { return [element("dt", { textContent: term }), element("dd", {}, said)]; }

  /* ---- Findings: the same cards as for one log -------------------------------------------------------------------------- */

  /** @param {number[]} ranks */
  findings(ranks) { return ranks.map((rank) => this.shown.finding(this.result.findings[rank], rank, this.result)); }

  others() {
    const { findings, cause } = this.result, ranks = findings.map((_, rank) => rank).filter((rank) => rank !== cause);
    if (!ranks.length) return [];
    const title = asTitle(this.say.say("run_findings_other", { count: findings.length }));
    return [element("p", { className: "fg-log__heading", textContent: title }), ...this.findings(ranks)];
  }

  /* ---- Lists ------------------------------------------------------------------------------------------------------------- */

  followed() {
    const rows = this.result.record.followed, list = element("ul", { className: "fg-run__rows" });
    const box = this.folded(this.say.say("run_followed", { count: rows.length }), list, rows, (one) => this.follower(one));
    return rows.length ? [box] : [];
  }

  /** @param {End} one */
  follower(one) {
    return element("li", {}, [
      element("strong", { textContent: this.say.who(one) }), this.result.words.colon, this.say.how(one),
      ...this.where(one), ...(one.text ? [element("code", { className: "fg-run__text", textContent: one.text })] : []),
    ]);
  }

  last() {
    const { words, record: { last } } = this.result, body = element("tbody", {});
    const heads = [words.log_run_process, words.log_run_time, words.run_did, words.log_run_log];
    const table = element("table", { className: "fg-run__last" }, [
      element("thead", {}, [element("tr", {}, heads.map((textContent) => element("th", { scope: "col", textContent })))]), body,
    ]);
    const box = this.folded(words.run_last, body, last, (one) => this.process(one), table);
    box.open = true;
    return last.length ? [box] : [];
  }

  /** @param {Last} one */
  process(one) {
    const { rank } = this.result.record.failure ?? {}, isFirst = rank !== null && rank !== undefined && rank === one.rank;
    const done = this.say.did(one.did), said = one.text ? [element("code", { className: "fg-run__said", textContent: one.text })] : [];
    const log = one.file ? [element("code", { className: "fg-run__log", title: one.file }, [element("bdi", { textContent: one.file })])] : [];
    return element("tr", { className: isFirst ? "fg-run__one" : "" }, [
      element("th", { scope: "row", textContent: this.say.who(one) }), element("td", { textContent: one.time }),
      element("td", {}, done ? [done] : said), element("td", {}, log),
    ]);
  }

  /**
   * A list that can be folded away, of which the first rows are there at once.
   * @template Row
   * @param {string} title
   * @param {HTMLElement} list what gets the rows
   * @param {Row[]} rows
   * @param {(row: Row) => HTMLElement} made
   * @param {HTMLElement} [whole] what the list is part of
   */
  folded(title, list, rows, made, whole = list) {
    const { folded } = this.result;
    list.append(...rows.slice(0, folded).map(made));
    const box = element("details", { className: "fg-run__list" }, [element("summary", { textContent: asTitle(title) }), whole]);
    if (rows.length > folded) box.append(this.rest(list, rows, made));
    return box;
  }

  /**
   * @template Row
   * @param {HTMLElement} list
   * @param {Row[]} rows
   * @param {(row: Row) => HTMLElement} made
   */
  rest(list, rows, made) {
    const button = element("button", { type: "button", className: "fg-log__all", textContent: this.say.say("log_run_all", { count: rows.length }) });
    button.addEventListener("click", () => {
      list.append(...rows.slice(this.result.folded).map(made));
      button.remove();
    });
    return button;
  }

  /* ---- What was not read ------------------------------------------------------------------------------------------------- */

  flight() {
    const { dumps } = this.result;
    return dumps ? [element("p", { className: "fg-run__flight", textContent: this.say.say("log_run_flight", { count: dumps }) })] : [];
  }

  skipped() {
    const { words, record: { skipped } } = this.result;
    const rows = Object.entries(skipped).map(([reason, { count, examples }]) => element("li", {}, [
      `${count} ${this.say.skipped(reason)}${words.colon}`,
      ...examples.flatMap((textContent, at) => [at ? words.comma : "", element("code", { textContent })]),
    ]));
    return rows.length ? [element("p", { className: "fg-log__heading", textContent: asTitle(words.run_skipped) }), element("ul", { className: "fg-run__skipped" }, rows)] : [];
  }
}
