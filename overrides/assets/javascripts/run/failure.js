/*
 * The first process of a run that failed, apart from those that failed because of it.
 * fieldguide/runtime/run/failure.py does the same in Python.
 *
 * Reasoned from causes before times: who only waited for another, lost a peer or was told to stop is no cause, whenever it says
 * so; of those with a fault of their own the earliest counts. Where nobody shows a fault, the one that the others waited for
 * does: the rank that is missing.
 */
import { largest, least, natural, smallest, sorted } from "./order.js";
import { Census, Process, expectedRanks } from "./processes.js";
import { number } from "./text.js";
import { NOBODY, over } from "./who.js";

/** @typedef {import("./processes.js").Placed} Placed */
/** @typedef {import("./read.js").FileRead} FileRead */
/** @typedef {import("./rules.js").RunRules} RunRules */
/** @typedef {import("./watcher.js").Seen} Seen */
/**
 * Somebody's end: `placed` is what tells it, null for a process that fell silent; `evidence` everything else that tells of it.
 * @typedef {{ process: Process, how: string, placed: Placed | null, time: number | null, evidence: Placed[] }} Failure
 */
/**
 * What the logs of a run come to: `sure` as in Python, `missing` ranks that did not take part in what the others waited for.
 * @typedef {{
 *   first: Failure | null, sure: string, followed: Failure[], processes: Process[], missing: number[], expected: number | null,
 * }} Verdict
 */

// Ways to end that a signal or an exit code tells; what else it was is in the log.
const KILLED = new Set([9, 137]), STOPPED = new Set([15, 143, 2, 130]);
const CRASHED = new Set([4, 6, 7, 8, 11, 132, 134, 135, 136, 139]);
// What tells of the machine and not of a process: its number is another one inside a container.
const OF_HOST = new Set(["oom", "gpu", "memory-monitor"]);
const SILENCED = new Set(["killed", "died", "oom", "memory-monitor", "gpu"]);
const WAITS = new Set(["waited", "lost"]);

/**
 * The verdict on the files of one run.
 * @param {FileRead[]} files
 * @param {RunRules} rules
 * @returns {Verdict}
 */
export function judge(files, rules) {
  const census = new Census(files), named = census.processes(files), expected = expectedRanks(files, named);
  toWhomItHappened(named);
  const processes = Array.from(named.values()), ends = processes.map((one) => endOf(one, rules)).filter((end) => end !== null);
  const faults = ends.filter(({ how }) => rules.ways[how] > 0);
  // What Ray's own helpers trip over, often while they are ended, counts where nothing else does.
  const telling = faults.filter(({ placed }) => placed?.file.kind !== "ray"), causes = telling.length ? telling : faults;
  const missing = missingOf(processes, expected), [first, sure] = firstOf(causes, ends, processes, missing, rules);
  // Who lost a peer says at once that one is gone; only a timeout tells of each that did not come.
  const told = sure === "missing" || processes.some(({ events }) => events.some(({ seen }) => seen.how === "waited"));
  return {
    first, sure, expected, missing: told ? missing : [],
    followed: sorted(ends.filter((one) => follows(one, first)), orderOf),
    processes: sorted(processes, ({ who }) => [who.rank < 0, who.rank, who.node, who.pid]),
  };
}

/**
 * Give what the machine reports of a process that no log knows to the one that was killed on that node.
 * @param {Map<string, Process>} named
 */
function toWhomItHappened(named) {
  for (const [name, process] of Array.from(named)) {
    const host = process.events.filter(({ seen }) => OF_HOST.has(seen.how)), { node } = process.who;
    const isKnown = process.files.length || process.doing.length || process.who.rank >= 0;
    if (!host.length || isKnown || host.length < process.events.length) continue;
    const all = Array.from(named.values());
    let killed = all.filter((other) => other !== process && (!node || !other.who.node || other.who.node === node)
      && other.events.some(({ seen }) => wayOf(seen) === "killed"));
    if (!killed.length) {
      const missing = new Set(missingOf(all, null));
      killed = all.filter(({ who }) => missing.has(who.rank) && (!node || who.node === "" || who.node === node));
    }
    if (killed.length !== 1) continue;
    const [whose] = killed;
    whose.events.push(...host);
    whose.who = over(whose.who, { ...NOBODY, node });
    named.delete(name);
  }
}

/**
 * The way to end that an exit code or a signal tells; "" for no end at all.
 * @param {Seen} seen
 */
function wayOf({ how, said }) {
  if (how !== "exited") return how;
  const code = Math.abs(number(said.code ?? said.signal ?? "1"));
  if (code === 0) return "";
  return KILLED.has(code) ? "killed" : STOPPED.has(code) ? "stopped" : CRASHED.has(code) ? "crashed" : "exited";
}

/**
 * How a process ended, by what weighs most; null where nothing tells that it did.
 * @param {Process} process
 * @param {RunRules} rules
 * @returns {Failure | null}
 */
function endOf(process, { ways }) {
  const told = process.events.map((placed) => ({ way: wayOf(placed.seen), placed }))
    .filter(({ way, placed }) => way && !survived(process, placed));
  const echoes = new Set(told.map(({ way }) => way).filter((way) => ways[way] === 0));
  // A process that waited for another, or was told to stop, ends with an exit code, too: that is no fault of its own.
  const weak = new Set([...echoes.size ? ["exited", "crashed", "died"] : [], ...echoes.has("stopped") ? ["killed"] : []]);
  const ours = told.filter(({ way }) => !weak.has(way));
  const chosen = least(ours, ({ way, placed: { seen: { time } } }) => [-ways[way], time === null, time ?? 0]);
  if (!chosen) return null;
  return {
    process, how: chosen.way, placed: chosen.placed, time: smallest(timesOf(process, chosen.way, ours, ways)),
    evidence: told.map(({ placed }) => placed),
  };
}

