/*
 * A search as a link: the words stand behind #q=, which browsers keep to themselves. Links that hold words in the query part,
 * as older ones do, still open the search; the words leave the address at once, so that no later request has them.
 */
(function () {
  "use strict";
  var START = "#q=";
  var OLD = ["q", "h", "query"];
  var query = document.querySelector("[data-md-component=search-query]");
  var button = document.querySelector("[data-fg=share]");
  if (!query) return;

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
