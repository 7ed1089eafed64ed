/* The paste box of the front page hands its text to the theme's search. */
(function () {
  "use strict";
  var form = document.querySelector("[data-fg=paste]");
  var query = document.querySelector("[data-md-component=search-query]");
  var toggle = document.getElementById("__search");
  if (!form || !query || !toggle) return;
  var box = form.querySelector("textarea");
  box.value = "";

  function search() {
    var text = box.value.trim();
    if (!text) { box.focus(); return; }
    toggle.checked = true;
    toggle.dispatchEvent(new Event("change"));
    query.value = window.fieldguide.condense(text).replace(/\s*[\r\n]+\s*/g, " ");
    query.focus();
    query.dispatchEvent(new Event("keyup", { bubbles: true }));
  }
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    search();
  });
  box.addEventListener("paste", function () { setTimeout(search, 0); });
  box.addEventListener("keydown", function (event) {
    if (event.key === "Enter" && !event.shiftKey && box.value.indexOf("\n") < 0) { event.preventDefault(); search(); }
  });
})();
