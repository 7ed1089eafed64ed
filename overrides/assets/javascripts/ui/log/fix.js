/* The fix of an entry as the log page shows it: links, numbered steps, copy buttons, and only what the log's framework needs. */
import { address } from "../address.js";
import { copyButton } from "../clipboard.js";
import { element, fill, find, findAll } from "../dom.js";
import { asMarkdown } from "../markdown.js";

/** @typedef {{ id: string, name: string, group: string }} Framework */
/** @typedef {Record<string, string>} Words */

/**
 * HTML of the guide itself, made at build time; its links are relative to the root of the site.
 * @param {string} html
 */
function parsed(html) {
  const made = element("div", { className: "fg-log__fix", innerHTML: html });
  for (const link of findAll(made, "a[href]")) {
    const href = link.getAttribute("href") || "";
    if (!/^[a-z][a-z0-9+.-]*:/i.test(href)) link.setAttribute("href", address(href));
  }
  return made;
}

/* ---- Other frameworks ------------------------------------------------------------------------------------------------ */

/**
 * The framework that a cell begins with: `verl, Megatron` and `verl v0.8.0` belong to verl.
 * @param {Element | undefined} cell
 * @param {Framework[]} frameworks
 */
function frameworkOf(cell, frameworks) {
  const text = cell ? cell.textContent.trim() : "";
  return frameworks.find(({ name }) => text.startsWith(name) && !/^[\w-]/.test(text.slice(name.length)));
}

/**
 * Lines, of cells or a row, that begin with the name of another framework; none, when ours is not among them.
 * @template {HTMLElement} Part
 * @param {{ head: Element | undefined, parts: Part[] }[]} lines
 * @param {Framework[]} frameworks
 * @param {string} group
 * @returns {Part[]}
 */
function foreign(lines, frameworks, group) {
  const owners = lines.map(({ head }) => frameworkOf(head, frameworks));
  const named = owners.filter((one) => one !== undefined);
  if (named.length < 2 || !named.some((one) => one.group === group)) return [];
  return lines.flatMap(({ parts }, at) => { const owner = owners[at]; return owner && owner.group !== group ? parts : []; });
}

/**
 * @param {HTMLTableElement} table
 * @param {Framework[]} frameworks
 * @param {string} group
 * @returns {HTMLElement[]}
 */
function foreignIn(table, frameworks, group) {
  const rows = Array.from(table.rows);
  const columns = Array.from(rows[0]?.cells ?? [], (_, at) => rows.map(({ cells }) => cells[at]).filter(Boolean))
    .map((cells) => ({ head: cells[0], parts: cells }));
  const lines = rows.slice(1).map((row) => ({ head: row.cells[0], parts: [row] }));
  return [...foreign(columns, frameworks, group), ...foreign(lines, frameworks, group)];
}

/**
 * Everything in `root` that is for other frameworks than that of `group`.
 * @param {HTMLElement} root
 * @param {Framework[]} frameworks
 * @param {string} group
 */
function others(root, frameworks, group) {
  const groups = new Map(frameworks.map((one) => [one.id, one.group]));
  const marked = findAll(root, "[data-fw]").filter((one) => {
    const own = groups.get(one.dataset.fw ?? "");
    return !one.matches("code, .fg-badge") && own !== undefined && own !== group;
  });
  return [...marked, ...Array.from(root.querySelectorAll("table")).flatMap((table) => foreignIn(table, frameworks, group))];
}

/* ---- As it is shown -------------------------------------------------------------------------------------------------- */

/**
 * @param {Element} block
 * @param {Words} words
 */
export function withCopy(block, words) {
  const button = element("button", { type: "button", className: "fg-log__copy", textContent: words.copy });
  button.dataset.done = words.copied;
  block.classList.add("fg-log__code");
  const code = find(block, "code");
  code.tabIndex = 0; // what is wider than the page scrolls by key, too
  block.append(copyButton(button, () => code.textContent.replace(/\n$/, "")));
  return block;
}

/** @param {HTMLTableElement} table */
function inBox(table) {
  const box = element("div", { className: "md-typeset__table" });
  table.tabIndex = 0;
  table.replaceWith(box);
  box.append(table);
}

/**
 * A button that shows what is for other frameworks, and hides it again.
 * @param {HTMLElement[]} hidden
 * @param {string} framework
 * @param {Words} words
 */
function toggle(hidden, framework, words) {
  const button = element("button", { type: "button", className: "fg-log__all", textContent: words.all });
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const isShown = button.getAttribute("aria-pressed") !== "true";
    for (const one of hidden) one.hidden = !isShown;
    button.setAttribute("aria-pressed", String(isShown));
    button.textContent = isShown ? fill(words.only, { framework }) : words.all;
  });
  return button;
}

/**
 * @param {string} html
 * @param {Framework[]} frameworks
 * @param {Framework | null} own that of the log
 * @param {Words} words
 */
export function show(html, frameworks, own, words) {
  const made = parsed(html), hidden = own ? others(made, frameworks, own.group) : [];
  for (const one of hidden) one.hidden = true;
  made.querySelectorAll("table").forEach(inBox);
  for (const pre of findAll(made, "pre")) withCopy(pre.closest(".highlight") || pre, words);
  if (own && hidden.length) made.append(toggle(hidden, own.name, words));
  return made;
}

/**
 * The same as Markdown, without what is for other frameworks.
 * @param {string} html
 * @param {Framework[]} frameworks
 * @param {Framework | null} own
 */
export function markdown(html, frameworks, own) {
  const made = parsed(html);
  if (own) for (const one of others(made, frameworks, own.group)) one.remove();
  return asMarkdown(made.childNodes);
}
