/*
 * Reads a log chunk by chunk and lists the known errors in it. No DOM: it runs in the log worker and in tests. It is
 * fieldguide/runtime/scan.py in JavaScript; tests/cases/logs.yml holds both to the same findings.
 *
 * Memory does not grow with the log: measured in Chromium, 110 MB more than before for 100 MB and for 1 GB alike, most of
 * it the browser's own for a worker and a file. Ours: one buffer of CHUNK plus twice `reach` (4 MB), at times as a text,
 * the automaton (2 MB), and records with fixed limits: groups of signatures, one text per signature, error lines at both
 * ends, numbers of recognised lines. What waits at the end of a chunk are its own hits alone.
 */
import { masker } from "../mask/mask.js";
import { applyRules, compileRules, expression } from "../match/expression.js";
import { Hints } from "./hints.js";
import { lookup } from "./lookup.js";
import { Places } from "./places.js";
import { MAX_LINE, Unknown } from "./unknown.js";

/** @typedef {import("./lookup.js").Sought} Sought */
/** @typedef {import("./lookup.js").Use} Use */
/** @typedef {{ low: number, high: number }} Bounds places in the buffer */
/** @typedef {{ text: string, place: number }} Placed a text and the place of the hit in it */

const CHUNK = 4 * 1024 * 1024;
const MANY = 500;        // hits of one key in a buffer, after which the buffer is asked for its words
const TRACEBACK = 6000;  // bytes of one that are kept

const SPACE = /[ \t\n\r\f\v]+/g;
const NEWLINE = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const single = new TextDecoder("latin1"); // a character per byte: the cheapest text to look for a word in

/**
 * @param {string} text
 * @param {string[]} words
 */
function has(text, words) { return words.every((word) => text.includes(word)); }

/** @param {string} text */
function lineEnds(text) { return text.split("\n").length - 1; }

/**
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} to
 */
function countLines(bytes, from, to) {
  let lines = 0;
  for (let i = from; i < to; i++) if (bytes[i] === NEWLINE) lines++;
  return lines;
}

/**
 * What the signature matches at the hit, on both sides: a match elsewhere in the window has a hit of its own.
 * @param {Sought} one
 * @param {Placed} where
 * @param {number} most matches that are tried
 * @returns {[before: string, after: string] | null}
 */
function covering(one, { text, place }, most) {
  const regex = one.regex ??= expression(one.pattern, "g");
  regex.lastIndex = 0;
  for (let tries = 0; tries < most; tries++) {
    const match = regex.exec(text);
    if (!match || match.index > place) return null;
    const end = match.index + match[0].length;
    if (end > place) return [text.slice(match.index, place), text.slice(place, end)];
    regex.lastIndex = match.index + String.fromCodePoint(text.codePointAt(match.index) || 0).length;
  }
  return null;
}

/* One scanner reads one log: push(bytes)…, finish(). */
export class Scanner {
  /**
   * @param {import("../match/guide.js").Guide} guide
   * @param {import("./lookup.js").ScanData} data
   * @param {number} [chunk] bytes that are looked at, at once
   */
  constructor(guide, data, chunk = CHUNK) {
    const rules = compileRules(guide.cleaning), { limits } = data.scan;
    this.limits = limits;
    this.clean = (/** @type {string} */ text) => applyRules(text, rules);
    this.mask = masker(data.masks);
    const { signatures, uses, automaton } = lookup(guide, data);
    this.uses = uses;
    this.automaton = automaton;
    this.places = new Places(signatures, guide.hintBonus, limits.groups);
    this.hints = new Hints(limits);
    this.unknown = new Unknown(this.clean, this.mask);
    /** @type {Map<Sought, number>} windows that were cleaned for each */
    this.looks = new Map();
    this.buffer = new Uint8Array(chunk + 2 * limits.reach);
    this.length = 0;   // bytes in the buffer
    this.fresh = 0;    // where the part begins that was not looked at
    this.position = 0; // of `fresh` in the log
    this.line = 0;     // line ends before `fresh`
    this.ends = true;  // whether what has come ends with its line
  }

  /** @param {Uint8Array} bytes */
  push(bytes) {
    for (let at = 0; at < bytes.length;) {
      const room = Math.min(this.buffer.length - this.length, bytes.length - at);
      this.buffer.set(bytes.subarray(at, at + room), this.length);
      this.length += room;
      at += room;
      if (this.length === this.buffer.length) this.work(false);
    }
  }

  /**
   * What was found in all that was pushed.
   * @param {Iterable<string>} named frameworks that a text of moderate size names, as in the search box
   */
  finish(named = []) {
    this.work(true);
    const frameworks = this.hints.frameworks(), applying = [...frameworks, ...Array.from(new Set(named)).filter((one) => !frameworks.includes(one)).sort()];
    return {
      framework: frameworks[0] || null,
      lines: this.ends ? this.line : this.line + 1,
      findings: this.places.findings(applying),
      unknown: this.unknown.report(this.places.known),
    };
  }

  /**
   * Look at what has come. What stands less than `reach` before the end waits for what follows.
   * @param {boolean} last whether nothing follows
   */
  work(last) {
    const safe = last ? this.length : Math.max(this.fresh, this.length - this.limits.reach);
    this.walk(this.fresh, safe);
    this.places.close(last ? Infinity : this.line - this.limits.linesAround);
    this.position += safe - this.fresh;
    const cut = Math.max(0, safe - this.limits.reach);
    this.ends = this.length ? this.buffer[this.length - 1] === NEWLINE : true;
    this.buffer.copyWithin(0, cut, this.length);
    this.length -= cut;
    this.fresh = safe - cut;
  }

