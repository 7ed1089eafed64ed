/*
 * Filter box of a glossary page: narrows the keys to those that hold every word typed, in name, path or text.
 * Without this script everything shows. A link to one key shows it, whatever is filtered.
 */
(function () {
  "use strict";
  var form = document.querySelector("[data-fg=key-filter]");
  if (!form) return;
  var input = form.querySelector("input"), said = form.querySelector("output");
  var article = form.closest("article") || document;

  // "--max-tokens" finds max_tokens, and the other way round.
  function plain(text) { return text.toLowerCase().replace(/^-+/, "").replace(/[-_]+/g, "_"); }

  var keys = Array.prototype.map.call(article.querySelectorAll("section[data-key], .fg-keys > li"), function (element) {
    return { element: element, text: null };
  });
  // A heading, with the keys below it up to the next one of its rank.
  var groups = Array.prototype.map.call(article.querySelectorAll("h2, h3:not(section[data-key] > h3)"), function (heading) {
    var parts = [heading], next = heading.nextElementSibling;
    while (next && !(/^H[12]$/.test(next.tagName) || next.tagName === heading.tagName)) {
      parts.push(next);
      next = next.nextElementSibling;
    }
    return parts;
  });

  function apply() {
    var words = input.value.split(/\s+/).map(plain).filter(Boolean);
    var shown = 0;
    keys.forEach(function (key) {
      if (words.length && key.text === null) key.text = plain(key.element.textContent);
      var hit = words.every(function (word) { return key.text.indexOf(word) >= 0; });
      key.element.classList.toggle("fg-unmatched", !hit);
      shown += hit ? 1 : 0;
    });
    groups.forEach(function (parts) {
      var any = !words.length || parts.some(function (part) {
        return part.matches("section[data-key]:not(.fg-unmatched)") || part.querySelector("li[id]:not(.fg-unmatched)");
      });
      parts.forEach(function (part) {
        if (!part.matches("section[data-key]")) part.classList.toggle("fg-unmatched", !any);
      });
    });
    said.textContent = !words.length ? "" : !shown ? form.dataset.none
      : form.dataset.count.replace("{shown}", shown).replace("{all}", keys.length);
  }

  function reveal() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest(".fg-unmatched")) return;
    input.value = "";
    apply();
    target.scrollIntoView();
  }

  form.addEventListener("submit", function (event) { event.preventDefault(); });
  input.addEventListener("input", apply);
  input.addEventListener("keydown", function (event) {
    event.stopPropagation(); // the theme's shortcuts are for the page, not for this box
    if (event.key === "Escape") { input.value = ""; apply(); }
  });
  window.addEventListener("hashchange", reveal);
  if (input.value) apply(); // typed before this ran, or kept over a reload
})();
