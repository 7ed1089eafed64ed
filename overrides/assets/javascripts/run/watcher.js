/*
 * What the lines of one log tell of a run: who failed, who reports or echoes it, what each did last. A log is pushed in pieces of
 * any size and looked at in chunks of one; memory is bounded by the limits of the rules, whatever the log's size.
 * fieldguide/runtime/run/events.py does the same in Python.
 */
import { stripped } from "../match/expression.js";
import { lastPart } from "../match/text.js";
import { toldBy } from "../scan/told.js";
import { BACK, REACH, beginOf, countLines, lastLineEnd, lineAt, lineEnd, linesBefore, textOf, textsIn } from "./bytes.js";
import { firstOf, lastOf, withoutReturn } from "./text.js";
import { blockAt, taskIn } from "./traceback.js";
import { isNobody, keyOf, over, speakerOf, whoOf } from "./who.js";

/** @typedef {import("./anchors.js").Event} Event */
/** @typedef {import("./rules.js").Said} Said */
/** @typedef {import("./who.js").Who} Who */
/**
 * Something that a log tells: `role`, `how` as of an Event, `who` it happened to; `time` null where neither the line nor those
 * before have a time stamp; `told` of a traceback; `block` the text around; `dated`: the line has a time stamp of its own, else
 * `time` is that of a line before, and it may be much later.
 * @typedef {{
 *   name: string, role: string, how: string, line: number, time: number | null, text: string, who: Who, said: Said,
 *   told: import("../scan/told.js").Told | null, block: string, dated: boolean,
 * }} Seen
 */
/**
 * What somebody did last; `line` is that of the last such line, `times` how many there were.
 * @typedef {{ who: Who, line: number, time: number | null, times: number, said: Said }} Doing
 */

const CHUNK = 1024 * 1024;
const AROUND = 800; // bytes on both sides of a failing line that are kept for the answer
const WAITED = /[Tt]imed? ?out|[Tt]imeout/;

export class Watcher {
  /**
   * @param {import("./anchors.js").Anchors} anchors
   * @param {Who} who whose log it is
   * @param {number} [chunk] bytes that are looked at, at once
   */
  constructor(anchors, who, chunk = CHUNK) {
    this.anchors = anchors;
    this.rules = anchors.rules;
    this.own = who;
    this.chunk = chunk;
    this.buffer = new Uint8Array(chunk + 2 * REACH);
    this.length = 0;  // bytes in the buffer
    this.carried = 0; // those of them that were there before this chunk
    this.fresh = 0;   // where the part begins that was not looked at
    this.line = 0;    // line ends before `fresh`
    this.half = Math.floor(this.rules.limits.keep / 2);
    /** @type {Seen[]} */
    this.told = [];
    /** @type {Seen[]} */
    this.first = [];
    /** @type {Seen[]} */
    this.latest = [];
    /** @type {Map<string, number>} speaker → end of the traceback that was read */
    this.skipUntil = new Map();
    /** @type {Map<Doing, number>} where the line begins whose time is to be read */
    this.undated = new Map();
    /** @type {Map<string, Doing>} */
    this.doing = new Map();
    /** @type {number | null} */
    this.firstTime = null;
    /** @type {number | null} */
    this.lastTime = null;
    this.lastLine = "";
  }

  /** What was seen, in order: of very many the first and the last. */
  get events() { return [...this.told, ...this.first, ...this.latest]; }

  /** @param {Uint8Array} bytes */
  push(bytes) {
    for (let at = 0; at < bytes.length;) {
      const room = Math.min(this.carried + this.chunk - this.length, bytes.length - at);
      this.buffer.set(bytes.subarray(at, at + room), this.length);
      this.length += room;
      at += room;
      if (this.length === this.carried + this.chunk) this.work(false);
    }
  }

  finish() {
    if (this.length > this.carried) this.work(false);
    this.work(true);
  }

