/*
 * The search engines behind one face, in a page of the site that is measured.
 * open(engine, language, first) → {ready, complete}: milliseconds from the start of its worker to the first result of the
 * query `first`, and until all of the content is searched.
 * ask(queries, rounds, budget, read) → {ms: [...], answers: [...]}: each query in turn; without `read` only the times, and
 * no more queries after `budget` ms, nor after one that took LIMIT ms and was given up.
 * An answer is a list of groups, best first; a group is a list of {location, weight, tag} in the order of its page.
 */
"use strict";
var bench = (function () {
  var base = new URL("../", location.href);
  var KEEP = 12;   // groups that are looked at
  var LIMIT = 30000;
  var PAGES = 5;   // pages that Pagefind's own interface loads at once
  var engine = null;

  function worker(address, setup) {
    var running = new Worker(new URL(address, base));
    function next() {
      return new Promise(function (resolve, reject) {
        running.onmessage = function (event) { resolve(event.data); };
        running.onerror = function (event) { reject(new Error(event.message)); };
      });
    }
    return {
      ready: async function () {
        running.postMessage({ type: 0, data: await setup() });
        await next();
      },
      query: async function (text) {
        var answer = next();
        running.postMessage({ type: 2, data: text });
        return (await answer).data.items;
      },
      // Our worker answers twice more, unasked: with the text of the answers, and with keys and other sections.
      // Resolves with the time of the last answer.
      settle: async function () {
        await new Promise(function (resolve) {
          var more = 2;
          running.onmessage = function () { if (!--more) resolve(); };
        });
        return performance.now();
      },
      read: function (items) {
        return items.slice(0, KEEP).map(function (group) {
          return group.map(function (item) {
            return { location: item.location, weight: item.score, tag: (item.tags || [])[0] || "" };
          });
        });
      }
    };
  }

  var engines = {
    ours: function (language) {
      return worker("search/worker.js?lang=" + language, async function () { return {}; });
    },
    material: function () {
      return worker(document.documentElement.dataset.material, async function () {
        var index = await (await fetch(new URL("search/search_index.json", base))).json();
        return { config: index.config, docs: index.docs, options: { suggest: true } };
      });
    },
    pagefind: function () {
      var library = null;
      return {
        ready: async function () {
          library = await import(new URL("pagefind/pagefind.js", base).href);
          await library.options({ baseUrl: "/" });
          await library.init();
        },
        query: async function (text) {
          var results = (await library.search(text)).results;
          if (results.length) await results[0].data();
          return results;
        },
        read: async function (results) {
          var pages = await Promise.all(results.slice(0, PAGES).map(function (result) { return result.data(); }));
          return pages.map(function (page) {
            return page.sub_results.map(function (part) {
              return { location: part.url.replace(/^\//, ""), weight: part.locations.length, tag: "" };
            });
          });
        }
      };
    }
  };

  async function open(name, language, first) {
    var start = performance.now();
    engine = engines[name](language);
    await engine.ready();
    await engine.query(first);
    var ready = performance.now() - start;
    return { ready: ready, complete: name === "ours" ? await engine.settle() - start : ready };
  }

  /* The answer, or null when it does not come in time. */
  function inTime(promise) {
    return Promise.race([promise, new Promise(function (resolve) { setTimeout(resolve, LIMIT, null); })]);
  }
  async function ask(queries, rounds, budget, read) {
    var times = [], answers = [];
    var begin = performance.now();
    for (var round = 0; round < rounds; round++) {
      for (var i = 0; i < queries.length; i++) {
        if (!read && times.length && performance.now() - begin > budget) return { ms: times, answers: answers };
        var start = performance.now();
        var found = await inTime(engine.query(queries[i]));
        times.push(performance.now() - start);
        if (!found && !read) return { ms: times, answers: answers };
        if (read) answers.push(found ? await engine.read(found) : []);
      }
    }
    return { ms: times, answers: answers };
  }

  return { open: open, ask: ask };
})();
