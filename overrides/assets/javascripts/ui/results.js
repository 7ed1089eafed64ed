/*
 * The list of results. Above it stands how many there are, and a key that was asked for by its exact name, as a card of its
 * own; the entry that explains it stays first in the list. When a result is chosen, this tab keeps what was searched: for Back,
 * which opens the search again; for the report, if that was chosen; and the words to be marked on the page it leads to.
 */
import { around, fill, find, findAll } from "./dom.js";
import { arrival, keep, kept, tail } from "./session.js";

const WAYS = 2;   // lines of a list without an exact match that are no results: all errors, and the report
const SHORT = 80; // characters of a query whose own words are marked; a log has too many

/** @param {HTMLElement} box */
function watch(box) {
  const said = find(box, ".md-search-result__meta"), list = find(box, ".md-search-result__list");
  const keys = find(box, "[data-fg=own-keys]");
  let shown = ""; // what this script wrote last

  /** @param {number} count */
  function words(count) {
    const { none = "", one = "", some = "" } = box.dataset;
    return count < 1 ? none : count === 1 ? one : fill(some, { count });
  }
  /** The theme wrote how many lines its list has, a bare number (see search.js): another query was answered. */
  function renew() {
    keys.replaceChildren();
    const lines = Number(said.textContent);
    if (!isNaN(lines)) said.textContent = words(lines - (list.querySelector(".fg-exact") ? 0 : WAYS)); // else the invitation to type
    shown = said.textContent;
  }
  function update() {
    if (said.textContent !== shown) renew();
    for (const item of findAll(list, ".md-search-result__item")) {
      if (!item.querySelector(".fg-own")) continue;
      item.className = "fg-own-key";
      keys.append(item);
    }
    keys.hidden = !keys.children.length;
  }

  const observer = new MutationObserver(update);
  for (const part of [said, list]) observer.observe(part, { childList: true });
}

/* ---- A result is chosen ---------------------------------------------------------------------------------------------- */

/**
 * @param {string} text
 * @param {Element} link
 */
function wordsOf(text, link) {
  if (link.querySelector(".fg-exact")) return []; // the whole answer is what was looked for
  const own = text.length > SHORT ? [] : text.split(/\s+/).filter((word) => word.length > 3);
  return [...own, ...findAll(link, "mark").map((mark) => mark.textContent)];
}

/** @param {Event} event */
function choose(event) {
  const link = /** @type {HTMLAnchorElement | null} */ (around(event, ".md-search-result__link"));
  if (!link) return;
  const text = window.fieldguide.asked();
  if (link.pathname !== location.pathname) keep("search", { page: location.pathname, text: tail(text) });
  keep("found", { address: link.href, words: wordsOf(text, link) });
  if (link.hash !== "#about-report") return;
  keep("report", tail(text));
  document.dispatchEvent(new CustomEvent("fieldguide:report")); // the about page may be the one that is open
}

/** @param {HTMLInputElement} toggle */
function rememberSearch(toggle) {
  // The theme closes the search at a click, before it comes here; who closes it otherwise has done with it.
  toggle.addEventListener("change", () => { if (!toggle.checked) keep("search", null); });
  document.addEventListener("click", choose);
  document.addEventListener("auxclick", choose);
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted && arrival() !== "back_forward") return;
    const left = kept("search");
    if (left && left.page === location.pathname) window.fieldguide.ask(left.text);
  });
}

const [box] = findAll(document, "[data-md-component=search-result]");
const toggle = document.getElementById("__search");
if (box && toggle instanceof HTMLInputElement) {
  watch(box);
  rememberSearch(toggle);
}
