/* Names and roles that the theme leaves out for readers who listen to a page. */
import { findAll } from "./dom.js";

const panel = document.querySelector("[data-md-component=search]");
const query = document.querySelector("[data-md-component=search-query]");
if (panel && query) panel.setAttribute("aria-label", query.getAttribute("aria-label") || "");

/**
 * The theme gives every code block a <nav> for its buttons; a page with twenty landmarks of one name has none.
 * @param {ParentNode} root
 */
function demote(root) {
  for (const nav of findAll(root, ".md-code__nav")) nav.setAttribute("role", "none");
}

demote(document);
new MutationObserver((changes) => {
  for (const { target } of changes) if (target instanceof Element) demote(target);
}).observe(document.querySelector(".md-content") || document.body, { childList: true, subtree: true });
