/*
 * Points the theme's search at our worker, before the theme starts it, and tells the worker which framework is chosen.
 * Stands between the theme's configuration and its bundle. `fieldguide.ask` searches a text, `fieldguide.asked` gives it back.
 */
(function () {
  "use strict";
  // A one-line field of a million characters takes the browser seconds to lay out. A longer paste keeps its error lines
  // and its end; the log page reads whole files.
  var LONG = 20000;
  var TELLING = /error|exception|assert|timeout|killed|failed|nan|warning|cannot|could not/i;
  function condense(text) {
    if (text.length <= LONG) return text;
    var lines = text.split(/[\r\n]+/).filter(function (line) { return line.length < 2000 && TELLING.test(line); });
    return (lines.slice(-80).join(" ").slice(-12000) + " " + text.slice(-6000)).replace(/[\r\n]+/g, " ");
  }
  function inOneLine(text) { return condense(text).replace(/\s*[\r\n]+\s*/g, " "); }

  var element = document.getElementById("__config");
  var config = JSON.parse(element.textContent);
  var channel = "fieldguide-" + Math.random().toString(36).slice(2);
  var language = document.documentElement.lang === "zh" ? "zh" : "en";
  config.search = config.base.replace(/\/?$/, "/") + "search/worker.js?lang=" + language + "&channel=" + channel;
  // How many lines the list has, as a bare number; results.js makes words of it.
  Object.assign(config.translations, { "search.result.none": "0", "search.result.one": "1", "search.result.other": "#" });
  element.textContent = JSON.stringify(config);

  var post = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(channel);
  function tell(message) {
    var worker = window.fieldguide.searchWorker; // only where pages are opened from a folder
    if (worker) worker.postMessage(message); else if (post) post.postMessage(message);
  }
  document.addEventListener("fieldguide:framework", function (event) { tell({ framework: event.detail }); });

  var query = document.querySelector("[data-md-component=search-query]");
  var toggle = document.getElementById("__search");
  var pasted = { line: "", text: "" }; // the box has one line; the text it came from had several
  window.fieldguide = window.fieldguide || {};
  window.fieldguide.ask = ask;
  window.fieldguide.asked = function () { return query.value === pasted.line ? pasted.text : query.value; };
  if (!query) return;

  function search() {
    setTimeout(function () { query.dispatchEvent(new Event("keyup", { bubbles: true })); }, 0);
  }
  function put(text) {
    pasted = { line: inOneLine(text), text: text };
    query.value = pasted.line;
    search();
  }
  function ask(text) {
    toggle.checked = true;
    toggle.dispatchEvent(new Event("change"));
    put(text);
    query.focus();
  }
  // The data arrives while the reader types the first word.
  query.addEventListener("focus", function () {
    tell({ load: true, framework: document.documentElement.dataset.framework || "" });
  });
  query.addEventListener("paste", function (event) {
    var text = event.clipboardData ? event.clipboardData.getData("text") : "";
    var whole = query.selectionEnd - query.selectionStart === query.value.length;
    if (text.length <= LONG && !(whole && /[\r\n]/.test(text))) return;
    event.preventDefault();
    put(text);
  });
  // The theme listens to keys alone: a paste by mouse, a drop, dictation and many phones change the text without one.
  query.addEventListener("input", function (event) { if (!event.isComposing) search(); });
  query.addEventListener("compositionend", search);
})();
