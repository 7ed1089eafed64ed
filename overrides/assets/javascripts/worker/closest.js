/* Where no error is known: what the search box puts first for the same text, by its words. */
import { unpack } from "../rank/documents.js";
import { Finder } from "../rank/finder.js";
import { placeOf } from "../scan/shown.js";

const CLOSEST = 3; // entries shown where none is known

/**
 * @param {string} text
 * @param {import("./known.js").Prepared} prepared
 */
export async function closestTo(text, { own, said, bugs, ledger, load, language }) {
  if (!text.trim()) return [];
  const [answers, more] = await Promise.all([`${language}-text`, `${language}-more`].map(load));
  const finder = new Finder(own, said.head);
  finder.addText(answers);
  finder.add(unpack(more), more.index);
  finder.addBugs(bugs, unpack(ledger), ledger.index);
  return finder.search(text, "").slice(0, CLOSEST).map(({ entry }) => placeOf(finder.documents[entry]));
}
