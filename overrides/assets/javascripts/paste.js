/* The paste box of the front page hands its text to the theme's search; Back and a reload bring it back. */
(function () {
  "use strict";
  var guide = window.fieldguide;
  var form = document.querySelector("[data-fg=paste]");
  if (!form || !document.getElementById("__search")) return;
  var box = form.querySelector("textarea");
  box.value = guide.session.arrival() === "navigate" ? "" : guide.session.get("pasted") || "";

  function search() {
    var text = box.value.trim();
    if (text) guide.ask(text); else box.focus();
  }
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    search();
  });
  form.querySelectorAll("[data-example]").forEach(function (button) {
    button.addEventListener("click", function () {
      box.value = button.dataset.example;
      search();
    });
  });
  box.addEventListener("input", function () { guide.session.set("pasted", box.value); });
  box.addEventListener("paste", function () { setTimeout(search, 0); });
  box.addEventListener("keydown", function (event) {
    if (event.key === "Enter" && !event.shiftKey && box.value.indexOf("\n") < 0) { event.preventDefault(); search(); }
  });
})();
