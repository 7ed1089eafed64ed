/*
 * Framework filter: hides what belongs to other frameworks - sections, rows, columns, list items, and what is left empty by
 * that. The choice is in the address and is remembered. An entry's own page is never hidden, nor what a link leads to.
 */
(function () {
  "use strict";
  const STORE = "fieldguide.framework";
  const bar = document.querySelector("[data-fg=filter]");
  if (!bar) return;
  // The same choice is in the search panel.
  const results = document.querySelector("[data-md-component=search-result]");
  if (results) {
    const copy = bar.cloneNode(true);
    copy.hidden = false;
    results.parentElement.insertBefore(copy, results);
  }
  const buttons = Array.from(document.querySelectorAll("[data-fg=filter] button"));
  const known = buttons.map((button) => button.dataset.filter);
  const note = document.querySelector("[data-fg=filter-note]");
  const content = document.querySelector(".md-content");
  markColumns();
  const parts = Array.from(content.querySelectorAll("[data-fw]")).filter((part) => part.matches("section:not(.fg-entry), tr, th, td, li"));
  // What holds such parts and shows nothing without them.
  const holders = Array.from(content.querySelectorAll(".fg-entries, .fg-symptoms > li, .fg-grid > li, details.fg-errors, tbody"));

  /* Tables whose head names frameworks: each cell of such a column belongs to the framework. */
  function markColumns() {
    const names = new Map(buttons.filter((button) => button.dataset.filter).map((button) => [button.textContent.trim(), button.dataset.filter]));
    content.querySelectorAll("table:not(.fg-compare)").forEach((table) => {
      const heads = Array.from(table.querySelectorAll("thead :is(th, td)"));
      const owners = heads.map((head) => names.get(head.textContent.trim()));
      if (owners.filter(Boolean).length < 2) return;
      table.querySelectorAll("tr").forEach((row) => {
        Array.from(row.cells).forEach((cell, i) => { if (owners[i]) cell.dataset.fw = owners[i]; });
      });
    });
  }

  function remembered() {
    const asked = new URLSearchParams(location.search).get("fw");
    if (asked !== null) return known.includes(asked) ? asked : "";
    try { return localStorage.getItem(STORE) || ""; } catch (error) { return ""; }
  }
  function remember(choice) {
    try { localStorage.setItem(STORE, choice); } catch (error) { /* private mode */ }
    const address = new URL(location.href);
    if (choice) address.searchParams.set("fw", choice); else address.searchParams.delete("fw");
    history.replaceState(history.state, "", address);
  }
  function members(choice) {
    const button = buttons.find((one) => one.dataset.filter === choice);
    return button && choice ? (button.dataset.members || choice).split(" ") : null;
  }

  function apply(choice) {
    const shown = members(choice);
    parts.forEach((part) => {
      part.classList.toggle("fg-filtered", shown !== null && part.dataset.fw !== "any" && !shown.includes(part.dataset.fw));
    });
    document.documentElement.dataset.framework = choice;
    document.dispatchEvent(new CustomEvent("fieldguide:framework", { detail: choice }));
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.filter === choice)));
    reveal();
  }
  /* A link to one place always shows it, whatever is filtered; then what is empty goes, and the contents follow. */
  function reveal() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const hidden = target && target.closest(".fg-filtered");
    for (let part = hidden; part; part = part.parentElement.closest(".fg-filtered")) part.classList.remove("fg-filtered");
    tidy();
    if (hidden) target.scrollIntoView();
  }
  function tidy() {
    holders.forEach((holder) => {
      const own = Array.from(holder.querySelectorAll(":is(li, tr)[data-fw]"));
      holder.classList.toggle("fg-filtered", own.length > 0 && own.every((part) => part.classList.contains("fg-filtered")));
    });
    document.querySelectorAll(".md-nav--secondary a[href^='#']").forEach((link) => {
      const target = document.getElementById(link.hash.slice(1)); // ids are ASCII
      link.parentElement.classList.toggle("fg-filtered", Boolean(target && target.closest(".fg-filtered")));
    });
    const count = parts.filter((part) => part.matches("section, li, tr") && part.classList.contains("fg-filtered")).length;
    if (note) note.textContent = count ? note.dataset.text.replace("{count}", String(count)) : "";
  }

  buttons.forEach((button) => {
    button.addEventListener("click", () => {
      remember(button.dataset.filter);
      apply(button.dataset.filter);
    });
  });
  window.addEventListener("hashchange", reveal);
  const first = remembered();
  apply(known.includes(first) ? first : "");
})();
