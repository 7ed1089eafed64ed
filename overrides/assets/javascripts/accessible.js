/* Names and roles that the theme leaves out for readers who listen to a page. */
(function () {
  "use strict";
  var panel = document.querySelector("[data-md-component=search]");
  var query = document.querySelector("[data-md-component=search-query]");
  if (panel && query) panel.setAttribute("aria-label", query.getAttribute("aria-label"));

  // The theme gives every code block a <nav> for its buttons; a page with twenty landmarks of one name has none.
  function demote(root) {
    root.querySelectorAll(".md-code__nav").forEach(function (nav) { nav.setAttribute("role", "none"); });
  }
  demote(document);
  new MutationObserver(function (changes) {
    changes.forEach(function (change) { demote(change.target); });
  }).observe(document.querySelector(".md-content") || document.body, { childList: true, subtree: true });
})();