  /**
   * Look at what has come. What stands less than REACH before the end waits for what follows.
   * @param {boolean} last whether nothing follows
   */
  work(last) {
    const data = this.buffer.subarray(0, this.length);
    const safe = last ? data.length : Math.max(this.fresh, data.length - REACH);
    let at = this.fresh;
    this.firstTime ??= this.timeIn(textsIn(data, 0, REACH, BACK));
    for (const [start, key] of this.hits(data, safe)) {
      this.line += countLines(data, at, start);
      at = start;
      this.hit(data, start, this.anchors.events[key]);
    }
    for (const [doing, begin] of this.undated) doing.time = this.time(data, begin, lineAt(data, begin));
    this.undated.clear();
    this.line += countLines(data, at, safe);
    this.lastTime = this.timeBefore(data, safe);
    if (last) this.lastLine = this.shown(firstWith(linesBefore(data, data.length), (line) => stripped(line)) ?? "");
    const cut = Math.max(0, safe - REACH);
    this.skipUntil = new Map(Array.from(this.skipUntil, ([who, until]) => /** @type {[string, number]} */ ([who, until - cut])).filter(([, until]) => until > 0));
    this.buffer.copyWithin(0, cut, this.length);
    this.length = this.carried = this.length - cut;
    this.fresh = safe - cut;
  }

  /**
   * Where anchors stand from `fresh` to `safe`, in order; of very many with one text the first and the last, of doings the last
   * alone.
   * @param {Uint8Array} data
   * @param {number} safe
   */
  hits(data, safe) {
    const { automaton: { table, classes, accepting, keysAt, sizes, longest }, events } = this.anchors, most = this.rules.limits.hits;
    const found = events.map(() => /** @type {number[]} */ ([])), end = Math.min(data.length, safe + longest);
    for (let at = this.fresh, state = 0; at < end; at++) {
      state = table[state + classes[data[at]]];
      if (state < accepting) continue;
      for (const key of keysAt[state]) {
        const start = at + 1 - sizes[key];
        if (start >= this.fresh && start < safe) found[key].push(start);
      }
    }
    return found.flatMap((starts, key) => {
      const half = events[key].length && events[key].every(({ role }) => role === "does") ? 0 : Math.floor(most / 2);
      const kept = starts.length > most ? [...starts.slice(0, half), ...starts.slice(half - most)] : starts;
      return kept.map((start) => /** @type {[start: number, key: number]} */ ([start, key]));
    }).sort(([a, one], [b, other]) => a - b || one - other);
  }

  /**
   * @param {Uint8Array} data
   * @param {number} start
   * @param {Event[]} events that the anchor may stand for; none for a traceback
   */
  hit(data, start, events) {
    const begin = beginOf(data, start), line = lineAt(data, begin), who = over(speakerOf(line, this.rules), this.own);
    if (!events.length) {
      if (start >= (this.skipUntil.get(keyOf(who)) ?? 0)) this.traceback(data, begin, who);
      return;
    }
    for (const event of events) {
      const text = event.lines === 1 ? line : this.anchors.clean(textsIn(data, begin, begin + REACH, event.lines).map(withoutReturn).join("\n"));
      const said = event.named.read(text);
      if (!said) continue;
      if (event.role === "does") this.does(event, said, who, begin);
      else if (event.role === "tells") this.tells(event, said, who);
      else this.note(event, said, who, data, begin, line);
      return;
    }
  }

  /**
   * @param {Event} event
   * @param {Said} said
   * @param {Who} who
   * @param {number} begin
   */
  does({ does }, said, who, begin) {
    const key = keyOf(who), own = this.doing.get(key) ?? { who, line: 0, time: null, times: 0, said: {} };
    if (!own.times && this.doing.size >= this.rules.limits.speakers) return;
    this.doing.set(key, own);
    Object.assign(own, { line: this.line + 1, times: own.times + 1 });
    Object.assign(own.said, said, does ? { phase: does } : {});
    this.undated.set(own, begin);
  }

