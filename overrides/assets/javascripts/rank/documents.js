/* Keys and other sections as fieldguide/content/searchable.py packs them. */
import { lastPart } from "../match/text.js";

/** @typedef {import("../match/guide.js").Document} Document */
/** @typedef {[id: string, kind: string, title: string, keys: string[], text: string]} Row */
/** @typedef {{ address: string, topic: string, framework: string, documents: Row[] }} PackedPage */
/** @typedef {{ owner: string, title: string, location: string, flags: boolean, names: string[] }} KeyPage */
/** @typedef {{ pages: PackedPage[], keys: KeyPage[], index: import("./index.js").Rows }} More `search/<language>-more.json` */

/**
 * Keys and other sections.
 * @param {More} more
 */
export function unpack({ pages, keys }) {
  return [...pages.flatMap(sections), ...keys.flatMap(namedKeys)];
}

/**
 * @param {PackedPage} page
 * @returns {Document[]}
 */
function sections({ address, topic, framework, documents }) {
  return documents.map(([id, kind, title, keys, text]) => ({
    id, kind, title: title || keys[0], keys, text, topic, framework,
    location: address + (id ? `#${id}` : ""), wordings: [], asked: "",
  }));
}

/**
 * The keys that have no words of their own; the data holds their names only. See key_names in searchable.py.
 * @param {KeyPage} page
 * @returns {Document[]}
 */
function namedKeys(page) {
  return page.names.map((row) => {
    const [name, own] = row.split(" ");
    const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
    const id = own || `${page.owner}-${slug}`;
    return {
      id, kind: "key", location: `${page.location}#${id}`, framework: page.owner, topic: page.title,
      title: page.flags ? `--${name.replace(/_/g, "-")}` : name,
      wordings: [], keys: name.includes(".") ? [lastPart(name), name] : [name], asked: "", text: "",
    };
  });
}
