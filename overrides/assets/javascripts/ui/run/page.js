/* What a log box shows of the logs of a run; a page loads it when several files, a folder or an archive are given. */
import { RunTicket } from "./ticket.js";
import { RunView } from "./view.js";
import { walked } from "./walk.js";

/** @typedef {import("../../run/shown.js").RunResult} RunResult */
/** @typedef {import("../log/results.js").Results} Results */

/** @typedef {typeof runs} Runs */

const runs = {
  walked,
  view: (/** @type {RunResult} */ result, /** @type {Results} */ shown) => new RunView(result, shown),
  ticket: (/** @type {RunResult} */ result, /** @type {Results} */ shown) => new RunTicket(result, shown).text(),
};

window.fieldguide.run = runs;
