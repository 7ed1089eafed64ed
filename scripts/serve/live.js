/* Under `make serve`: comes again when the site has changed, and shows what is wrong with the content. */
(function () {
  "use strict";

  var own = document.currentScript.dataset;
  var notes = document.querySelector(".live-fault") ? [] : JSON.parse(own.notes); // a page of faults lists them itself
  var known = { epoch: own.epoch, round: "" };
  var asking = null;

  function stem(path) { return path.split("/").pop().replace(/\.\w+$/, ""); }

  /* Those of the file at hand come first, then those of its twin and its record, then the others. */
  function distance(problem) {
    if (!own.source || stem(problem[0]) !== stem(own.source)) return 2;
    return problem[0] === own.source ? 0 : 1;
  }

  function element(tag, parent, text) {
    var made = parent.appendChild(document.createElement(tag));
    made.textContent = text || "";
    return made;
  }

  function place(problem) { return problem[1] ? problem[0] + ":" + problem[1] : problem[0]; }

  function show(problems) {
    var all = problems.concat(notes).sort(function (one, other) { return distance(one) - distance(other); });
    var here = all.filter(function (problem) { return distance(problem) < 2; }).length;
    var before = document.querySelector(".live-problems");
    if (before) before.remove();
    if (!all.length) return;
    var box = element("details", document.body);
    box.className = "live-problems";
    box.lang = "en";
    box.open = sessionStorage.getItem("live-problems") !== "shut";
    box.addEventListener("toggle", function () { sessionStorage.setItem("live-problems", box.open ? "open" : "shut"); });
    var count = all.length === 1 ? "1 problem" : all.length + " problems";
    element("summary", box, here ? count + ", " + here + " of this page" : count);
    var list = element("ul", box);
    all.forEach(function (problem) {
      var item = element("li", list);
      if (distance(problem) < 2) item.className = "here";
      element("b", item, place(problem));
      item.append(" " + problem[2]);
    });
  }

  function ask() {
    asking = new AbortController();
    fetch("/__live/state?epoch=" + known.epoch + "&round=" + known.round, { signal: asking.signal })
      .then(function (response) { return response.json(); })
      .then(function (news) {
        if (String(news.epoch) !== known.epoch) return location.reload();
        if (String(news.round) !== known.round) show(news.problems);
        known.round = String(news.round);
        ask();
      })
      .catch(function (error) { if (error.name !== "AbortError") setTimeout(ask, 1000); });
  }

  /* A tab that nobody looks at holds no connection: a browser has six for a server. */
  document.addEventListener("visibilitychange", function () {
    if (asking) asking.abort();
    if (document.visibilityState === "visible") ask();
  });

  var style = document.head.appendChild(document.createElement("link"));
  style.rel = "stylesheet";
  style.href = "/__live/live.css";
  ask();
})();
