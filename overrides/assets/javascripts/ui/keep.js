/* A search as a link, #q=…: the part of an address behind the # is never part of a request. */
import { find } from "./dom.js";

const START = "#q=";
const OLD = ["q", "h", "query"];

/** Links of older versions held words in the query part: they leave it at once, so that no later request has them. */
function clean() {
  const address = new URL(location.href), words = address.searchParams.get("q");
  if (!OLD.some((name) => address.searchParams.has(name))) return;
  for (const name of OLD) address.searchParams.delete(name);
  if (words && !address.hash) address.hash = START.slice(1) + encodeURIComponent(words);
  history.replaceState(history.state, "", address);
}

/** @param {string} text */
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

function open() {
  if (!location.hash.startsWith(START)) return;
  const words = decoded(location.hash.slice(START.length));
  history.replaceState(history.state, "", location.pathname + location.search);
  if (words.trim()) window.fieldguide.ask(words);
}

/**
 * The theme copies what stands in data-clipboard-text, and says so.
 * @param {HTMLElement} button
 * @param {HTMLInputElement} query
 */
function share(button, query) {
  button.addEventListener("click", () => {
    const address = new URL(location.href), words = query.value.trim();
    address.hash = words ? START.slice(1) + encodeURIComponent(words) : "";
    button.dataset.clipboardText = address.href;
  });
}

const query = document.querySelector("[data-md-component=search-query]");
if (query instanceof HTMLInputElement) {
  share(find(document, "[data-fg=share]"), query);
  window.addEventListener("hashchange", open);
  clean();
  open();
}
