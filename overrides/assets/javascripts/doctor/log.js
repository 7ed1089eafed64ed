/* What a log box says of the versions in a text; a page loads it when a text names some. */
import { address, load } from "../ui/address.js";
import { language } from "../ui/config.js";
import { number, readEnvironment } from "./environment.js";
import { DATA, Facts } from "./facts.js";
import { certain, judge } from "./judge.js";

/** @typedef {import("../scan/shown.js").Versions} Versions */

/**
 * Whether a text is a list of packages, and which of its versions certainly go wrong together.
 * @param {string} text
 * @returns {Promise<Versions>}
 */
async function versionsIn(text) {
  await load(DATA);
  const facts = new Facts(fieldguideData.versions), { troubles, environment: { packages, complete } } = judge(facts, readEnvironment(facts, text));
  const named = certain(troubles).filter((one) => Object.keys(one.packages).every((name) => number(packages.get(name))));
  return {
    isList: complete,
    installed: Object.fromEntries(Array.from(packages).filter(([, one]) => number(one)).map(([name, one]) => [name, one.version])),
    bad: named.map(({ packages: some, harm, pair, repair }) => ({
      versions: Object.entries(some).map(([name, version]) => [facts.name(name), version]),
      harm,
      entry: pair?.entry || "",
      page: pair?.entry ? address(pair.pages[language] ?? "") : "",
      repair: repair?.line ?? pair?.words[language]?.[2] ?? "",
    })),
  };
}

window.fieldguide.versionsIn = versionsIn;
