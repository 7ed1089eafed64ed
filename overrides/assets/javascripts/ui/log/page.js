/*
 * A log box: takes a pasted text or a file, lets worker/log.js read it and shows the known errors with their fixes. Several files,
 * a folder or an archive are a run: worker/run.js reads them, and what shows the answer is loaded then.
 */
import { load } from "../address.js";
import { copyButton } from "../clipboard.js";
import { language } from "../config.js";
import { fill, find } from "../dom.js";
import "../issueform.js";
import { GIVEN, LISTED, keep, kept } from "../session.js";
import { Tool } from "../tool.js";
import { bugsThatBiteFirst } from "../../scan/bugs.js";
import { chosen, dropped, isRun, onDrop } from "./given.js";
import { Results, installedOf } from "./results.js";
import { areSettings, refusal, size } from "./texts.js";
import { Work } from "./work.js";

/** @typedef {import("../../scan/shown.js").LogResult} LogResult */
/** @typedef {import("../../run/shown.js").RunResult} RunResult */
/** @typedef {import("./given.js").Dropped} Dropped */

// A text this long is not put into the text area, which would stall the page: its beginning stands there instead.
const LONG = 100000, SHOWN = 3000;
const RUN = ["assets/stylesheets/run.css", "assets/javascripts/run.js"]; // what shows the answer for a run, loaded when there is one

function runs() { return /** @type {import("../run/page.js").Runs} */ (window.fieldguide.run); }

export class LogBox extends Tool {
  /**
   * @param {HTMLElement} box
   * @param {string} store what is kept in this tab is kept under this name
   */
  constructor(box, store) {
    super(box);
    this.store = store;
    this.input = this.part("input", HTMLTextAreaElement);
    this.report = this.part("report", HTMLTextAreaElement);
    this.work = new Work(box, this.part("progress", HTMLProgressElement), this.part("cancel"));
    this.status = this.part("status");
    this.shown = new Results(this.words, language);
    /** @type {string | null} a text too long for the text area */
    this.pasted = null;
    /** @type {LogResult | RunResult | null} */
    this.result = null;
    this.ends = "";
    this.listen();
    onDrop(box, (given) => this.runFiles(given));
    this.recall();
  }

  /**
   * Shows a part with these children, or hides it when there are none.
   * @param {string} name
   * @param {Node[]} children
   */
  put(name, children) {
    super.put(name, children);
    this.part(name).hidden = !children.length;
  }

  /* ---- Running -------------------------------------------------------------------------------------------------------- */

  /**
   * @param {string} text
   * @param {string} [kind]
   */
  say(text, kind = "") {
    this.status.textContent = text;
    this.status.dataset.kind = kind;
  }

  stop() { this.work.stop(); }

  empty() {
    this.result = null;
    for (const name of ["overview", "results", "whole", "versions", "closest"]) this.put(name, []);
    for (const name of ["tools", "unknown", "settings", "packages"]) this.part(name).hidden = true;
    this.ends = "";
  }

  /** @param {string} name of what is read */
  begin(name) {
    const ended = this.work.begin();
    this.empty();
    this.say(fill(this.words.start, { name }));
    return ended;
  }