  /**
   * Who is who, and how many: said once, however often it is repeated.
   * @param {Event} event
   * @param {Said} said
   * @param {Who} speaker
   */
  tells({ name, role, how }, said, speaker) {
    const who = over(whoOf(said), speaker), told = JSON.stringify([name, who, said]);
    if (this.told.length >= this.half || this.told.some((one) => JSON.stringify([one.name, one.who, one.said]) === told)) return;
    this.told.push({ name, role, how, line: 0, time: null, text: "", who, said, told: null, block: "", dated: true });
  }

  /**
   * @param {Event} event
   * @param {Said} said
   * @param {Who} who
   * @param {Uint8Array} data
   * @param {number} begin
   * @param {string} line
   */
  note({ name, role, how }, said, who, data, begin, line) {
    const named = whoOf(said);
    // Who reports is another than who ended: of the speaker only the node is taken, where the line names none.
    const whose = role === "reports" && !isNobody(named) ? { ...named, node: named.node || this.own.node } : over(named, who);
    const dated = this.anchors.clock.read(line) !== null;
    this.keep({
      name, role, how, line: this.line + 1, time: this.time(data, begin, line), text: this.shown(line), who: whose, said,
      told: null, block: around(data, begin), dated,
    });
  }

  /**
   * @param {Uint8Array} data
   * @param {number} begin
   * @param {Who} speaker
   */
  traceback(data, begin, speaker) {
    const { clean, guide } = this.anchors, { limits, echoes, echoTexts } = this.rules;
    const { lines, end } = blockAt(data, begin, this.anchors), text = lines.join("\n");
    this.skipUntil.set(keyOf(speaker), end);
    const told = toldBy(text, guide, clean);
    const error = told ? `${told.error}: ${told.message}` : lines.findLast((one) => stripped(one) && !/^[ \t]/.test(one)) ?? "";
    const isEcho = !told || echoes.has(lastPart(told.error)) || echoTexts.some((one) => error.includes(one));
    const how = !isEcho ? "raised" : WAITED.test(error) ? "waited" : "lost";
    const task = text.includes("RayTaskError") ? taskIn(textOf(data, begin, end)) : null;
    const who = task && Number(task.pid) !== speaker.pid ? whoOf(task) : speaker;
    this.keep({
      name: "traceback", role: isEcho ? "echoes" : "fails", how, line: this.line + 1, time: this.time(data, begin, lineAt(data, begin)),
      text: firstOf(error, limits.shown), who, said: {}, told, block: lastOf(text, AROUND * 3), dated: true,
    });
  }

  /** @param {Seen} seen */
  keep(seen) {
    if (this.first.length < this.half) { this.first.push(seen); return; }
    this.latest.push(seen);
    if (this.latest.length > this.half) this.latest.shift();
  }

  /** @param {string} line */
  shown(line) { return firstOf(stripped(this.anchors.clean(line)), this.rules.limits.shown); }

  /**
   * @param {Uint8Array} data
   * @param {number} begin
   * @param {string} line
   */
  time(data, begin, line) { return this.anchors.clock.read(line) ?? this.timeBefore(data, begin); }

  /**
   * The time of the last line that has one and ends before.
   * @param {Uint8Array} data
   * @param {number} end
   */
  timeBefore(data, end) { return this.timeIn(linesBefore(data, end)) ?? this.lastTime; }

  /**
   * The time of the first of some lines that has one.
   * @param {Iterable<string>} lines
   */
  timeIn(lines) {
    for (const line of lines) {
      const time = this.anchors.clock.read(line);
      if (time !== null) return time;
    }
    return null;
  }
}

/**
 * @param {Iterable<string>} lines
 * @param {(line: string) => unknown} fits
 */
function firstWith(lines, fits) {
  for (const line of lines) if (fits(line)) return line;
  return undefined;
}

/**
 * Whole lines before and from the one that begins there.
 * @param {Uint8Array} data
 * @param {number} begin
 */
function around(data, begin) {
  const low = begin > AROUND ? lineEnd(data, begin - AROUND, begin) + 1 || begin : 0, high = lastLineEnd(data, begin, begin + AROUND);
  return textOf(data, low, high > begin ? high : begin + AROUND);
}
