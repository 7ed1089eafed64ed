/* Language switch: keeps the anchor, remembers the choice, offers the other language once. */
(function () {
  "use strict";
  var STORE = "fieldguide.language";

  // Material fetches a sitemap next to every link[rel=alternate], which does not exist there. The trailing space keeps
  // the relation for everything that reads tokens and takes the links out of that selector.
  document.querySelectorAll("link[rel=alternate]").forEach(function (link) {
    link.setAttribute("rel", "alternate ");
  });

  function stored() {
    try { return localStorage.getItem(STORE); } catch (error) { return null; }
  }
  function store(language) {
    try { localStorage.setItem(STORE, language); } catch (error) { /* private mode: the choice lasts for this page */ }
  }

  document.querySelectorAll("[data-fg=language]").forEach(function (link) {
    link.addEventListener("click", function () {
      store(link.dataset.lang);
      link.href = link.href.split(/[?#]/)[0] + location.search + location.hash;
    });
  });

  var hint = document.querySelector("[data-fg=language-hint]");
  if (!hint) return;
  var here = document.documentElement.lang;
  var other = hint.lang;
  var wanted = stored() || ((navigator.languages || [navigator.language])[0] || "").toLowerCase().split("-")[0];
  var fromHere = document.referrer && new URL(document.referrer).origin === location.origin;
  var link = hint.querySelector("a");
  // A reader who chose the other language and opens the front page is taken there; anywhere else a link is offered,
  // because a shared address must show what was shared.
  if (stored() === other && document.querySelector("[data-fg=paste]") && !fromHere && !location.hash) {
    location.replace(link.href + location.search);
    return;
  }
  hint.hidden = wanted !== other || here === other;
  hint.querySelector("button").addEventListener("click", function () {
    store(here);
    hint.hidden = true;
  });
})();