/**
 * Times at which it may have ended.
 * @param {Process} process
 * @param {string} way
 * @param {{ way: string, placed: Placed }[]} ours
 * @param {Record<string, number>} ways
 */
function timesOf(process, way, ours, ways) {
  const timed = ours.filter(({ placed }) => placed.seen.time !== null), faults = timed.filter((one) => ways[one.way] > 0);
  const times = (/** @type {typeof ours} */ all) => all.map(({ placed }) => /** @type {number} */ (placed.seen.time));
  // Who is killed says so nowhere: its last line is nearer to its end than when somebody noticed.
  if (SILENCED.has(way) && process.quietSince !== null) return [...times(timed.filter(({ placed }) => placed.seen.dated)), process.quietSince];
  return times(faults.length ? faults : timed);
}

/**
 * Whether the process went on working behind an error of its own.
 * @param {Process} process
 * @param {Placed} placed
 */
function survived(process, { seen, file }) {
  return seen.name === "traceback" && seen.how === "raised" && process.doing.some((one) => one.file === file && one.doing.line > seen.line);
}

/**
 * Ranks that the others waited for: those that do not say that they waited or lost a peer.
 * @param {Process[]} processes
 * @param {number | null} expected
 */
function missingOf(processes, expected) {
  const waiting = new Set(processes.filter((one) => one.who.rank >= 0 && one.events.some(({ seen }) => WAITS.has(seen.how))).map(({ who }) => who.rank));
  if (!waiting.size) return [];
  const size = expected ?? processes.reduce((most, { who }) => Math.max(most, who.rank), -1) + 1;
  const away = Array.from({ length: size }, (_, rank) => rank).filter((rank) => !waiting.has(rank));
  return away.length * 2 <= size ? away : []; // else it is logs that are missing
}

/**
 * @param {Failure[]} causes
 * @param {Failure[]} ends
 * @param {Process[]} processes
 * @param {number[]} missing
 * @param {RunRules} rules
 * @returns {[first: Failure | null, sure: string]}
 */
function firstOf(causes, ends, processes, missing, rules) {
  if (causes.length) return earliest(causes, rules);
  const silent = least(missing.map((rank) => ofRank(rank, processes)), ({ time, process }) => [time === null, time ?? 0, process.who.rank]);
  const behind = silent ?? behindOf(ends);
  if (behind) return [behind, "missing"];
  return ends.length ? [/** @type {Failure} */ (least(ends, orderOf)), "echo"] : [null, ""];
}

/**
 * The first of those with a fault of their own, and how sure that is.
 * @param {Failure[]} causes
 * @param {RunRules} rules
 * @returns {[first: Failure, sure: string]}
 */
function earliest(causes, { ways, limits }) {
  if (causes.length === 1) return [causes[0], "alone"];
  const strongest = largest(causes.map(({ how }) => ways[how])), heavy = causes.filter(({ how }) => ways[how] === strongest);
  const [first, ...later] = sorted(causes.filter(({ time }) => time !== null), orderOf);
  if (!first || (later.length + 1 < causes.length && heavy[0].time === null)) return [heavy[0], heavy.length === 1 ? "alone" : "order"];
  const { node } = first.process.who;
  const nodes = later.filter(({ time }) => (time ?? 0) - (first.time ?? 0) < limits.apart).map(({ process }) => process.who.node);
  return [first, node && nodes.some((one) => one && one !== node) ? "close" : "time"];
}

/**
 * @param {number} rank
 * @param {Process[]} processes
 * @returns {Failure}
 */
function ofRank(rank, processes) {
  const process = processes.find(({ who }) => who.rank === rank) ?? new Process({ ...NOBODY, rank });
  return { process, how: "silent", placed: null, time: process.quietSince, evidence: [] };
}

/**
 * Of ranks that all waited, the one that is behind: its last collective has the lowest number.
 * @param {Failure[]} ends
 * @returns {Failure | null}
 */
function behindOf(ends) {
  const numbered = ends.flatMap((end) => {
    const found = end.evidence.filter(({ seen }) => seen.how === "waited" && seen.said.seq !== undefined).map(({ seen }) => number(seen.said.seq));
    const last = largest(found);
    return last === null ? [] : [{ end, last }];
  });
  const lowest = smallest(numbered.map(({ last }) => last)), behind = numbered.filter(({ last }) => last === lowest);
  return numbered.length > 1 && behind.length === 1 ? { ...behind[0].end, how: "silent" } : null;
}

/**
 * Whether an end is worth a line: not that of a server, which is told to stop at the end of every run.
 * @param {Failure} end
 * @param {Failure | null} first
 */
function follows({ process, how }, first) {
  return process !== first?.process && (how !== "stopped" || process.who.rank >= 0 || process.who.actor !== "");
}

/**
 * @param {Failure} failure
 * @returns {import("./order.js").Key}
 */
function orderOf({ time, process: { who } }) {
  return [time === null, time ?? 0, ...natural(`${padded(who.rank, 6)} ${who.node} ${padded(who.pid, 8)}`)];
}

/**
 * @param {number} value
 * @param {number} size
 */
function padded(value, size) { return value < 0 ? `-${String(-value).padStart(size - 1, "0")}` : String(value).padStart(size, "0"); }
