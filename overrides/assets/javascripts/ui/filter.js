/*
 * Framework filter: hides what belongs to other frameworks - sections, rows, columns, list items, and what is left empty by
 * that. The choice is in the address and is remembered. An entry's own page is never hidden, nor what a link leads to.
 */
import { remember, remembered } from "./choices.js";
import { fill, find, findAll, named } from "./dom.js";

const HIDDEN = "fg-filtered";

/**
 * @param {Element} part
 * @param {boolean} isHidden
 */
function hide(part, isHidden) { part.classList.toggle(HIDDEN, isHidden); }

/** @param {Element} part */
function isHidden(part) { return part.classList.contains(HIDDEN); }

class Filter {
  /** @param {HTMLElement} bar */
  constructor(bar) {
    copyToSearch(bar);
    this.buttons = findAll(document, "[data-fg=filter] button");
    this.known = this.buttons.map((button) => button.dataset.filter);
    this.note = findAll(document, "[data-fg=filter-note]").at(0);
    const content = find(document, ".md-content");
    this.markColumns(content);
    this.parts = findAll(content, "[data-fw]").filter((part) => part.matches("section:not(.fg-entry), tr, th, td, li"));
    // What holds such parts and shows nothing without them.
    this.holders = findAll(content, ".fg-entries, .fg-symptoms > li, .fg-grid > li, details.fg-errors, tbody");
    for (const button of this.buttons) button.addEventListener("click", () => this.choose(button.dataset.filter ?? ""));
    window.addEventListener("hashchange", () => this.reveal());
    const first = this.asked();
    this.apply(this.known.includes(first) ? first : "");
  }

  /**
   * Tables whose head names frameworks: each cell of such a column belongs to the framework.
   * @param {HTMLElement} content
   */
  markColumns(content) {
    const names = new Map(this.buttons.filter(({ dataset }) => dataset.filter)
      .map((button) => [button.textContent.trim(), button.dataset.filter]));
    for (const table of findAll(content, "table:not(.fg-compare)")) {
      const owners = findAll(table, "thead :is(th, td)").map((head) => names.get(head.textContent.trim()));
      if (owners.filter(Boolean).length < 2) continue;
      for (const row of table.querySelectorAll("tr")) {
        Array.from(row.cells).forEach((cell, i) => { if (owners[i]) cell.dataset.fw = owners[i]; });
      }
    }
  }

  /** The choice that the address names, else the one that is remembered. */
  asked() {
    const asked = new URLSearchParams(location.search).get("fw");
    return asked ?? (remembered("framework") || "");
  }

  /** @param {string} choice */
  choose(choice) {
    remember("framework", choice);
    const address = new URL(location.href);
    if (choice) address.searchParams.set("fw", choice); else address.searchParams.delete("fw");
    history.replaceState(history.state, "", address);
    this.apply(choice);
  }

  /**
   * The frameworks that a choice shows; null for all.
   * @param {string} choice
   */
  members(choice) {
    const button = this.buttons.find(({ dataset }) => dataset.filter === choice);
    return button && choice ? (button.dataset.members || choice).split(" ") : null;
  }

  /** @param {string} choice */
  apply(choice) {
    const shown = this.members(choice);
    for (const part of this.parts) {
      const { fw = "" } = part.dataset;
      hide(part, shown !== null && fw !== "any" && !shown.includes(fw));
    }
    document.documentElement.dataset.framework = choice;
    document.dispatchEvent(new CustomEvent("fieldguide:framework", { detail: choice }));
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.filter === choice));
    this.reveal();
  }

  /** A link to one place always shows it, whatever is filtered; then what is empty goes, and the contents follow. */
  reveal() {
    const target = named(), hidden = target?.closest(`.${HIDDEN}`);
    for (let part = hidden; part; part = part.parentElement?.closest(`.${HIDDEN}`)) hide(part, false);
    this.tidy();
    if (hidden) target?.scrollIntoView();
  }

  tidy() {
    for (const holder of this.holders) {
      const own = findAll(holder, ":is(li, tr)[data-fw]");
      hide(holder, own.length > 0 && own.every(isHidden));
    }
    for (const link of /** @type {HTMLAnchorElement[]} */ (findAll(document, ".md-nav--secondary a[href^='#']"))) {
      const target = document.getElementById(link.hash.slice(1));
      if (link.parentElement) hide(link.parentElement, Boolean(target?.closest(`.${HIDDEN}`)));
    }
    const count = this.parts.filter((part) => part.matches("section, li, tr") && isHidden(part)).length;
    if (this.note) this.note.textContent = count ? fill(this.note.dataset.text ?? "", { count }) : "";
  }
}

/**
 * The same choice is in the search panel.
 * @param {HTMLElement} bar
 */
function copyToSearch(bar) {
  const results = document.querySelector("[data-md-component=search-result]");
  if (!results) return;
  const copy = /** @type {HTMLElement} */ (bar.cloneNode(true));
  copy.hidden = false;
  results.before(copy);
}

const [bar] = findAll(document, "[data-fg=filter]");
if (bar) new Filter(bar);
