/*
 * Two places keep what a reader typed or pasted, and neither is ever part of a request: the tab's own storage, for Back and for
 * the next page, gone when the tab is closed; and the part of an address behind the #, for a search that is shared.
 */
(function () {
  "use strict";
  var PREFIX = "fieldguide.";
  var LONG = 100000; // of a longer text its end is kept, where the error is

  function kept(name, value) { return typeof value === "string" ? value.slice(-LONG) : value; }

  window.fieldguide = window.fieldguide || {};
  window.fieldguide.session = {
    /* The value kept under a name; null when there is none. */
    get: function (name) {
      try { return JSON.parse(sessionStorage.getItem(PREFIX + name)); } catch (error) { return null; }
    },
    set: function (name, value) {
      try { sessionStorage.setItem(PREFIX + name, JSON.stringify(value, kept)); } catch (error) { /* private mode, or full */ }
    },
    drop: function (name) {
      try { sessionStorage.removeItem(PREFIX + name); } catch (error) { /* private mode */ }
    },
    /* How the reader came to this page: "navigate", "reload" or "back_forward". */
    arrival: function () {
      var entry = performance.getEntriesByType("navigation")[0];
      return entry ? entry.type : "navigate";
    }
  };

  /* ---- A search as a link: #q=… ---------------------------------------------------------------------------------------- */

  var START = "#q=";
  var OLD = ["q", "h", "query"];
  var query = document.querySelector("[data-md-component=search-query]");
  var button = document.querySelector("[data-fg=share]");
  if (!query) return;

  /* Links of older versions held words in the query part: they leave it at once, so that no later request has them. */
  function clean() {
    var address = new URL(location.href), words = address.searchParams.get("q");
    if (!OLD.some(function (name) { return address.searchParams.has(name); })) return;
    OLD.forEach(function (name) { address.searchParams.delete(name); });
    if (words && !address.hash) address.hash = START.slice(1) + encodeURIComponent(words);
    history.replaceState(history.state, "", address);
  }
  function decoded(text) {
    try { return decodeURIComponent(text); } catch (error) { return text; }
  }
  function open() {
    if (location.hash.indexOf(START) !== 0) return;
    var words = decoded(location.hash.slice(START.length));
    history.replaceState(history.state, "", location.pathname + location.search);
    if (words.trim()) window.fieldguide.ask(words);
  }

  // The theme copies what stands in data-clipboard-text, and says so.
  button.addEventListener("click", function () {
    var address = new URL(location.href);
    address.hash = query.value.trim() ? START.slice(1) + encodeURIComponent(query.value.trim()) : "";
    button.dataset.clipboardText = address.href;
  });
  window.addEventListener("hashchange", open);
  clean();
  open();
})();
