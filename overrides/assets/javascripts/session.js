/*
 * What a reader typed or pasted, kept for Back and for the next page: in the tab's own storage, which is gone when the tab is
 * closed and is never part of a request.
 */
(function () {
  "use strict";
  var PREFIX = "fieldguide.";
  var LONG = 100000; // of a longer text its end is kept, where the error is

  function kept(value) { return typeof value === "string" ? value.slice(-LONG) : value; }

  window.fieldguide = window.fieldguide || {};
  window.fieldguide.session = {
    /* The value kept under a name; null when there is none. */
    get: function (name) {
      try { return JSON.parse(sessionStorage.getItem(PREFIX + name)); } catch (error) { return null; }
    },
    set: function (name, value) {
      try { sessionStorage.setItem(PREFIX + name, JSON.stringify(kept(value))); } catch (error) { /* private mode, or full */ }
    },
    drop: function (name) {
      try { sessionStorage.removeItem(PREFIX + name); } catch (error) { /* private mode */ }
    },
    /* How the reader came to this page: "navigate", "reload" or "back_forward". */
    arrival: function () {
      var entry = performance.getEntriesByType("navigation")[0];
      return entry ? entry.type : "navigate";
    }
  };
})();
