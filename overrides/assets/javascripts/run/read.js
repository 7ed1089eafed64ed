/*
 * Reads a file of a run, once and as a stream. Memory: a chunk of text and the windows around its hits, and a bounded record for
 * each file. fieldguide/runtime/run/read.py does the same in Python.
 */
import { LogError } from "../scan/encoding.js";
import { knownErrors } from "../worker/known.js";
import { NO_YEAR, inYear, yearOf } from "./clock.js";
import { OTHER, kindByHead, kindByName } from "./kinds.js";
import { largest } from "./order.js";
import { Budget } from "./pieces.js";
import { firstOf, lastOf } from "./text.js";
import { Watcher } from "./watcher.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./watcher.js").Doing} Doing */
/** @typedef {import("./watcher.js").Seen} Seen */
/**
 * A file of a run: its path as it is shown, and its name below what was given, by which it is told what it is.
 * @typedef {{ path: string, name: string, size: number, stream(): ReadableStream<Uint8Array> }} Member
 */
/** @typedef {{ path: string, reason: string }} Skipped */
/**
 * What one file tells: `who` whose it is, by its name; `first`, `last` times of its first and last lines; `ends` of a file that
 * names versions; `damaged`: it breaks off.
 * @typedef {{
 *   path: string, kind: string, who: import("./who.js").Who, lines: number, first: number | null, last: number | null, lastLine: string,
 *   events: Seen[], doing: Doing[], findings: import("../scan/places.js").Finding[], framework: string | null, damaged: boolean, ends: string,
 * }} FileRead
 */

const CHUNK = 1024 * 1024;
const HEAD = 4096, ENDS = 4000; // characters that tell what a file is; of one that names versions
const BOMB = "bomb", DAMAGED = "damaged";

/**
 * What a file tells, or why it was not read; no file makes it fail.
 * @param {Member} member
 * @param {Context} context
 * @returns {Promise<{ read: FileRead } | { skipped: Skipped }>}
 */
export async function readMember(member, context) {
  const source = new Source(member, context.rules.limits);
  try {
    const read = await fileOf(member, source, context);
    if (source.broken === BOMB) return { skipped: { path: member.path, reason: BOMB } };
    if (read.lines) return { read: context.left.lean(read) };
    return { skipped: { path: member.path, reason: source.broken || "empty" } };
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return { skipped: { path: member.path, reason: [BOMB, DAMAGED, "binary"].includes(error.kind) ? error.kind : "packed" } };
  } finally {
    source.close();
  }
}

/** The bytes of a file: where it cannot be read any further it ends, as the log of a killed job does, and `broken` says why. */
class Source {
  /**
   * @param {Member} member
   * @param {Record<string, number>} limits
   */
  constructor(member, limits) {
    this.member = member;
    this.budget = new Budget(member.size, limits);
    this.broken = "";
    /** @type {ReadableStreamDefaultReader<Uint8Array> | null} */
    this.reader = null;
  }

  stream() {
    return new ReadableStream({
      pull: async (control) => {
        const piece = await this.next();
        if (piece) control.enqueue(piece); else control.close();
      },
    }, { highWaterMark: 0 });
  }

  async next() {
    try {
      this.reader ??= this.member.stream().getReader();
      return (await this.reader.read()).value;
    } catch (error) {
      const kind = error instanceof Error ? error.name : "";
      this.broken = [BOMB, DAMAGED].includes(kind) ? kind : "unreadable";
      return undefined;
    }
  }

  /**
   * Count what was unpacked.
   * @param {number} size
   */
  take(size) {
    if (!this.budget.take(size)) throw new LogError(BOMB); // of any other readMember makes no reason
  }

  close() { this.reader?.cancel().catch(() => {}); }
}

/**
 * @param {Member} member
 * @param {Source} source
 * @param {Context} context
 * @returns {Promise<FileRead>}
 */
async function fileOf({ path, name }, source, context) {
  const { rules, anchors, progress } = context, { kind, who } = kindByName(name.replace(/\.gz$/, ""), rules);
  const watcher = new Watcher(anchors, who);
  const { found, head, ends } = await knownErrors(source, context, progress, (bytes) => {
    source.take(bytes.length);
    watcher.push(bytes);
  }, CHUNK);
  watcher.finish();
  const { framework, lines, findings, damaged } = found;
  return {
    path, who, lines, framework, findings,
    kind: kind === OTHER ? kindByHead(firstOf(head, HEAD), rules) : kind,
    first: watcher.firstTime, last: watcher.lastTime, lastLine: watcher.lastLine,
    events: watcher.events, doing: Array.from(watcher.doing.values()),
    damaged: damaged || source.broken !== "",
    ends: lastOf(ends, ENDS),
  };
}

/** What may still be kept of all files of a run: texts go first, then all but the ends of a file. */
export class Left {
  /** @param {Record<string, number>} limits */
  constructor({ texts, events, doings }) {
    this.texts = texts;
    this.events = events;
    this.doings = doings;
  }

  /**
   * A file with as much as may be kept.
   * @param {FileRead} read
   * @returns {FileRead}
   */
  lean(read) {
    let events = this.events > 0 ? read.events : [...read.events.slice(0, 2), ...read.events.slice(2).slice(-2)];
    for (const { block } of events) this.texts -= block.length;
    if (this.texts < 0) events = events.map((one) => ({ ...one, block: "" }));
    const doing = read.doing.slice(0, Math.max(this.doings, 1));
    this.events -= events.length;
    this.doings -= doing.length;
    return { ...read, events, doing };
  }
}

/**
 * The files with the year of the run where their lines name none.
 * @param {FileRead[]} files
 * @returns {FileRead[]}
 */
export function inOneYear(files) {
  const times = files.flatMap(({ first, last }) => [first, last]).filter((time) => time !== null);
  const year = largest(times.map(yearOf)) ?? NO_YEAR;
  const dated = (/** @type {number | null} */ time) => (time === null ? null : inYear(time, year));
  return files.map((file) => ({
    ...file, first: dated(file.first), last: dated(file.last),
    events: file.events.map((one) => ({ ...one, time: dated(one.time) })),
    doing: file.doing.map((one) => ({ ...one, time: dated(one.time) })),
  }));
}
