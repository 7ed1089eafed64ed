/* 404: shows the reader's language and the pages whose address is closest to the one asked for. */
import { config } from "./config.js";
import { find, findAll } from "./dom.js";

const SHOWN = 6;
const base = new URL(config.base, location.href).pathname;
const asked = location.pathname.slice(base.length).toLowerCase(); // still encoded: ours are ASCII, and others may be malformed
const language = document.documentElement.lang; // said by the path, in the head of the page

/** @param {string} text */
function pairs(text) { return new Set(Array.from(text.slice(1), (_, i) => text.slice(i, i + 2))); }

/**
 * Dice coefficient of letter pairs: good enough for a mistyped path.
 * @param {string} one
 * @param {string} other
 */
function similarity(one, other) {
  const a = pairs(one), b = pairs(other);
  const common = Array.from(a).filter((pair) => b.has(pair)).length;
  return (2 * common) / (a.size + b.size || 1);
}

/**
 * The whole path, or what is last in it: /e/verl-oom/ is close to topics/memory/verl-actor-oom/.
 * @param {string} path
 */
function closeness(path) {
  const last = (/** @type {string} */ text) => text.split("/").filter(Boolean).pop() || "";
  const [mine, other] = [asked, path].map((one) => one.replace(new RegExp(`^${language}/`), ""));
  return Math.max(similarity(mine, other), similarity(last(mine), last(other)));
}

/** @param {HTMLElement} section */
function show(section) {
  const { site = "", search = "" } = section.dataset;
  document.title = site;
  for (const title of findAll(document, ".md-header__title .md-ellipsis")) title.textContent = site;
  for (const query of findAll(document, "[data-md-component=search-query]")) {
    query.setAttribute("placeholder", search);
    query.setAttribute("aria-label", search);
  }
  for (const part of findAll(document, "[data-fg=not-found]")) part.hidden = part !== section;
  const list = find(section, "ul");
  findAll(list, ":scope > *")
    .map((item) => ({ item, score: closeness(find(item, "a", HTMLAnchorElement).pathname.slice(base.length)) }))
    .sort((a, b) => b.score - a.score)
    .forEach(({ item }, rank) => {
      list.append(item);
      item.hidden = rank >= SHOWN;
    });
}

show(find(document, `[data-fg=not-found][lang=${language}]`));
