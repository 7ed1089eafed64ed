/*
 * Filter box of a glossary's index: narrows the keys to those that hold every word typed, in name or dotted place.
 * Without this script everything shows. A link to one key shows it, whatever is filtered.
 */
(function () {
  "use strict";
  const form = document.querySelector("[data-fg=key-filter]");
  if (!form) return;
  const input = form.querySelector("input"), said = form.querySelector("output");

  // "--max-tokens" finds max_tokens, and the other way round.
  function plain(text) { return text.toLowerCase().replace(/^-+/, "").replace(/[-_]+/g, "_"); }

  const lists = Array.from(document.querySelectorAll(".fg-key-index"));
  const keys = lists.flatMap((list) => Array.from(list.children)).map((element) => {
    return { element, text: plain(element.textContent) + " " + plain(element.dataset.paths || "") };
  });

  function apply() {
    const words = input.value.split(/\s+/).map(plain).filter(Boolean);
    let shown = 0;
    keys.forEach((key) => {
      const hit = words.every((word) => key.text.includes(word));
      key.element.classList.toggle("fg-unmatched", !hit);
      shown += hit ? 1 : 0;
    });
    lists.forEach((list) => {
      const empty = Array.from(list.children).every((item) => item.classList.contains("fg-unmatched"));
      [list, list.previousElementSibling].forEach((part) => part.classList.toggle("fg-unmatched", empty));
    });
    said.textContent = !words.length ? "" : !shown ? form.dataset.none
      : form.dataset.count.replace("{shown}", shown).replace("{all}", keys.length);
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", apply);
  input.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the theme's shortcuts are for the page, not for this box
    if (event.key === "Escape") { input.value = ""; apply(); }
  });
  if (input.value) apply(); // typed before this ran, or kept over a reload
})();
