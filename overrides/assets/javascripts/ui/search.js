/*
 * Points the theme's search at our worker, before the theme starts it, and tells the worker which framework is chosen.
 * Stands between the theme's configuration and its bundle. `fieldguide.ask` searches a text, `fieldguide.asked` gives it back.
 */
import { allRemembered } from "./choices.js";
import { config, language, root, writeConfig } from "./config.js";
import { find } from "./dom.js";

// A one-line field of a million characters takes the browser seconds to lay out. A longer paste keeps its error lines
// and its end; the log page reads whole files.
const LONG = 20000;
const TELLING = /error|exception|assert|timeout|killed|failed|nan|warning|cannot|could not/i;

/** @param {string} text */
function condense(text) {
  if (text.length <= LONG) return text;
  const lines = text.split(/[\r\n]+/).filter((line) => line.length < 2000 && TELLING.test(line));
  return `${lines.slice(-80).join(" ").slice(-12000)} ${text.slice(-6000)}`.replace(/[\r\n]+/g, " ");
}

/** @param {string} text */
function inOneLine(text) { return condense(text).replace(/\s*[\r\n]+\s*/g, " "); }

const channel = `fieldguide-${Math.random().toString(36).slice(2)}`;
config.search = `${root}search/worker.js?lang=${language}&channel=${channel}`;
// How many lines the list has, as a bare number; results.js makes words of it.
Object.assign(config.translations, { "search.result.none": "0", "search.result.one": "1", "search.result.other": "#" });
writeConfig();

const post = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(channel);

/** @param {{ load?: boolean, framework?: string, releases?: Record<string, string>, held?: boolean }} message */
function tell(message) {
  const worker = window.fieldguide.searchWorker; // only where pages are opened from a folder
  if (worker) worker.postMessage(message); else post?.postMessage(message);
}

/** @param {HTMLInputElement} query */
function start(query) {
  const toggle = find(document, "#__search", HTMLInputElement);
  let pasted = { line: "", text: "" }; // the box has one line; the text it came from had several

  function search() {
    setTimeout(() => query.dispatchEvent(new Event("keyup", { bubbles: true })), 0);
  }
  /** @param {string} text */
  function put(text) {
    pasted = { line: inOneLine(text), text };
    query.value = pasted.line;
    search();
  }

  window.fieldguide.asked = () => (query.value === pasted.line ? pasted.text : query.value);
  window.fieldguide.ask = (text) => {
    toggle.checked = true;
    toggle.dispatchEvent(new Event("change"));
    put(text);
    query.focus();
  };
  const list = find(document, ".md-search-result__list", HTMLElement);
  for (const name of ["pointerdown", "focusin"]) list.addEventListener(name, () => tell({ held: true }));
  list.addEventListener("focusout", ({ relatedTarget }) => { if (!list.contains(/** @type {Node | null} */ (relatedTarget))) tell({ held: false }); });
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => tell({ held: false }));
  // The data arrives while the reader types the first word.
  query.addEventListener("focus", () => tell({ load: true, held: false, framework: document.documentElement.dataset.framework || "", releases: allRemembered("release.") }));
  query.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") || "";
    const whole = Number(query.selectionEnd) - Number(query.selectionStart) === query.value.length;
    if (text.length <= LONG && !(whole && /[\r\n]/.test(text))) return;
    event.preventDefault();
    put(text);
  });
  // The theme listens to keys alone: a paste by mouse, a drop, dictation and many phones change the text without one.
  query.addEventListener("input", (event) => { if (!(/** @type {InputEvent} */ (event).isComposing)) search(); });
  query.addEventListener("compositionend", search);
}

window.fieldguide ??= /** @type {typeof window.fieldguide} */ ({}); // file-worker.js may have been first
document.addEventListener("fieldguide:framework", (event) => tell({ framework: /** @type {CustomEvent} */ (event).detail }));
const query = document.querySelector("[data-md-component=search-query]");
if (query instanceof HTMLInputElement) start(query);
