/*
 * Who took part in a run: what its logs tell of one process, put together from all of them.
 * fieldguide/runtime/run/processes.py does the same in Python.
 */
import { largest, least, sorted } from "./order.js";
import { number } from "./text.js";
import { isNobody, keyOf, over } from "./who.js";

/** @typedef {import("./read.js").FileRead} FileRead */
/** @typedef {import("./watcher.js").Doing} Doing */
/** @typedef {import("./watcher.js").Seen} Seen */
/** @typedef {import("./who.js").Who} Who */
/** @typedef {{ seen: Seen, file: FileRead }} Placed something seen, and the file it stands in */

// Files of a process that serves others, or of the machine: they speak for nobody whom their lines do not name.
const SHARED_FILES = new Set(["raylet", "gcs", "ray", "kernel", "launcher", "driver", "job-driver", "engine", "other"]);

/** One process of the run, as far as it is known: `files` are logs of its own, `doing` what it did last, each file's. */
export class Process {
  /** @param {Who} who */
  constructor(who) {
    this.who = who;
    /** @type {FileRead[]} */
    this.files = [];
    /** @type {Placed[]} */
    this.events = [];
    /** @type {{ doing: Doing, file: FileRead }[]} */
    this.doing = [];
  }

  /** Its own log that was written last. */
  get last() { return least(this.files.filter(({ last }) => last !== null), ({ last }) => [-(last ?? 0)]) ?? this.files[0] ?? null; }

  /** Time of its last own line. */
  get quietSince() { return this.last?.last ?? null; }

  /** Phase, step and collective that it was in last. */
  get did() {
    const doings = sorted(this.doing, ({ doing: { time, line } }) => [time !== null, time ?? 0, line]);
    return Object.assign({}, ...doings.map(({ doing }) => doing.said));
  }
}

/**
 * What belongs to each key, in the order of the keys' first values.
 * @template K, V
 */
class Sets {
  constructor() {
    /** @type {Map<K, Set<V>>} */
    this.sets = new Map();
  }

  /**
   * @param {K} key
   * @param {V} value
   */
  add(key, value) { this.sets.set(key, (this.sets.get(key) ?? new Set()).add(value)); }

  /** Those that have one value alone. */
  get single() { return new Map(Array.from(this.sets, ([key, [...values]]) => /** @type {[K, V[]]} */ ([key, values])).filter(([, values]) => values.length === 1).map(([key, [value]]) => [key, value])); }
}

/** Tells processes apart by what names them: a rank that one process has, else its number, its actor, its file. */
export class Census {
  /** @param {FileRead[]} files */
  constructor(files) {
    /** @type {Sets<number, number>} */
    const pids = new Sets();
    /** @type {Sets<number, number>} */
    const ranks = new Sets();
    /** @type {Sets<number, string>} */
    const nodes = new Sets();
    /** @type {Map<number, string>} */
    this.where = new Map();
    /** @type {Map<number, string>} */
    this.actors = new Map();
    for (const { rank, pid, node, actor } of everyone(files)) {
      if (pid >= 0 && node) nodes.add(pid, node);
      if (pid >= 0 && rank >= 0) { pids.add(rank, pid); ranks.add(pid, rank); }
      if (pid >= 0 && actor && !this.actors.has(pid)) this.actors.set(pid, actor);
      if (rank >= 0 && node && !this.where.has(rank)) this.where.set(rank, node);
    }
    this.pid = pids.single;
    this.node = nodes.single;
    this.rank = new Map(Array.from(ranks.single).filter(([, rank]) => this.pid.has(rank)));
  }

  /**
   * Somebody with all that the run tells of it.
   * @param {Who} who
   * @returns {Who}
   */
  full(who) {
    const rank = who.rank >= 0 ? who.rank : this.rank.get(who.pid) ?? -1, pid = who.pid >= 0 ? who.pid : this.pid.get(rank) ?? -1;
    return {
      rank, pid, node: who.node || this.node.get(pid) || this.where.get(rank) || "", actor: who.actor || this.actors.get(pid) || "",
    };
  }

  /**
   * Every process by a name for it.
   * @param {FileRead[]} files
   */
  processes(files) {
    /** @type {Map<string, Process>} */
    const found = new Map();
    const of = (/** @type {Who} */ who, /** @type {FileRead} */ file) => {
      const own = this.full(who), name = this.name(own, file), process = found.get(name) ?? new Process(own);
      found.set(name, process);
      process.who = over(process.who, own);
      return process;
    };
    for (const file of files) {
      if (!SHARED_FILES.has(file.kind) && !isNobody({ ...file.who, node: "" })) of(file.who, file).files.push(file);
      for (const doing of file.doing) of(doing.who, file).doing.push({ doing, file });
      for (const seen of file.events) if (seen.role !== "tells") of(seen.who, file).events.push({ seen, file });
    }
    return found;
  }

  /**
   * What a process is called in here.
   * @param {Who} who
   * @param {FileRead} file
   */
  name(who, file) {
    if (who.rank >= 0 && (who.pid < 0 || this.rank.get(who.pid) === who.rank)) return `rank ${who.rank}`;
    if (who.pid >= 0) return `pid ${who.pid}`;
    if (who.actor) return `actor ${who.node} ${who.actor}`;
    if (file.kind === "kernel" || (who.node && ["launcher", "raylet", "gcs"].includes(file.kind))) return `node ${who.node}`;
    return `file ${file.path}`;
  }
}

/**
 * @param {FileRead[]} files
 * @returns {Iterable<Who>}
 */
function everyone(files) {
  /** @type {Map<string, Who>} */
  const found = new Map();
  for (const { who, events, doing } of files) {
    for (const one of [who, ...events.map((seen) => seen.who), ...doing.map((own) => own.who)]) {
      const key = keyOf(one);
      if (!found.has(key)) found.set(key, one);
    }
  }
  return found.values();
}

/**
 * How many ranks the run says that it has; null where neither a line nor a file tells.
 * @param {FileRead[]} files
 * @param {Map<string, Process>} processes
 */
export function expectedRanks(files, processes) {
  const said = files.flatMap(({ events, doing }) => [...events, ...doing].map(({ said: { size } }) => size)).filter((size) => size !== undefined);
  return largest([...said.map(number), ...Array.from(processes.values(), ({ who }) => who.rank + 1).filter((count) => count > 0)]);
}
