/* What is loaded to read the logs of a run, as they are asked for: a single log needs none of it. */
import { assemble, withBugs } from "../match/guide.js";
import { Matcher } from "../match/matcher.js";
import { masker } from "../mask/mask.js";
import { unpack } from "../rank/documents.js";
import { closestTo } from "../worker/closest.js";
import { Anchors } from "./anchors.js";
import { Left } from "./read.js";
import { rulesOf } from "./rules.js";

/** @typedef {import("../match/guide.js").Guide} Guide */
/** @typedef {import("../rank/documents.js").More} More */
/** @typedef {{ title: string, page: string }} Page its address is below the root of the site */
/** @typedef {{ id: string, title: string, page: string }} Named */
/**
 * For one run: `left` is what may still be kept of its files. `answers` are title, page and fix (HTML) of an entry or a bug by its
 * id, `methods` the page that leads on from each way to end; `progress` is told how many bytes more were read.
 * @typedef {{
 *   guide: Guide, data: import("../scan/lookup.js").ScanData, rules: import("./rules.js").RunRules, anchors: Anchors, matcher: Matcher,
 *   mask: (text: string) => string, answers: (id: string) => Page & { fix: string }, methods: Record<string, Page>,
 *   nearest: (text: string) => Promise<Named[]>, left: Left, progress: (size: number) => void,
 * }} Context
 */

/**
 * What reads one run.
 * @param {(name: string) => Promise<any>} load gives a piece of `search/`, such as "guide"
 * @param {string} language
 * @param {(size: number) => void} [progress]
 * @returns {Promise<Context>}
 */
export async function contextOf(load, language, progress = () => {}) {
  const pieces = ["guide", language, "scan", "bugs", `${language}-bugs`, `fixes-${language}`, "run", `${language}-run`];
  const [compiled, said, scan, bugs, ledger, fixes, run, { methods }] = await Promise.all(pieces.map(load));
  const own = assemble(compiled, said), guide = withBugs(own, bugs, unpack(/** @type {More} */ (ledger))), rules = rulesOf(run);
  const documents = new Map(guide.documents.map((one) => [one.id, one]));
  return {
    guide, rules, methods, progress,
    data: { ...scan, keys: [...scan.keys, ...bugs.keys] },
    anchors: new Anchors(rules, guide),
    matcher: new Matcher(guide),
    mask: masker(scan.masks),
    answers: (id) => ({ title: documents.get(id)?.title ?? id, page: documents.get(id)?.location ?? "", fix: fixes[id] ?? "" }),
    nearest: async (text) => {
      const found = await closestTo(text, own, said.head, bugs, ledger, load, language);
      return found.map(({ id, title, location }) => ({ id, title, page: location }));
    },
    left: new Left(rules.limits),
  };
}
