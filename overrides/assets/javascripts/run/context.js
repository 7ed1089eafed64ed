/* What is loaded to read the logs of a run, as they are asked for: a single log needs none of it. */
import { closestTo } from "../worker/closest.js";
import { prepared } from "../worker/known.js";
import { Anchors } from "./anchors.js";
import { Left } from "./read.js";
import { rulesOf } from "./rules.js";

/** @typedef {{ title: string, page: string }} Page its address is below the root of the site */
/** @typedef {{ id: string, title: string, page: string }} Named */
/**
 * For one run: `left` is what may still be kept of its files. `answers` are title, page and fix (HTML) of an entry or a bug by its
 * id, `methods` the page that leads on from each way to end, `words` those of the interface; `progress` is told how many bytes more
 * were read.
 * @typedef {import("../worker/known.js").Prepared & {
 *   rules: import("./rules.js").RunRules, anchors: Anchors, answers: (id: string) => Page & { fix: string },
 *   methods: Record<string, Page>, words: Record<string, string>, nearest: (text: string) => Promise<Named[]>,
 *   left: Left, progress: (size: number) => void,
 * }} Context
 */

/**
 * What reads one run.
 * @param {import("../worker/known.js").Load} load
 * @param {string} language
 * @param {(size: number) => void} [progress]
 * @returns {Promise<Context>}
 */
export async function contextOf(load, language, progress = () => {}) {
  const [ready, run, { methods, words }] = await Promise.all([prepared(load, language), load("run"), load(`${language}-run`)]);
  const { guide, fixes } = ready, rules = rulesOf(run);
  const documents = new Map(guide.documents.map((one) => [one.id, one]));
  return {
    ...ready, rules, methods, words, progress,
    anchors: new Anchors(rules, guide),
    answers: (id) => ({ title: documents.get(id)?.title ?? id, page: documents.get(id)?.location ?? "", fix: fixes[id] ?? "" }),
    nearest: async (text) => {
      const found = await closestTo(text, ready);
      return found.map(({ id, title, location }) => ({ id, title, page: location }));
    },
    left: new Left(rules.limits),
  };
}