  /**
   * @param {{ text: string } | { source: Blob }} log
   * @param {string} name
   */
  start(log, name) {
    this.begin(name);
    this.work.ask("log-worker", log, (message) => this.receive(message));
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "progress") this.work.show(message);
    if (message.type === "error") this.fail(message.kind);
    if (message.type === "done") {
      this.stop();
      void this.answer(message);
    }
  }

  /** @param {{ result: LogResult | RunResult, ends: string }} answer */
  async answer({ result, ends }) {
    await this.present(result);
    this.remember();
    if (ends) void this.compare(ends);
    if (this.status.getBoundingClientRect().top > innerHeight * 0.55) this.status.scrollIntoView({ block: "start" });
  }

  /** @param {string} kind */
  fail(kind) {
    this.stop();
    this.say(refusal(kind, this.words), "error");
    this.remember();
  }

  text() { return this.pasted ?? this.input.value; }

  runText() {
    const text = this.text();
    if (!text.trim()) { this.say(this.words.empty, "error"); this.input.focus(); return; }
    this.start({ text }, this.words.pasted);
  }

  /**
   * What was dropped, chosen or pasted as files.
   * @param {Dropped} given
   */
  runFiles(given) {
    const [first] = given.files;
    if (!first && !given.entries.length) return;
    this.input.value = "";
    this.pasted = null;
    if (isRun(given)) void this.runAll(given); else this.start({ source: first }, first.name);
  }

  /** @param {Dropped} given the files of a run */
  async runAll(given) {
    const { files } = given;
    const signal = this.begin(files.length === 1 ? files[0].name : fill(this.words.files, { count: files.length.toLocaleString(language) }));
    const count = (/** @type {number} */ found) => this.say(fill(this.words.listing, { count: found.toLocaleString(language) }));
    try {
      await Promise.all(RUN.map(load));
      const found = await runs().walked(given, { signal, count });
      if (signal.aborted) return;
      // A page that is open from a folder may not look into another one, in Chromium.
      if (found.given.length || !found.skipped.length) this.work.ask("run-worker", found, (message) => this.receive(message));
      else this.fail("closed");
    } catch {
      if (!signal.aborted) this.fail("unread");
    }
  }

  /* ---- Results -------------------------------------------------------------------------------------------------------- */

  /** @param {LogResult | RunResult} result */
  async present(result) {
    const { ending } = this.work;
    if ("record" in result) await Promise.all(RUN.map(load));
    if (ending === this.work.ending) this.show(result); // else something else is being read by now
  }

  /** @param {LogResult | RunResult} result */
  show(result) {
    this.result = result;
    if ("record" in result) { this.showRun(result); return; }
    const { words, shown } = this, { findings, unknown, damaged } = result;
    if (result.size === 0) { this.say(words.empty, "error"); return; }
    this.say(shown.head(result) + (damaged ? ` ${words.damaged}` : ""));
    this.put("overview", shown.overview(result));
    this.put("results", shown.findings(result));
    this.put("closest", shown.closest(result));
    this.showVersions(result);
    this.part("settings").hidden = findings.length > 0 || result.told !== null || !areSettings(this.text());
    this.offer(unknown, fill(words.unknown, { count: unknown.lines }), findings.length > 0);
  }

  /** @param {RunResult} result */
  showRun(result) {
    const { words, size, record, unknown } = result, view = runs().view(result, this.shown);
    this.say(size ? view.head() : words.run_nothing, size ? "" : "error");
    this.put("whole", view.nodes());
    this.showVersions(result);
    this.offer(unknown, words.run_unknown, Boolean(record.failure || record.findings.length));
  }

  /**
   * What can be copied.
   * @param {LogResult["unknown"]} unknown
   * @param {string} why a report is worth it
   * @param {boolean} isKnown whether there is something for a ticket
   */
  offer(unknown, why, isKnown) {
    this.part("tools").hidden = false;
    this.part("ticket").hidden = !isKnown;
    this.part("unknown").hidden = !unknown.lines;
    this.part("unknown-text").textContent = why;
    this.report.value = `${this.words.report.replace(/\\n/g, "\n")}${unknown.text}\n\`\`\`\n`;
  }

  ticket() {
    const { result, shown } = this;
    if (!result) return "";
    return "record" in result ? runs().ticket(result, shown) : shown.ticket(result);
  }

  /**
   * What is known of the versions that a text names.
   * @param {string} ends its beginning and end
   */
  async compare(ends) {
    const { result } = this;
    this.ends = ends;
    try { await load("assets/javascripts/versions.js"); } catch { return; }
    const versions = await window.fieldguide.versionsIn(ends);
    if (!result || this.result !== result) return; // another text was pasted in the meantime
    result.versions = versions;
    if (!("record" in result) && result.findings.some(({ bug }) => bug)) {
      result.findings = bugsThatBiteFirst(result.findings, installedOf(result));
      this.show(result);
    } else this.showVersions(result);
    this.remember();
  }

  /** @param {LogResult | RunResult} result */
  showVersions(result) {
    const { versions, findings, told } = result;
    if (!versions) return;
    const isList = versions.isList && !findings.length && !told && !("record" in result);
    this.put("versions", this.shown.versions(versions.bad));
    this.part("packages").hidden = !(versions.bad.length || isList);
    if (!this.part("packages").hidden) this.part("settings").hidden = true;
    if (!isList) return;
    this.say(this.words.list);
    this.put("closest", []);
  }

  clear() {
    this.stop();
    this.empty();
    this.input.value = "";
    this.pasted = null;
    this.say("");
    keep(this.store, null);
    this.input.focus();
  }

  /* ---- The way back: what was pasted and found is kept in this tab ------------------------------------------------------ */

  remember() {
    const { result } = this, text = this.pasted === null && this.input.value.length <= LONG ? this.input.value : "";
    keep(this.store, text || result ? { language, text, result } : null);
  }

  recall() {
    const found = kept(this.store);
    this.input.value = found ? found.text : "";
    if (!found?.result) return;
    if (found.language === language) void this.present(found.result); else if (found.text) this.runText();
  }

  /* ---- Input ---------------------------------------------------------------------------------------------------------- */

  listen() {
    this.part("form").addEventListener("submit", (event) => { event.preventDefault(); this.runText(); });
    this.part("cancel").addEventListener("click", () => { this.stop(); this.say(this.words.cancelled); this.part("run").focus(); });
    this.part("clear").addEventListener("click", () => this.clear());
    this.box.addEventListener("change", ({ target }) => { if (target instanceof HTMLInputElement) this.runFiles(chosen(target)); });
    this.input.addEventListener("input", () => { this.pasted = null; this.remember(); });
    this.input.addEventListener("paste", (event) => this.paste(event));
    copyButton(this.part("ticket"), () => this.ticket());
    find(this.part("settings"), "a").addEventListener("click", () => keep(GIVEN, this.text()));
    find(this.part("packages"), "a").addEventListener("click", () => keep(LISTED, this.ends || this.text()));
    copyButton(this.part("copy"), () => this.report.value);
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    const data = event.clipboardData;
    if (data?.files.length) { event.preventDefault(); this.runFiles(dropped(data)); return; }
    const text = data?.getData("text/plain") || "";
    if (text.length > LONG) {
      event.preventDefault();
      this.pasted = text;
      this.input.value = `${text.slice(0, SHOWN)}\n… ${fill(this.words.more, { size: size(text.length) })}`;
    }
    setTimeout(() => this.runText(), 0);
  }
}
