/* A permalink goes on to the reader's language: the one chosen in the switch, else the browser's first that there is. */
(function () {
  "use strict";
  function stored() {
    try { return localStorage.getItem("fieldguide.language"); } catch (error) { return null; }
  }
  var wanted = [document.documentElement.dataset.language, stored()].concat(navigator.languages || [navigator.language]).filter(Boolean).map(function (language) {
    return language.toLowerCase().split("-")[0];
  });
  var links = Array.prototype.slice.call(document.querySelectorAll("a[data-lang]"));
  var ranked = wanted.map(function (language) {
    return links.filter(function (link) { return link.dataset.lang === language; })[0];
  }).filter(Boolean);
  var target = new URL((ranked[0] || links[0]).href);
  var framework = new URLSearchParams(location.search).get("fw"); // the filter goes along, and nothing else of the address
  if (framework !== null) target.searchParams.set("fw", framework);
  location.replace(target);
})();
