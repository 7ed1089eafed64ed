/* The list of results as the theme's search takes it. */
import { escapeHtml, excerpt, marked } from "../rank/excerpt.js";
import { isFolder } from "./data.js";

/** @typedef {import("../rank/finder.js").Finder} Finder */
/** @typedef {import("../rank/finder.js").Result} Result */
/** @typedef {{ location: string, title: string, text: string, score: number, terms: {}, tags?: string[] }} Item */

const LIMIT = 30;
const FIRST = 8; // results before the ways on: the theme shows ten lines at first, more when they are scrolled to

/**
 * @param {string} name
 * @param {string} html
 */
function span(name, html) { return `<span class="${name}">${html}</span>`; }

/**
 * Opened from a folder, an address names the file.
 * @param {string} location
 */
function place(location) { return isFolder ? location.replace(/(^|\/)(?=#|$)/, "$1index.html") : location; }

/**
 * @param {Finder} finder
 * @param {Result} result
 * @param {number} rank
 * @returns {Item[]}
 */
function item(finder, result, rank) {
  const { words, frameworks } = finder.data, source = finder.documents[result.entry];
  // Of an entry the answer itself, in one line, below the text that was recognised; of anything else an excerpt.
  const said = source.short ? marked(source.short, result.terms) : excerpt(source.text, result.terms);
  const runs = result.runs?.has ? `${escapeHtml(words[`bug_run_${result.runs.has}`].replace("{release}", result.runs.release))} ` : "";
  const line = result.text ? `<code>${excerpt(result.text, [])}</code> ${runs}${said}` : said;
  const name = frameworks.find(({ id }) => id === source.framework)?.name || "";
  const tags = [result.possible ? words.if_you_run.replace("{framework}", name) : name, source.kind === "key" ? words.topic_key : source.kind === "bug" ? words.bug_known : "", source.topic];
  return [{
    location: place(source.location),
    title: span(result.card ? "fg-hit__title fg-own" : "fg-hit__title", escapeHtml(source.title)) + span("fg-hit__line", line),
    text: "",
    score: (result.card ? 2000 : 1000) - rank, // the Enter key goes to the highest
    terms: {},
    tags: [
      result.exact ? span("fg-exact", escapeHtml(words.exact_match)) : "",
      ...tags.map(escapeHtml),
    ].filter(Boolean),
  }];
}

/**
 * @param {string} location
 * @param {string} title
 * @returns {Item[]}
 */
function plainItem(location, title) {
  return [{ location: place(location), title: escapeHtml(title), text: "", score: 1000 - FIRST, terms: {} }];
}

/**
 * @param {Finder} finder
 * @param {string} query
 */
function suggestions(finder, query) {
  const last = (query.split(/[\s-]+/).pop() || "").toLowerCase();
  if (last.length < 3) return [];
  const word = finder.completion(last);
  return word && /^[\w.]+$/.test(word) ? [word] : [];
}

/**
 * What the theme gets for a query.
 * @param {Finder} finder
 * @param {string} query
 * @param {string} framework the one that is chosen, or none
 * @param {Record<string, string>} releases that the reader chose, by package
 * @returns {{ items: Item[][], suggest?: string[] }}
 */
export function answer(finder, query, framework, releases) {
  if (!query.trim()) return { items: [] };
  let found = finder.search(query, framework, releases);
  if (!found.length && framework) found = finder.search(query, "", releases);
  const items = found.slice(0, LIMIT).map((result, rank) => item(finder, result, rank));
  const { words, prefix } = finder.data;
  if (!found[0]?.exact) { // two ways on; results.js knows that they are two and no results
    items.splice(FIRST, 0,
      plainItem(`${prefix}errors/`, words.all_errors), plainItem(`${prefix}about/#about-report`, words.report_error));
  }
  return query.length < 60 ? { items, suggest: suggestions(finder, query) } : { items };
}
