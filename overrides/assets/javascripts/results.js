/*
 * The list of results. Above it stands how many there are, and a key that was asked for by its exact name, as a card of its
 * own; the entry that explains it stays first in the list. When a result is chosen, this tab keeps what was searched: for Back,
 * which opens the search again; for the report, if that was chosen; and the words to be marked on the page it leads to.
 */
(function () {
  "use strict";
  var guide = window.fieldguide, session = guide.session;
  var box = document.querySelector("[data-md-component=search-result]");
  var toggle = document.getElementById("__search");
  if (!box || !toggle) return;
  var said = box.querySelector(".md-search-result__meta");
  var list = box.querySelector(".md-search-result__list");
  var keys = box.querySelector("[data-fg=own-keys]");
  var WAYS = 2;     // lines of a list without an exact match that are no results: all errors, and the report
  var SHORT = 80;   // characters of a query whose own words are marked; a log has too many
  var shown = null; // what this script wrote last

  function words(count) {
    return count < 1 ? box.dataset.none : count === 1 ? box.dataset.one : box.dataset.some.replace("{count}", count);
  }
  /* The theme wrote how many lines its list has, a bare number (see search.js): another query was answered. */
  function renew() {
    keys.replaceChildren();
    var lines = Number(said.textContent);
    if (isNaN(lines)) { shown = said.textContent; return; } // the invitation to type
    shown = said.textContent = words(lines - (list.querySelector(".fg-exact") ? 0 : WAYS));
  }
  function update() {
    if (said.textContent !== shown) renew();
    list.querySelectorAll(".md-search-result__item").forEach(function (item) {
      if (!item.querySelector(".fg-own")) return;
      item.className = "fg-own-key";
      keys.append(item);
    });
    keys.hidden = !keys.children.length;
  }
  var watch = new MutationObserver(update);
  [said, list].forEach(function (part) { watch.observe(part, { childList: true }); });

  /* ---- A result is chosen ---------------------------------------------------------------------------------------------- */

  function wordsOf(text, link) {
    var own = text.length > SHORT ? [] : text.split(/\s+/).filter(function (word) { return word.length > 3; });
    if (link.querySelector(".fg-exact")) return []; // the whole answer is what was looked for
    return own.concat(Array.from(link.querySelectorAll("mark"), function (mark) { return mark.textContent; }));
  }
  function choose(event) {
    var link = event.target.closest ? event.target.closest(".md-search-result__link") : null;
    if (!link) return;
    var text = guide.asked();
    if (link.pathname !== location.pathname) session.set("search", { page: location.pathname, text: text });
    session.set("found", { address: link.href, words: wordsOf(text, link) });
    if (link.hash !== "#about-report") return;
    session.set("report", text);
    document.dispatchEvent(new CustomEvent("fieldguide:report")); // the about page may be the one that is open
  }
  // The theme closes the search at a click, before it comes here; who closes it otherwise has done with it.
  toggle.addEventListener("change", function () { if (!toggle.checked) session.drop("search"); });
  document.addEventListener("click", choose);
  document.addEventListener("auxclick", choose);

  window.addEventListener("pageshow", function (event) {
    if (!event.persisted && session.arrival() !== "back_forward") return;
    var left = session.get("search");
    if (left && left.page === location.pathname) guide.ask(left.text);
  });

  /* ---- Marks ---------------------------------------------------------------------------------------------------------- */

  /* Whole words only; Chinese has no spaces around them. */
  function expression(words) {
    var parts = words.map(function (word) {
      var escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return /\w/.test(word) ? "(?<!\\w|\\w[.-])" + escaped + "(?!\\w|[.-]\\w)" : escaped;
    });
    return new RegExp("(" + parts.join("|") + ")", "i");
  }
  function textsOf(root) {
    var found = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (!walker.currentNode.parentElement.closest("script, style, button, nav, mark, .headerlink")) found.push(walker.currentNode);
    }
    return found;
  }
  function mark(node, words) {
    var parts = node.data.split(words);
    if (parts.length < 2) return;
    node.replaceWith.apply(node, parts.map(function (part, i) {
      return i % 2 ? Object.assign(document.createElement("mark"), { textContent: part }) : part;
    }));
  }
  /* A name that may break between two lines is in several pieces. */
  function markWhole(code, words) {
    if (code.querySelector("mark") || !words.test(code.textContent)) return;
    var mark = document.createElement("mark");
    mark.append.apply(mark, code.childNodes);
    code.append(mark);
  }
  function arrive() {
    var found = session.get("found");
    if (!found || found.address !== location.href) return;
    session.drop("found");
    if (!found.words.length) return;
    var target = location.hash && document.getElementById(location.hash.slice(1)); // ids are ASCII
    var root = target && target.closest("article section, article li") || document.querySelector("article");
    var words = expression(Array.from(new Set(found.words)));
    root.querySelectorAll("code wbr").forEach(function (gap) { markWhole(gap.closest("code"), words); });
    textsOf(root).forEach(function (node) { mark(node, words); });
  }
  window.addEventListener("hashchange", arrive);
  arrive();
})();
