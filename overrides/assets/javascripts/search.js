/*
 * Points the theme's search at our worker, before the theme starts it, and tells the worker which framework is chosen.
 * Stands between the theme's configuration and its bundle.
 */
(function () {
  "use strict";
  var element = document.getElementById("__config");
  var config = JSON.parse(element.textContent);
  var channel = "fieldguide-" + Math.random().toString(36).slice(2);
  var language = document.documentElement.lang === "zh" ? "zh" : "en";
  config.search = config.base.replace(/\/?$/, "/") + "assets/javascripts/find/search-worker.js?lang=" + language + "&channel=" + channel;
  element.textContent = JSON.stringify(config);

  var post = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(channel);
  function tell(message) { if (post) post.postMessage(message); }
  document.addEventListener("fieldguide:framework", function (event) { tell({ framework: event.detail }); });

  document.addEventListener("DOMContentLoaded", function () {
    var query = document.querySelector("[data-md-component=search-query]");
    if (!query) return;
    // The data arrives while the reader types the first word.
    query.addEventListener("focus", function () {
      tell({ load: true, framework: document.documentElement.dataset.framework || "" });
    });
    query.addEventListener("paste", function () {
      setTimeout(function () { query.dispatchEvent(new Event("keyup", { bubbles: true })); }, 0);
    });
    query.addEventListener("drop", function () {
      setTimeout(function () { query.dispatchEvent(new Event("keyup", { bubbles: true })); }, 0);
    });
  });
})();
