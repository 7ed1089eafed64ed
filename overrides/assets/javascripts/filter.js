/* Framework filter: hides what belongs to other frameworks. The choice is in the address and is remembered. */
(function () {
  "use strict";
  var STORE = "fieldguide.framework";
  var bar = document.querySelector("[data-fg=filter]");
  if (!bar) return;
  // The same choice stands in the search panel.
  var results = document.querySelector("[data-md-component=search-result]");
  if (results) {
    var copy = bar.cloneNode(true);
    copy.hidden = false;
    results.parentElement.insertBefore(copy, results);
  }
  var buttons = Array.prototype.slice.call(document.querySelectorAll("[data-fg=filter] button"));
  var parts = Array.prototype.slice.call(document.querySelectorAll(".md-content [data-fw]")).filter(function (element) {
    return element.matches("section, tr, li");
  });
  var known = buttons.map(function (button) { return button.dataset.filter; });

  function remembered() {
    var asked = new URLSearchParams(location.search).get("fw");
    if (asked !== null) return known.indexOf(asked) >= 0 ? asked : "";
    try { return localStorage.getItem(STORE) || ""; } catch (error) { return ""; }
  }
  function remember(choice) {
    try { localStorage.setItem(STORE, choice); } catch (error) { /* private mode */ }
    var address = new URL(location.href);
    if (choice) address.searchParams.set("fw", choice); else address.searchParams.delete("fw");
    history.replaceState(history.state, "", address);
  }
  function members(choice) {
    var button = buttons.filter(function (one) { return one.dataset.filter === choice; })[0];
    return button && choice ? (button.dataset.members || choice).split(" ") : null;
  }
  function apply(choice) {
    var shown = members(choice);
    parts.forEach(function (part) {
      var hide = shown !== null && part.dataset.fw !== "any" && shown.indexOf(part.dataset.fw) < 0;
      part.classList.toggle("fg-filtered", hide);
    });
    document.querySelectorAll(".md-nav--secondary a[href^='#']").forEach(function (link) {
      var target = document.getElementById(link.hash.slice(1)); // ids are ASCII
      link.parentElement.classList.toggle("fg-filtered", !!(target && target.closest("section.fg-filtered")));
    });
    document.documentElement.dataset.framework = choice;
    document.dispatchEvent(new CustomEvent("fieldguide:framework", { detail: choice }));
    buttons.forEach(function (button) {
      button.setAttribute("aria-pressed", String(button.dataset.filter === choice));
    });
    reveal();
  }
  // A link to one entry always shows it, whatever is filtered.
  function reveal() {
    var id = location.hash.slice(1);
    var target = id && document.getElementById(id);
    if (!target) return;
    var hidden = false;
    for (var part = target.closest(".fg-filtered"); part; part = part.parentElement.closest(".fg-filtered")) {
      part.classList.remove("fg-filtered");
      hidden = true;
    }
    if (hidden) target.scrollIntoView();
  }

  buttons.forEach(function (button) {
    button.addEventListener("click", function () {
      remember(button.dataset.filter);
      apply(button.dataset.filter);
    });
  });
  window.addEventListener("hashchange", reveal);
  var first = remembered();
  apply(known.indexOf(first) >= 0 ? first : "");
})();
