/*
 * The worker behind the theme's search box. Protocol of the theme: SETUP 0 → READY 1, QUERY 2 → RESULT 3.
 * The build makes search/worker.js of it, started as worker.js?lang=en&channel=…; the data beside it is fetched at the first
 * query, not on page view. The page tells the chosen framework over the BroadcastChannel of that name.
 */
import { assemble } from "../match/guide.js";
import { unpack } from "../rank/documents.js";
import { Finder } from "../rank/finder.js";
import { language, load, settings } from "./data.js";
import { answer } from "./items.js";

const SETUP = 0, READY = 1, QUERY = 2, RESULT = 3;
/** @type {Promise<Finder> | null} */
let finder = null; // made at the first query
let framework = "";
/** @type {Record<string, string>} */
let releases = {};
let lastQuery = "";
let held = false, due = false; // a button is down on the list, or the keyboard is in it; an answer waits until it is let go

function prepared() {
  finder ??= prepare();
  return finder;
}

async function prepare() {
  try {
    const [compiled, said] = await Promise.all(["guide", language].map(load));
    const made = new Finder(assemble(compiled, said), said.head);
    setTimeout(() => complete(made), 0);
    return made;
  } catch (error) {
    finder = null;
    throw error;
  }
}

/**
 * The text of the answers follows once the entries have answered, then keys and other sections, then known bugs; each time the last query is
 * answered again.
 * @param {Finder} made
 */
async function complete(made) {
  try {
    const more = load(`${language}-more`), known = ["bugs", `${language}-bugs`].map(load);
    made.addText(await load(`${language}-text`));
    again();
    const packed = await more;
    made.add(unpack(packed), packed.index);
    again();
    const [bugs, ledger] = await Promise.all(known);
    made.addBugs(bugs, unpack(ledger), ledger.index);
    again();
  } catch (error) {
    warn(error);
  }
}

/** @param {unknown} error */
function warn(error) { console.warn(`search: ${error instanceof Error ? error.message : error}`); }

/** More data came. The theme makes the list anew, but not under a finger, nor where the keyboard is: the choice would be lost. */
function again() {
  due = held;
  if (!held && lastQuery.trim()) run(lastQuery);
}

/** @param {ReturnType<typeof answer>} data */
function reply(data) { self.postMessage({ type: RESULT, data }); }

/** @param {string} query */
async function run(query) {
  lastQuery = query;
  if (!query.trim()) { reply({ items: [] }); return; }
  try {
    const made = await prepared();
    if (query === lastQuery) reply(answer(made, query, framework, releases));
  } catch (error) {
    warn(error);
    reply({ items: [] });
  }
}

/**
 * What the page says beside the theme's protocol: load the data, another framework or a release was chosen, the list is being
 * pressed.
 * @param {{ load?: boolean, framework?: string, releases?: Record<string, string>, held?: boolean }} message
 */
function hear(message) {
  if (message.releases) ({ releases } = message);
  if (message.load) prepared().catch(() => { /* said at the first query */ });
  if (typeof message.framework === "string" && message.framework !== framework) {
    ({ framework } = message);
    if (lastQuery.trim()) run(lastQuery);
  }
  if (typeof message.held === "boolean") {
    ({ held } = message);
    if (due) again();
  }
}

const channel = settings.get("channel");
if (channel && typeof BroadcastChannel !== "undefined") new BroadcastChannel(channel).onmessage = ({ data }) => hear(data);

self.onmessage = ({ data }) => {
  hear(data);
  if (data.type === SETUP) self.postMessage({ type: READY });
  if (data.type === QUERY) run(String(data.data));
};
