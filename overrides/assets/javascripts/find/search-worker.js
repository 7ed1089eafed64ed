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
var FIRST = 8;           // results before the ways on: the theme shows ten lines at first, more when they are scrolled to
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

/* ---- One line of the list ------------------------------------------------------------------------------------------- */

var LENGTH = 180, BEFORE = 60;   // characters of an excerpt, and of it before the first word that was found
var GIANT = 300;                 // a word longer than this is cut after all
var CJK = "\\u3000-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uff00-\\uffef";
var UNIT = new RegExp("[" + CJK + "]|[^\\s" + CJK + "]+", "g");   // what an excerpt is never cut inside of
var RUN = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[A-Za-z0-9_][A-Za-z0-9_.-]*/g;
var asFiled = new Map();         // word of a document → its terms in the index

function filed(word) {
  if (!asFiled.has(word)) asFiled.set(word, self.FieldGuideFind.tokenize(word).map(self.FieldGuideFind.processTerm));
  return asFiled.get(word);
}

/* Whether a word is one of the terms, or an identifier of which they are two parts or half of them. */
function isFound(word, terms) {
  var own = filed(word), parts = own.slice(1);
  var known = parts.filter(function (part) { return terms.has(part); }).length;
  return terms.has(own[0]) || known > 1 || (known > 0 && known * 2 >= parts.length);
}

/* The first places of a text with one of the terms: [[start, end], …], whole words, and Chinese by pairs that touch. */
function places(text, terms, most) {
  var found = [], run;
  function note(start, end) {
    if (!isFound(text.slice(start, end), terms)) return;
    var last = found[found.length - 1];
    if (last && start < last[1]) last[1] = end; else found.push([start, end]);
  }
  RUN.lastIndex = 0;
  while (terms.size && found.length < most && (run = RUN.exec(text))) {
    var start = run.index, length = run[0].length;
    if (run[0] < "\u3000") note(start, start + run[0].replace(/[.-]+$/, "").length);
    else for (var i = 0; i < Math.max(1, length - 1); i++) note(start + i, start + Math.min(i + 2, length));
  }
  return found;
}

/* The part of a text around `at`, as [start, end]: from the beginning of a word to the end of one. */
function part(text, at) {
  var from = Math.max(0, at - 2 * GIANT), near = text.slice(from, at + 2 * GIANT);
  var start = 0, end = 0, unit;
  UNIT.lastIndex = 0;
  while ((unit = UNIT.exec(near))) {
    var begins = from + unit.index, ends = begins + Math.min(unit[0].length, GIANT);
    if (begins <= at - BEFORE) start = begins;
    if (ends > start + LENGTH && end > at) break;
    end = ends;
  }
  return [start, end];
}

function mark(text, found) {
  var html = "", at = 0;
  found.forEach(function (place) {
    html += escape(text.slice(at, place[0])) + "<mark>" + escape(text.slice(place[0], place[1])) + "</mark>";
    at = place[1];
  });
  return html + escape(text.slice(at));
}

/* An excerpt around the first word that was found, such words marked, with … where the text goes on. */
function teaser(text, terms) {
  var known = new Set(terms), first = places(text, known, 1)[0];
  var cut = part(text, first ? first[0] : 0), piece = text.slice(cut[0], cut[1]);
  var more = cut[1] < text.trimEnd().length && !/…$/.test(piece);
  return (cut[0] > 0 ? "…" : "") + mark(piece, places(piece, known, Infinity)) + (more ? "…" : "");
}

function span(name, html) { return "<span class=\"" + name + "\">" + html + "</span>"; }

function item(find, result, rank) {
  var data = find.data;
  var source = find.documents[result.entry];
  var owner = data.frameworks.filter(function (one) { return one.id === source.framework; })[0];
  // Of an entry the answer itself, in one line, below the text that was recognised; of anything else an excerpt.
  var terms = result.exact ? [] : result.terms;
  var said = source.short ? mark(source.short, places(source.short, new Set(terms), Infinity)) : teaser(source.text, terms);
  var line = (result.exact ? "<code>" + teaser(result.text, []) + "</code> " : "") + said;
  return [{
    location: place(source.location),
    title: span(result.card ? "fg-hit__title fg-own" : "fg-hit__title", escape(source.title)) + span("fg-hit__line", line),
    text: "",
    score: result.card ? 2000 - rank : 1000 - rank,   // the Enter key goes to the highest
    terms: {},
    tags: [result.exact ? span("fg-exact", escape(data.words.exact_match)) : "", owner ? escape(owner.name) : "", source.kind === "key" ? escape(data.words.topic_key) : "", escape(source.topic)].filter(Boolean)
  }];
}

function plainItem(location, title, rank) {
  return [{ location: place(location), title: escape(title), text: "", score: 1000 - rank, terms: {} }];
}

/* Opened from a folder, an address names the file. */
function place(location) {
  return self.workerAddress ? location.replace(/(^|\/)(?=#|$)/, "$1index.html") : location;
}

/* ---- Answers -------------------------------------------------------------------------------------------------------- */

function answer(find, query) {
  if (!query.trim()) return { items: [] };
  var found = find.search(query, framework);
  if (!found.results.length && framework) found = find.search(query, "");
  var items = found.results.slice(0, LIMIT).map(function (result, rank) { return item(find, result, rank); });
  var prefix = find.data.language === "zh" ? "zh/" : "";
  if (!found.exact) {   // two ways on; results.js knows that they are two and no results
    items.splice(FIRST, 0,
      plainItem(prefix + "errors/", find.data.words.all_errors, FIRST),
      plainItem(prefix + "about/#about-report", find.data.words.report_error, FIRST));
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
