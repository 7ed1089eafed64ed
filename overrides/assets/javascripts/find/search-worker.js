/*
 * The worker behind the theme's search box. Protocol of the theme: SETUP 0 → READY 1, QUERY 2 → RESULT 3.
 * The build puts MiniSearch, find.js and this into one file, search/worker.js: loading three scripts one after the other
 * takes as long as reading a third of the data. It is started as worker.js?lang=en&channel=…; the data beside it is fetched at
 * the first query, not on page view.
 * The page tells the chosen framework over the BroadcastChannel of that name.
 */
(function () {
"use strict";
var SETUP = 0, READY = 1, QUERY = 2, RESULT = 3;
var LIMIT = 30;
var address = self.workerAddress || self.location.href;   // workerAddress: in the copy that opens from a folder
var settings = new URL(address).searchParams;
var language = settings.get("lang") === "zh" ? "zh" : "en";
var finder = null;       // promise of a Finder, made at the first query
var framework = "";
var lastQuery = "";

function near(path) { return new URL(path, address).href; }

function searchData(name) {
  if (self.workerAddress) {
    return importScripts(near(name + ".js")).then(function () { return self.fieldguideData[name]; });
  }
  return fetch(near(name + ".json")).then(function (response) {
    if (!response.ok) throw new Error("search data: HTTP " + response.status);
    return response.json();
  });
}

function load() {
  if (finder) return finder;
  finder = searchData(language)
    .then(function (data) {
      var made = new self.FieldGuideFind.Finder(data, self.MiniSearch);
      setTimeout(function () { loadMore(made); }, 0);
      return made;
    })
    .catch(function (error) { finder = null; throw error; });
  return finder;
}

/*
 * The text of the answers follows once the entries have answered, then keys and other sections; each time the last query is
 * answered again.
 */
function loadMore(made) {
  function again() { if (lastQuery.trim()) run(lastQuery); }
  Promise.all([searchData(language + "-more"), made.addText().then(again)]).then(function (loaded) {
    return made.add(self.FieldGuideFind.unpack(loaded[0].pages).concat(self.FieldGuideFind.keyDocuments(loaded[0].keys)));
  }).then(again).catch(function (error) { console.warn("search: " + error.message); });
}

function escape(text) {
  return String(text).replace(/[&<>"']/g, function (c) { return "&#" + c.charCodeAt(0) + ";"; });
}

/* The part of a document around the first term that stands in it, terms marked. */
function teaser(source, terms) {
  var text = source.text;
  var lower = text.toLowerCase();
  var at = -1;
  for (var i = 0; i < terms.length && at < 0; i++) if (terms[i].length > 2) at = lower.indexOf(terms[i].toLowerCase());
  var start = Math.max(0, at - 60);
  var piece = (start > 0 ? "…" : "") + text.slice(start, start + 180) + (start + 180 < text.length ? "…" : "");
  return mark(piece, terms);
}
function mark(text, terms) {
  var words = terms.filter(function (term) { return term.length > 1; })
    .sort(function (a, b) { return b.length - a.length; }).slice(0, 40)
    .map(function (term) { return term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); });
  if (!words.length) return escape(text);
  return text.split(new RegExp("(" + words.join("|") + ")", "i")).map(function (part, i) {
    return i % 2 ? "<mark>" + escape(part) + "</mark>" : escape(part);
  }).join("");
}

function item(find, result, rank) {
  var data = find.data;
  var source = find.documents[result.entry];
  var owner = data.frameworks.filter(function (one) { return one.id === source.framework; })[0];
  var line = result.exact ? "<code>" + escape(result.text.slice(0, 200)) + "</code>" : teaser(source, result.terms);
  var terms = {};
  highlights(result).forEach(function (term) { terms[term] = true; });
  return [{
    location: source.location,
    title: "<span class=\"fg-hit__title\">" + escape(source.title) + "</span><span class=\"fg-hit__line\">" + line + "</span>",
    text: "",
    score: 1000 - rank,
    terms: terms,
    tags: [result.exact ? "<span class=\"fg-exact\">" + escape(data.words.exact_match) + "</span>" : "", owner ? escape(owner.name) : "", source.kind === "key" ? escape(data.words.topic_key) : "", escape(source.topic)].filter(Boolean)
  }];
}

/* Words that the theme marks on the landed page: whole identifiers and longer words, not their parts. */
function highlights(result) {
  var words = result.terms.filter(function (term) { return /[^\x00-\x7f]/.test(term) || term.length > 3; });
  return words.filter(function (term) {
    return !words.some(function (other) { return other !== term && other.length > term.length && other.indexOf(term) >= 0; });
  }).slice(0, 8);
}

function plainItem(location, title, rank) {
  return [{ location: location, title: escape(title), text: "", score: 1000 - rank, terms: {} }];
}

function answer(find, query) {
  if (!query.trim()) return { items: [] };
  var found = find.search(query, framework);
  if (!found.results.length && framework) found = find.search(query, "");
  var items = found.results.slice(0, LIMIT).map(function (result, rank) { return item(find, result, rank); });
  var prefix = find.data.language === "zh" ? "zh/" : "";
  if (!found.exact) {
    items.push(plainItem(prefix + "errors/", find.data.words.all_errors, items.length + 1));
    items.push(plainItem(prefix + "about/?error=" + encodeURIComponent(query.slice(-1500)) + "#about-report", find.data.words.report_error, items.length + 1));
  }
  var result = { items: items };
  if (query.length < 60) result.suggest = suggest(find, query);
  return result;
}

function suggest(find, query) {
  var last = query.split(/[\s-]+/).pop().toLowerCase();
  if (last.length < 3) return [];
  var best = find.index.autoSuggest(last, { prefix: true, fuzzy: false, tokenize: function (text) { return [text]; }, processTerm: function (term) { return term; } })[0];
  return best && /^[\w.]+$/.test(best.suggestion) ? [best.suggestion] : [];
}

function run(query) {
  lastQuery = query;
  if (!query.trim()) { self.postMessage({ type: RESULT, data: { items: [] } }); return; }
  load().then(function (find) {
    if (query === lastQuery) self.postMessage({ type: RESULT, data: answer(find, query) });
  }).catch(function (error) {
    console.warn("search: " + error.message);
    self.postMessage({ type: RESULT, data: { items: [] } });
  });
}

/* What the page says beside the theme's protocol: load the data, or another framework was chosen. */
function hear(message) {
  if (message.load) load().catch(function () { /* said at the first query */ });
  if (typeof message.framework === "string" && message.framework !== framework) {
    framework = message.framework;
    if (lastQuery.trim()) run(lastQuery);
  }
}
if (settings.get("channel") && typeof BroadcastChannel !== "undefined") {
  new BroadcastChannel(settings.get("channel")).onmessage = function (event) { hear(event.data); };
}

self.onmessage = function (event) {
  hear(event.data);
  if (event.data.type === SETUP) self.postMessage({ type: READY });
  if (event.data.type === QUERY) run(String(event.data.data));
};
})();
