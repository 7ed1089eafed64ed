/* Under `make serve`: comes again when the site has changed, and shows what is wrong with the content. */
(() => {
  "use strict";

  const own = document.currentScript.dataset;
  const notes = document.querySelector(".live-fault") ? [] : JSON.parse(own.notes); // a page of faults lists them itself
  const known = { epoch: own.epoch, round: "" };
  let asking = null;

  function stem(path) { return path.split("/").pop().replace(/\.\w+$/, ""); }

  /* Those of the file at hand come first, then those of its twin and its record, then the others. */
  function distance(problem) {
    if (!own.source || stem(problem[0]) !== stem(own.source)) return 2;
    return problem[0] === own.source ? 0 : 1;
  }

  function element(tag, parent, text) {
    const made = parent.appendChild(document.createElement(tag));
    made.textContent = text || "";
    return made;
  }

  function place(problem) { return problem[1] ? `${problem[0]}:${problem[1]}` : problem[0]; }

  function show(problems) {
    const all = problems.concat(notes).sort((one, other) => distance(one) - distance(other));
    const here = all.filter((problem) => distance(problem) < 2).length;
    const before = document.querySelector(".live-problems");
    if (before) before.remove();
    if (!all.length) return;
    const box = element("details", document.body);
    box.className = "live-problems";
    box.lang = "en";
    box.open = sessionStorage.getItem("live-problems") !== "shut";
    box.addEventListener("toggle", () => { sessionStorage.setItem("live-problems", box.open ? "open" : "shut"); });
    const count = all.length === 1 ? "1 problem" : `${all.length} problems`;
    element("summary", box, here ? `${count}, ${here} of this page` : count);
    const list = element("ul", box);
    all.forEach((problem) => {
      const item = element("li", list);
      if (distance(problem) < 2) item.className = "here";
      element("b", item, place(problem));
      item.append(` ${problem[2]}`);
    });
  }

  function ask() {
    asking = new AbortController();
    fetch(`/__live/state?epoch=${known.epoch}&round=${known.round}`, { signal: asking.signal })
      .then((response) => response.json())
      .then((news) => {
        if (String(news.epoch) !== known.epoch) return location.reload();
        if (String(news.round) !== known.round) show(news.problems);
        known.round = String(news.round);
        ask();
      })
      .catch((error) => { if (error.name !== "AbortError") setTimeout(ask, 1000); });
  }

  /* A tab that nobody looks at holds no connection: a browser has six for a server. */
  document.addEventListener("visibilitychange", () => {
    if (asking) asking.abort();
    if (document.visibilityState === "visible") ask();
  });

  const style = document.head.appendChild(document.createElement("link"));
  style.rel = "stylesheet";
  style.href = "/__live/live.css";
  ask();
})();
