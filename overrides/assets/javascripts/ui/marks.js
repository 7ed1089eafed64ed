/* Marks, on the page that a result led to, the words that were searched. */
import { escapeRegExp } from "../match/text.js";
import { element, find, findAll, named } from "./dom.js";
import { keep, kept } from "./session.js";

const UNMARKED = "script, style, button, nav, mark, .headerlink";

/**
 * Whole words only; Chinese has no spaces around them.
 * @param {string[]} words
 */
function expression(words) {
  const parts = words.map((word) =>
    (/\w/.test(word) ? `(?<!\\w|\\w[.-])${escapeRegExp(word)}(?!\\w|[.-]\\w)` : escapeRegExp(word)));
  return new RegExp(`(${parts.join("|")})`, "i");
}

/** @param {Node} root */
function textsOf(root) {
  const found = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = /** @type {Text} */ (walker.currentNode);
    if (!text.parentElement?.closest(UNMARKED)) found.push(text);
  }
  return found;
}

/**
 * @param {Text} node
 * @param {RegExp} words
 */
function mark(node, words) {
  const parts = node.data.split(words);
  if (parts.length > 1) node.replaceWith(...parts.map((part, i) => (i % 2 ? element("mark", { textContent: part }) : part)));
}

/**
 * A name that may break between two lines is in several pieces.
 * @param {Element | null} code
 * @param {RegExp} words
 */
function markWhole(code, words) {
  if (code && !code.querySelector("mark") && words.test(code.textContent)) code.append(element("mark", {}, Array.from(code.childNodes)));
}

function arrive() {
  const found = kept("found");
  if (!found || found.address !== location.href) return;
  keep("found", null);
  if (!found.words.length) return;
  const root = named()?.closest("article section, article li") || find(document, "article");
  const words = expression(Array.from(new Set(found.words)));
  for (const gap of findAll(root, "code wbr")) markWhole(gap.closest("code"), words);
  for (const text of textsOf(root)) mark(text, words);
}

window.addEventListener("hashchange", arrive);
arrive();
