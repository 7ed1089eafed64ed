/*
 * Filter of a page of the bug ledger: what bites in the release that the reader runs, what a newer one mends, by topic, by words.
 * Without this script everything shows. The release is remembered: other pages say then what a bug means for it.
 */
import { remember, remembered } from "./choices.js";
import { fill, find, findAll } from "./dom.js";

/** @typedef {{ row: HTMLElement, text: string, topic: string, since: number, fixed: number }} Bug releases as their place in time */

const RELEASE = /v?\d[\w.]*/;
const FEW = 40; // rows that are shown at once, without a press on their release

/**
 * The releases, with which the last line of a row begins, lead to the row itself. The links are made here: by the hundred they weigh.
 * @param {HTMLElement} row
 */
function addressed(row) {
  const releases = row.lastElementChild?.firstChild;
  if (!(releases instanceof Text)) return;
  releases.splitText(releases.data.indexOf(" · "));
  const link = document.createElement("a");
  link.href = `#${row.id}`;
  releases.replaceWith(link);
  link.append(releases);
}

/** @param {HTMLFormElement} form */
function start(form) {
  const said = find(form, "output");
  const fields = /** @type {Record<string, HTMLInputElement | HTMLSelectElement | undefined>} */ (
    Object.fromEntries(findAll(form, "[data-field]").map((field) => [field.dataset.field, field])));
  const { release } = fields;
  // The list is the newest first.
  const tags = release instanceof HTMLSelectElement ? Array.from(release.options, ({ value }) => value).slice(1).reverse() : [];
  const place = (/** @type {string | undefined} */ tag, /** @type {number} */ open) => (tag ? tags.indexOf(tag) : open);
  const groups = findAll(document, "details.fg-bugs").map((group) => /** @type {HTMLDetailsElement} */ (group));
  // The last line of a row begins with its releases, the first of them or, where older ones may have the bug, the last. Its topic is
  // there where that is not the one before's; the fix is what its group is named after.
  let its = "";
  /** @type {Bug[]} */
  const bugs = groups.flatMap((group) => findAll(group, "article").map((row) => ({
    row, text: row.textContent.toLowerCase(), topic: (its = row.dataset.topic ?? its),
    since: "older" in row.dataset ? -1 : place(RELEASE.exec(row.lastElementChild?.textContent ?? "")?.[0], -1), fixed: place(group.dataset.fixed, tags.length),
  })));
  for (const { row } of bugs) addressed(row);
  const store = `release.${form.dataset.page}`;

  function apply() {
    const own = place(release?.value, -1), to = place(fields.to?.value, -1);
    const words = (fields.words?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean), topic = fields.topic?.value ?? "";
    const asked = own >= 0 || to >= 0 || words.length > 0 || topic !== "";
    let shown = 0;
    for (const { row, text, topic: its, since, fixed } of bugs) {
      const bites = own < 0 || (since <= own && own < fixed);
      const hit = bites && (to < 0 || fixed <= to) && (!topic || topic === its) && words.every((word) => text.includes(word));
      row.classList.toggle("fg-unmatched", !hit);
      shown += hit ? 1 : 0;
    }
    const few = asked && shown <= FEW;
    for (const group of groups) {
      const rows = findAll(group, "article"), left = rows.filter((row) => !row.classList.contains("fg-unmatched")).length;
      group.classList.toggle("fg-unmatched", left === 0);
      find(group, ".fg-count").textContent = asked ? `${left} / ${rows.length}` : String(rows.length);
      if (few) group.open = left > 0;
    }
    const { none = "", count = "" } = form.dataset;
    said.textContent = !asked ? "" : !shown ? none : fill(count, { shown, all: bugs.length });
  }

  if (release) {
    const last = remembered(store) ?? "";
    if (!release.value && tags.includes(last)) release.value = last;
    release.addEventListener("change", () => remember(store, release.value));
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", apply);
  form.addEventListener("keydown", (event) => event.stopPropagation()); // the theme's shortcuts are for the page
  apply();
}

/** A row that has moved to the framework's other page, with the releases of its time, is followed there. */
function follow() {
  const twin = document.getElementById("bugs-twin"), row = location.hash.slice(1);
  if (twin instanceof HTMLAnchorElement && row.startsWith("bug-") && !document.getElementById(row)) location.replace(twin.href + location.hash);
}

const [form] = findAll(document, "[data-fg=bug-filter]");
if (form instanceof HTMLFormElement) start(form);
follow();
