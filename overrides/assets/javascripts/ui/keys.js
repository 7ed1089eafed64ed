/*
 * Filter box of a glossary's index: narrows the keys to those that hold every word typed, in name or dotted place.
 * Without this script everything shows. A link to one key shows it, whatever is filtered.
 */
import { fill, find, findAll } from "./dom.js";

/**
 * "--max-tokens" finds max_tokens, and the other way round.
 * @param {string} text
 */
function plain(text) { return text.toLowerCase().replace(/^-+/, "").replace(/[-_]+/g, "_"); }

/** @param {HTMLElement} form */
function start(form) {
  const input = find(form, "input", HTMLInputElement), said = find(form, "output");
  const lists = findAll(document, ".fg-key-index");
  const keys = lists.flatMap((list) => findAll(list, ":scope > *"))
    .map((item) => ({ item, text: `${plain(item.textContent)} ${plain(item.dataset.paths || "")}` }));

  function apply() {
    const words = input.value.split(/\s+/).map(plain).filter(Boolean);
    let shown = 0;
    for (const { item, text } of keys) {
      const hit = words.every((word) => text.includes(word));
      item.classList.toggle("fg-unmatched", !hit);
      shown += hit ? 1 : 0;
    }
    for (const list of lists) {
      const empty = Array.from(list.children).every((item) => item.classList.contains("fg-unmatched"));
      for (const part of [list, list.previousElementSibling]) part?.classList.toggle("fg-unmatched", empty);
    }
    const { none = "", count = "" } = form.dataset;
    said.textContent = !words.length ? "" : !shown ? none : fill(count, { shown, all: keys.length });
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", apply);
  input.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the theme's shortcuts are for the page, not for this box
    if (event.key === "Escape") { input.value = ""; apply(); }
  });
  if (input.value) apply(); // typed before this ran, or kept over a reload
}

const [form] = findAll(document, "[data-fg=key-filter]");
if (form) start(form);
