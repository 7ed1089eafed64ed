/*
 * The search engines behind one face, in a page of the site that is measured.
 * open(engine, language, first) → {ready, complete}: milliseconds from the start of its worker to the first result of the
 * query `first`, and until all of the content is searched.
 * ask(queries, rounds, budget, read) → {ms: [...], answers: [...]}: each query in turn; without `read` only the times, and
 * no more queries after `budget` ms, nor after one that took LIMIT ms and was given up.
 * An answer is a list of groups, best first; a group is a list of {location, weight, tag} in the order of its page.
 */
"use strict";
window.bench = (() => {
  const base = new URL("../", location.href);
  const KEEP = 12;   // groups that are looked at
  const LIMIT = 30000;
  const PAGES = 5;   // pages that Pagefind's own interface loads at once
  let engine = null;

  function worker(address, setup) {
    const running = new Worker(new URL(address, base));
    function next() {
      return new Promise((resolve, reject) => {
        running.onmessage = (event) => resolve(event.data);
        running.onerror = (event) => reject(new Error(event.message));
      });
    }
    return {
      async ready() {
        running.postMessage({ type: 0, data: await setup() });
        await next();
      },
      async query(text) {
        const answer = next();
        running.postMessage({ type: 2, data: text });
        return (await answer).data.items;
      },
      // Our worker answers twice more, unasked: with the text of the answers, and with keys and other sections.
      // Resolves with the time of the last answer.
      async settle() {
        await new Promise((resolve) => {
          let more = 2;
          running.onmessage = () => { if (!--more) resolve(); };
        });
        return performance.now();
      },
      read(items) {
        return items.slice(0, KEEP).map((group) =>
          group.map(({ location: place, score, tags = [] }) => ({ location: place, weight: score, tag: tags[0] || "" })));
      }
    };
  }

  const engines = {
    ours(language) {
      return worker(`search/worker.js?lang=${language}`, async () => ({}));
    },
    material() {
      return worker(document.documentElement.dataset.material, async () => {
        const index = await (await fetch(new URL("search/search_index.json", base))).json();
        return { config: index.config, docs: index.docs, options: { suggest: true } };
      });
    },
    pagefind() {
      let library = null;
      return {
        async ready() {
          library = await import(new URL("pagefind/pagefind.js", base).href);
          await library.options({ baseUrl: "/" });
          await library.init();
        },
        async query(text) {
          const results = (await library.search(text)).results;
          if (results.length) await results[0].data();
          return results;
        },
        async read(results) {
          const pages = await Promise.all(results.slice(0, PAGES).map((result) => result.data()));
          return pages.map((page) =>
            page.sub_results.map(({ url, locations }) => ({ location: url.replace(/^\//, ""), weight: locations.length, tag: "" })));
        }
      };
    }
  };

  async function open(name, language, first) {
    const start = performance.now();
    engine = engines[name](language);
    await engine.ready();
    await engine.query(first);
    const ready = performance.now() - start;
    return { ready, complete: name === "ours" ? await engine.settle() - start : ready };
  }

  /* The answer, or null when it does not come in time. */
  function inTime(promise) {
    return Promise.race([promise, new Promise((resolve) => { setTimeout(resolve, LIMIT, null); })]);
  }
  async function ask(queries, rounds, budget, read) {
    const times = [], answers = [];
    const begin = performance.now();
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < queries.length; i++) {
        if (!read && times.length && performance.now() - begin > budget) return { ms: times, answers };
        const start = performance.now();
        const found = await inTime(engine.query(queries[i]));
        times.push(performance.now() - start);
        if (!found && !read) return { ms: times, answers };
        if (read) answers.push(found ? await engine.read(found) : []);
      }
    }
    return { ms: times, answers };
  }

  return { open, ask };
})();
