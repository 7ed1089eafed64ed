/* A log box: takes a pasted text or a file, lets worker/log.js read it and shows the known errors with their fixes. */
import { address, load } from "../address.js";
import { copyButton } from "../clipboard.js";
import { language } from "../config.js";
import { fill, find } from "../dom.js";
import "../issueform.js";
import { GIVEN, LISTED, keep, kept } from "../session.js";
import { Tool } from "../tool.js";
import { bugsThatBiteFirst } from "../../scan/bugs.js";
import { Results, installedOf } from "./results.js";

/** @typedef {import("../../scan/shown.js").LogResult} LogResult */

// A text this long is not put into the text area, which would stall the page: its beginning stands there instead.
const LONG = 100000, SHOWN = 3000;
/** @type {Record<string, string>} */
const UNPACK = {
  zstd: "zstd -d train.log.zst", xz: "xz -dk train.log.xz", bzip2: "bzip2 -dk train.log.bz2", zip: "unzip logs.zip", gzip: "gzip -dk train.log.gz",
};

/**
 * Whether most lines of a text are settings: `key: value`, `key=value`, `--flag value`.
 * @param {string} text
 */
function areSettings(text) {
  const lines = text.slice(0, LONG).split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  const set = lines.filter((line) => /^(?:-{1,2}|\+{0,2})[A-Za-z][\w.-]*(?:\s*[=:]\s*|\s+)\S|^[A-Za-z][\w.-]*:$/.test(line) && !/\s{2,}\d+\.\d/.test(line));
  return set.length > 1 && set.length * 3 > lines.length * 2;
}

/** @param {number} bytes */
function size(bytes) {
  const units = ["B", "kB", "MB", "GB"];
  let left = bytes, unit = 0;
  for (; left >= 1000 && unit < 3; unit++) left /= 1000;
  return `${unit && left < 10 ? left.toFixed(1) : Math.round(left)} ${units[unit]}`;
}

export class LogBox extends Tool {
  /**
   * @param {HTMLElement} box
   * @param {string} store what is kept in this tab is kept under this name
   */
  constructor(box, store) {
    super(box);
    this.store = store;
    this.input = this.part("input", HTMLTextAreaElement);
    this.file = this.part("file", HTMLInputElement);
    this.report = this.part("report", HTMLTextAreaElement);
    this.progress = this.part("progress", HTMLProgressElement);
    this.cancel = this.part("cancel");
    this.status = this.part("status");
    this.shown = new Results(this.words, language);
    /** @type {string | null} a text too long for the text area */
    this.pasted = null;
    /** @type {LogResult | null} */
    this.result = null;
    this.ends = "";
    /** @type {Worker | null} */
    this.worker = null;
    this.listen();
    this.listenToDrops();
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

  stop() {
    this.worker?.terminate();
    this.worker = null;
    this.progress.hidden = this.cancel.hidden = true;
    this.box.removeAttribute("aria-busy");
  }

  empty() {
    this.result = null;
    for (const name of ["overview", "results", "versions", "closest"]) this.put(name, []);
    for (const name of ["tools", "unknown", "settings", "packages"]) this.part(name).hidden = true;
    this.ends = "";
  }

  /**
   * @param {{ text: string } | { source: Blob }} log
   * @param {string} name
   */
  start(log, name) {
    this.stop();
    this.empty();
    this.progress.removeAttribute("value");
    this.progress.hidden = this.cancel.hidden = false;
    this.box.setAttribute("aria-busy", "true");
    this.say(fill(this.words.start, { name }));
    this.worker = new Worker(address(`search/log-worker.js?lang=${language}`));
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => { event.preventDefault(); this.fail("unread"); };
    this.worker.postMessage({ type: "start", ...log });
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "progress") this.progress.value = message.size ? message.read / message.size : 0;
    if (message.type === "error") this.fail(message.kind);
    if (message.type === "done") {
      this.stop();
      this.show(message.result);
      this.remember();
      if (message.ends) void this.compare(message.ends);
      if (this.status.getBoundingClientRect().top > innerHeight * 0.55) this.status.scrollIntoView({ block: "start" });
    }
  }