  /**
   * Look at every hit of a key that begins in this part of the buffer.
   * @param {number} fresh
   * @param {number} safe
   */
  walk(fresh, safe) {
    const { automaton, buffer: bytes } = this, { table, classes, accepting, keysAt, sizes } = automaton;
    const end = Math.min(this.length, safe + automaton.longest), stands = this.stands();
    /** @type {Set<number>} signatures that were found on the line `seenOn` */
    const seen = new Set();
    let state = 0, at = fresh, seenOn = -1;
    for (const use of this.uses) Object.assign(use, { hits: 0, live: use.signatures });
    for (let i = fresh; i < end; i++) {
      state = table[state + classes[bytes[i]]];
      if (state < accepting) continue;
      for (const key of keysAt[state]) {
        const use = this.uses[key], start = i + 1 - sizes[key];
        if (start < fresh || start >= safe) continue;
        if (use.hints.length && this.hints.counting) this.hints.add(use.hints, this.position + start - fresh);
        if (++use.hits === MANY) use.live = use.signatures.filter(stands);
        if (!use.live.length && !use.sign && !use.trace) continue;
        this.line += countLines(bytes, at, start) - countLines(bytes, start, at);
        at = start;
        if (this.line !== seenOn) { seenOn = this.line; seen.clear(); }
        this.hit(use, start, seen);
      }
    }
    this.line += countLines(bytes, at, safe);
  }

  /** Whether all words of a signature stand anywhere in the buffer, which is read for the first that asks. */
  stands() {
    /** @type {string | undefined} */
    let text;
    return (/** @type {Sought} */ { words }) => {
      text ??= single.decode(this.buffer.subarray(0, this.length));
      return has(text, words.map((word) => single.decode(encoder.encode(word))));
    };
  }

  /**
   * @param {Use} use
   * @param {number} start
   * @param {Set<number>} seen
   */
  hit(use, start, seen) {
    if (use.live.length) this.verify(use.live, start, seen);
    if (use.sign) this.unknown.add(this.line + 1, () => this.near(start));
    if (use.trace) this.unknown.traceback = { line: this.line + 1, bytes: this.traceback(start) };
  }

  /** @param {number} start */
  traceback(start) {
    return this.buffer.slice(this.bounds(start, 0).low, Math.min(this.length, start + TRACEBACK));
  }

  /**
   * Note those of the signatures that match at a hit.
   * @param {Sought[]} candidates
   * @param {number} start
   * @param {Set<number>} seen
   */
  verify(candidates, start, seen) {
    const line = this.line + 1;
    let own, window, cleaned;
    for (const one of candidates) {
      if (seen.has(one.index)) continue;
      own ??= this.placed(this.bounds(start, 0), start);
      let match = has(own.text, one.words) ? covering(one, own, this.limits.tries) : null;
      const looks = this.looks.get(one) ?? 0;
      if (!match && looks < this.limits.looks) {
        window ??= this.window(start);
        if (!has(window.text, one.words)) continue;
        this.looks.set(one, looks + 1);
        cleaned ??= this.cleaned(window, start);
        match = covering(one, cleaned, this.limits.tries);
      }
      if (!match) continue;
      const text = match.join("");
      this.places.say(one, () => Array.from(text.replace(SPACE, " ")).slice(0, this.limits.text).join(""));
      seen.add(one.index);
      this.places.add({ first: line - lineEnds(match[0]), last: line + lineEnds(match[1]), index: one.index });
    }
  }

  /**
   * Bounds of the line of a hit with `around` more on both sides, at most `reach` bytes each way.
   * @param {number} start
   * @param {number} around
   * @returns {Bounds}
   */
  bounds(start, around) {
    const bytes = this.buffer, floor = Math.max(0, start - this.limits.reach), ceiling = Math.min(this.length, start + this.limits.reach);
    let low = start, high = start;
    for (let left = around; left >= 0 && low > floor; left--) {
      const at = bytes.subarray(floor, low).lastIndexOf(NEWLINE);
      low = at < 0 ? floor : floor + at + (left ? 0 : 1);
    }
    for (let left = around; left >= 0 && high < ceiling; left--) {
      const at = bytes.subarray(high, ceiling).indexOf(NEWLINE);
      high = at < 0 ? ceiling : high + at + (left ? 1 : 0);
    }
    return { low, high };
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  text(from, to) { return decoder.decode(this.buffer.subarray(from, to)); }

  /**
   * The line of a hit, as much of it as is kept.
   * @param {number} start
   */
  near(start) {
    const { low, high } = this.bounds(start, 0);
    return this.text(Math.max(low, start - MAX_LINE / 2), Math.min(high, start + MAX_LINE / 2));
  }

  /**
   * @param {Bounds} bounds
   * @param {number} start
   * @returns {Placed}
   */
  placed({ low, high }, start) {
    const text = this.text(low, high), isAscii = text.length === high - low;
    return { text, place: isAscii ? start - low : this.text(low, start).length };
  }

  /** @param {number} start */
  window(start) {
    const { low, high } = this.bounds(start, this.limits.linesAround);
    return { low, high, text: this.text(low, high) };
  }

  /**
   * Both sides of a hit cleaned; no rule takes out a line end.
   * @param {Bounds} window
   * @param {number} start
   * @returns {Placed}
   */
  cleaned({ low, high }, start) {
    const before = this.clean(this.text(low, start));
    return { text: before + this.clean(this.text(start, high)), place: before.length };
  }
}
