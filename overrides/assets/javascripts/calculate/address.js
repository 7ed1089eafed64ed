/*
 * The case of the calculator stands in the address behind the #, where no request has it: a link to share, kept on a reload.
 * Links of older versions held it in the query part; they are read, and moved behind the #.
 */
(function () {
  "use strict";
  var CASE = /^#(.*&)?calc=/;

  function write(asked) {
    var made = new URL(location.href), framework = made.searchParams.get("fw");
    made.search = framework === null ? "" : new URLSearchParams({ fw: framework });
    made.hash = asked;
    history.replaceState(history.state, "", made);
  }
  function read() {
    var old = new URLSearchParams(location.search);
    if (old.has("calc")) {
      old.delete("fw");
      write(old);
    }
    return new URLSearchParams(CASE.test(location.hash) ? location.hash.slice(1) : "");
  }
  /* `changed` is called when another case was put into the address by hand, or by a link on the page. */
  function watch(changed) {
    window.addEventListener("hashchange", function () { if (CASE.test(location.hash)) changed(); });
  }

  window.fieldguide = window.fieldguide || {};
  window.fieldguide.address = { read: read, write: write, watch: watch };
})();