  /** @param {string} kind */
  fail(kind) {
    this.stop();
    const { gzip, archive, binary, unread } = this.words, command = UNPACK[kind];
    const text = command ? (kind === "gzip" ? gzip : archive) : kind === "binary" ? binary : unread;
    this.say(fill(text, { kind, command }), "error");
    this.remember();
  }

  text() { return this.pasted ?? this.input.value; }

  runText() {
    const text = this.text();
    if (!text.trim()) { this.say(this.words.empty, "error"); this.input.focus(); return; }
    this.start({ text }, this.words.pasted);
  }

  /** @param {File | undefined} chosen */
  runFile(chosen) {
    if (!chosen) return;
    this.input.value = "";
    this.pasted = null;
    this.start({ source: chosen }, chosen.name);
  }

  /* ---- Results -------------------------------------------------------------------------------------------------------- */

  /** @param {LogResult} result */
  show(result) {
    this.result = result;
    const { words, shown } = this, { findings, unknown, damaged } = result;
    if (result.size === 0) { this.say(words.empty, "error"); return; }
    this.say(shown.head(result) + (damaged ? ` ${words.damaged}` : ""));
    this.put("overview", shown.overview(result));
    this.put("results", shown.findings(result));
    this.put("closest", shown.closest(result));
    this.showVersions(result);
    this.part("settings").hidden = findings.length > 0 || result.told !== null || !areSettings(this.text());
    this.part("tools").hidden = false;
    this.part("ticket").hidden = !findings.length;
    this.part("unknown").hidden = !unknown.lines;
    this.part("unknown-text").textContent = fill(words.unknown, { count: unknown.lines });
    this.report.value = `${words.report.replace(/\\n/g, "\n")}${unknown.text}\n\`\`\`\n`;
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
    if (result.findings.some(({ bug }) => bug)) {
      result.findings = bugsThatBiteFirst(result.findings, installedOf(result));
      this.show(result);
    } else this.showVersions(result);
    this.remember();
  }

  /** @param {LogResult} result */
  showVersions({ versions, findings, told }) {
    if (!versions) return;
    this.put("versions", this.shown.versions(versions.bad));
    this.part("packages").hidden = !(versions.bad.length || (versions.isList && !findings.length && !told));
    if (!this.part("packages").hidden) this.part("settings").hidden = true;
    if (!versions.isList || findings.length || told) return;
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
    if (found.language === language) this.show(found.result); else if (found.text) this.runText();
  }

  /* ---- Input ---------------------------------------------------------------------------------------------------------- */

  listen() {
    this.part("form").addEventListener("submit", (event) => { event.preventDefault(); this.runText(); });
    this.cancel.addEventListener("click", () => { this.stop(); this.say(this.words.cancelled); this.part("run").focus(); });
    this.part("clear").addEventListener("click", () => this.clear());
    this.file.addEventListener("change", () => { this.runFile(this.file.files?.[0]); this.file.value = ""; });
    this.input.addEventListener("input", () => { this.pasted = null; this.remember(); });
    this.input.addEventListener("paste", (event) => this.paste(event));
    copyButton(this.part("ticket"), () => (this.result ? this.shown.ticket(this.result) : ""));
    find(this.part("settings"), "a").addEventListener("click", () => keep(GIVEN, this.text()));
    find(this.part("packages"), "a").addEventListener("click", () => keep(LISTED, this.ends || this.text()));
    copyButton(this.part("copy"), () => this.report.value);
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    const data = event.clipboardData;
    if (data?.files.length) { event.preventDefault(); this.runFile(data.files[0]); return; }
    const text = data?.getData("text/plain") || "";
    if (text.length > LONG) {
      event.preventDefault();
      this.pasted = text;
      this.input.value = `${text.slice(0, SHOWN)}\n… ${fill(this.words.more, { size: size(text.length) })}`;
    }
    setTimeout(() => this.runText(), 0);
  }

  /** A file dropped beside the box would otherwise replace the page. */
  listenToDrops() {
    const over = (/** @type {boolean} */ isOver) => this.box.classList.toggle("fg-log--over", isOver);
    document.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      over(true);
    });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); });
    document.addEventListener("drop", (event) => {
      over(false);
      if (event.dataTransfer?.files.length) { event.preventDefault(); this.runFile(event.dataTransfer.files[0]); }
    });
  }
}
