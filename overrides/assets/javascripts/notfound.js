/* 404: shows the reader's language and the pages whose address is closest to the one asked for. */
(function () {
  "use strict";
  var base = new URL(JSON.parse(document.getElementById("__config").textContent).base, location).pathname;
  var asked = location.pathname.slice(base.length).toLowerCase(); // still encoded: ours are ASCII, and others may be malformed
  var language = asked.split("/")[0] === "zh" ? "zh" : "en";
  document.documentElement.lang = language;
  var name = document.querySelector("[data-fg=not-found][lang=" + language + "]").dataset.site;
  document.title = name;
  document.querySelectorAll(".md-header__title .md-ellipsis").forEach(function (title) { title.textContent = name; });

  function pairs(text) {
    var found = {};
    for (var i = 0; i + 1 < text.length; i++) found[text.slice(i, i + 2)] = true;
    return found;
  }
  // Dice coefficient of letter pairs: good enough for a mistyped path.
  function similarity(one, other) {
    var a = pairs(one), b = pairs(other), common = 0;
    Object.keys(a).forEach(function (pair) { if (b[pair]) common++; });
    return (2 * common) / (Object.keys(a).length + Object.keys(b).length || 1);
  }
  document.querySelectorAll("[data-fg=not-found]").forEach(function (section) {
    section.hidden = section.lang !== language;
    var list = section.querySelector("ul");
    Array.prototype.slice.call(list.children)
      .map(function (item) {
        var path = item.firstElementChild.pathname.slice(base.length);
        return { item: item, score: similarity(asked.replace(/^zh\//, ""), path.replace(/^zh\//, "")) };
      })
      .sort(function (a, b) { return b.score - a.score; })
      .forEach(function (entry, rank) {
        list.appendChild(entry.item);
        entry.item.hidden = rank >= 6;
      });
  });
})();
