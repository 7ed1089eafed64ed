/* 404: shows the reader's language and the pages whose address is closest to the one asked for. */
(function () {
  "use strict";
  const base = new URL(JSON.parse(document.getElementById("__config").textContent).base, location).pathname;
  const asked = location.pathname.slice(base.length).toLowerCase(); // still encoded: ours are ASCII, and others may be malformed
  const language = document.documentElement.lang; // said by the path, in the head of the page
  const section = document.querySelector("[data-fg=not-found][lang=" + language + "]");
  document.title = section.dataset.site;
  document.querySelectorAll(".md-header__title .md-ellipsis").forEach((title) => { title.textContent = section.dataset.site; });
  document.querySelectorAll("[data-md-component=search-query]").forEach((query) => {
    query.placeholder = section.dataset.search;
    query.setAttribute("aria-label", section.dataset.search);
  });

  function pairs(text) {
    const found = new Set();
    for (let i = 0; i + 1 < text.length; i++) found.add(text.slice(i, i + 2));
    return found;
  }
  // Dice coefficient of letter pairs: good enough for a mistyped path.
  function similarity(one, other) {
    const a = pairs(one), b = pairs(other);
    const common = Array.from(a).filter((pair) => b.has(pair)).length;
    return (2 * common) / (a.size + b.size || 1);
  }
  /* The whole path, or what is last in it: /e/verl-oom/ is close to topics/memory/verl-actor-oom/. */
  function closeness(path) {
    const last = (text) => text.split("/").filter(Boolean).pop() || "";
    const mine = asked.replace(/^zh\//, ""), other = path.replace(/^zh\//, "");
    return Math.max(similarity(mine, other), similarity(last(mine), last(other)));
  }
  document.querySelectorAll("[data-fg=not-found]").forEach((part) => { part.hidden = part !== section; });
  const list = section.querySelector("ul");
  Array.from(list.children)
    .map((item) => ({ item, score: closeness(item.firstElementChild.pathname.slice(base.length)) }))
    .sort((a, b) => b.score - a.score)
    .forEach(({ item }, rank) => {
      list.appendChild(item);
      item.hidden = rank >= 6;
    });
})();
