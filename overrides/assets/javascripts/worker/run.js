/*
 * Reads the logs of a run off the main thread: several files, those of a folder, those of archives. Nothing leaves the browser.
 * The build makes search/run-worker.js of it; started as run-worker.js?lang=en, ended by the page to cancel.
 *
 *   in:  {type: "start", given: [{path, name, file}], skipped: [{path, reason}]}
 *   out: {type: "progress", read, size}, {type: "done", result, ends}, {type: "error", kind, detail}
 */
import { answerRun } from "../run/answer.js";
import { opened } from "../run/archive.js";
import { collect, readingOf } from "../run/collect.js";
import { contextOf } from "../run/context.js";
import { readMember } from "../run/read.js";
import { printable, shownRun } from "../run/shown.js";
import { language, load } from "./data.js";
import { Reporter } from "./progress.js";

/** @typedef {import("../run/collect.js").Member} Member */
/** @typedef {import("../run/collect.js").Reading} Reading */
/** @typedef {{ type: "start", given: import("../run/collect.js").Given[], skipped: import("../run/collect.js").Skipped[] }} Start */

/**
 * A file, or each of an archive.
 * @param {Member} member
 * @param {Reading} reading
 */
async function* filesOf(member, reading) {
  if (member.packed) yield* opened(member, reading); else yield { member };
}

/**
 * @param {Start} message
 * @returns {Promise<{ result: import("../run/shown.js").RunResult, ends: string }>} the logs' ends only where they name versions
 */
async function resultOf({ given, skipped }) {
  const context = await contextOf(load, language), { guide, mask, fixes, words, bugs, rules } = context;
  const reporter = new Reporter(), reading = readingOf(rules, (size) => reporter.add(size));
  const found = collect(given, skipped, rules, reading), reads = [], unread = found.skipped;
  reporter.size = found.members.reduce((sum, { size }) => sum + size, 0);
  for (const member of found.members) {
    const until = reporter.read + member.size;
    for await (const one of filesOf(member, reading)) {
      const told = "member" in one ? await readMember(one.member, context) : one;
      if ("read" in told) reads.push(told.read); else unread.push(told.skipped);
    }
    reporter.reach(until); // also of a file that is no log
  }
  const { ends, ...record } = await answerRun(reads, unread, found.others, context);
  const result = shownRun(printable(record), found.dumps, { guide, mask, fixes, words, bugs: bugs.entries, folded: rules.limits.folded });
  return { result, ends: ends.trim() };
}

self.onmessage = async ({ data }) => {
  if (data.type !== "start") return;
  try {
    self.postMessage({ type: "done", ...await resultOf(data) });
  } catch (error) {
    self.postMessage({ type: "error", kind: "unread", detail: error instanceof Error ? error.message : "" });
  }
};
