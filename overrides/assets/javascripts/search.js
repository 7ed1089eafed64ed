/*
 * Points the theme's search at our worker, before the theme starts it, and tells the worker which framework is chosen.
 * Stands between the theme's configuration and its bundle.
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
  window.fieldguide = window.fieldguide || {};
  window.fieldguide.condense = condense;

  var element = document.getElementById("__config");
  var config = JSON.parse(element.textContent);
  var channel = "fieldguide-" + Math.random().toString(36).slice(2);
  var language = document.documentElement.lang === "zh" ? "zh" : "en";
  config.search = config.base.replace(/\/?$/, "/") + "search/worker.js?lang=" + language + "&channel=" + channel;
  element.textContent = JSON.stringify(config);

  var post = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(channel);
  function tell(message) {
    var worker = window.fieldguide.searchWorker; // only where pages are opened from a folder
    if (worker) worker.postMessage(message); else if (post) post.postMessage(message);
  }
  document.addEventListener("fieldguide:framework", function (event) { tell({ framework: event.detail }); });

  document.addEventListener("DOMContentLoaded", function () {
    var query = document.querySelector("[data-md-component=search-query]");
    if (!query) return;
    // The data arrives while the reader types the first word.
    query.addEventListener("focus", function () {
      tell({ load: true, framework: document.documentElement.dataset.framework || "" });
    });
    query.addEventListener("paste", function (event) {
      var text = event.clipboardData ? event.clipboardData.getData("text") : "";
      if (text.length <= LONG) return;
      event.preventDefault();
      query.value = condense(text);
      search();
    });
    // The theme listens to keys alone: a paste by mouse, a drop, dictation and many phones change the text without one.
    query.addEventListener("input", function (event) { if (!event.isComposing) search(); });
    query.addEventListener("compositionend", search);
    function search() {
      setTimeout(function () { query.dispatchEvent(new Event("keyup", { bubbles: true })); }, 0);
    }
  });
})();
