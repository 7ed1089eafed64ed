/*
 * A report goes to the issue form by the clipboard, never in an address: `fieldguide.copy` copies a field, and a link with
 * data-copies does so before it opens the form in a tab of its own.
 */
(function () {
  "use strict";
  window.fieldguide = window.fieldguide || {};
  /* Works at once, before a link leads away, and where the clipboard is closed to scripts. */
  window.fieldguide.copy = function (field) {
    field.select();
    if (document.execCommand("copy")) return Promise.resolve();
    return navigator.clipboard ? navigator.clipboard.writeText(field.value) : Promise.reject(new Error("no clipboard"));
  };
  document.addEventListener("click", function (event) {
    var link = event.target.closest ? event.target.closest("a[data-copies]") : null;
    if (!link) return;
    window.fieldguide.copy(document.getElementById(link.dataset.copies)).then(function () {
      link.textContent = link.dataset.done;
    }, function () { /* the report stands there, selected */ });
  });
})();
