/*
 * The line above the results, and keys asked for by name. The theme writes how many lines its list has (search.js makes that
 * a bare number); the two ways on among them are no results, so the number is put right here. A key that was asked for by its
 * exact name stands above the list as a card of its own; the entry that explains it stays first in the list.
 */
(function () {
  "use strict";
  var box = document.querySelector("[data-md-component=search-result]");
  if (!box) return;
  var said = box.querySelector(".md-search-result__meta");
  var list = box.querySelector(".md-search-result__list");
  var keys = box.querySelector("[data-fg=own-keys]");
  var WAYS = 2;     // lines of a list without an exact match that are no results: all errors, and the report
  var shown = null; // what this script wrote last

  function words(count) {
    return count < 1 ? box.dataset.none : count === 1 ? box.dataset.one : box.dataset.some.replace("{count}", count);
  }
  /* The theme wrote: another query was answered. */
  function renew() {
    keys.replaceChildren();
    var lines = Number(said.textContent);
    if (isNaN(lines)) { shown = said.textContent; return; } // the invitation to type
    shown = said.textContent = words(lines - (list.querySelector(".fg-exact") ? 0 : WAYS));
  }
  function update() {
    if (said.textContent !== shown) renew();
    list.querySelectorAll(".md-search-result__item").forEach(function (item) {
      if (!item.querySelector(".fg-own")) return;
      item.className = "fg-own-key";
      keys.append(item);
    });
    keys.hidden = !keys.children.length;
  }
  var watch = new MutationObserver(update);
  [said, list].forEach(function (part) { watch.observe(part, { childList: true }); });
})();
