/* Lines of a piece of a log, which is bytes. */
import { withoutReturn } from "./text.js";

export const REACH = 32_768;  // bytes on both sides of a hit that are at hand
export const LONGEST = 4096;  // bytes of a line that are looked at
export const BACK = 60;       // lines before one without a time stamp that are asked for theirs
const NEWLINE = 10;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * @param {Uint8Array} data
 * @param {number} from
 * @param {number} to
 */
export function textOf(data, from, to) { return decoder.decode(data.subarray(from, to)); }

/**
 * Place of the first line end of a part; -1 where there is none.
 * @param {Uint8Array} data
 * @param {number} from
 * @param {number} to
 */
export function lineEnd(data, from, to) {
  const at = data.subarray(from, to).indexOf(NEWLINE);
  return at < 0 ? -1 : from + at;
}

/**
 * Place of the last line end of a part; -1 where there is none.
 * @param {Uint8Array} data
 * @param {number} from
 * @param {number} to
 */
export function lastLineEnd(data, from, to) {
  const at = data.subarray(from, Math.max(from, to)).lastIndexOf(NEWLINE);
  return at < 0 ? -1 : from + at;
}

/**
 * @param {Uint8Array} data
 * @param {number} from
 * @param {number} to
 */
export function countLines(data, from, to) {
  let lines = 0;
  for (let at = from; at < to; at++) if (data[at] === NEWLINE) lines++;
  return lines;
}

/**
 * Where the line of a hit begins, as much of it as is looked at.
 * @param {Uint8Array} data
 * @param {number} start
 */
export function beginOf(data, start) {
  return Math.max(lastLineEnd(data, Math.max(0, start - LONGEST), start) + 1, start - LONGEST, 0);
}

/**
 * @param {Uint8Array} data
 * @param {number} begin
 */
export function lineAt(data, begin) {
  const end = lineEnd(data, begin, begin + LONGEST);
  return withoutReturn(textOf(data, begin, end < 0 ? begin + LONGEST : end));
}

/**
 * Bounds of each line of a part.
 * @param {Uint8Array} data
 * @param {number} from
 * @param {number} to
 * @returns {Generator<[from: number, to: number]>}
 */
export function* linesIn(data, from, to) {
  const last = Math.min(to, data.length);
  for (let at = from, end; at <= last; at = end + 1) {
    end = lineEnd(data, at, last);
    if (end < 0) end = last;
    yield [at, end];
  }
}

/**
 * Each line of a part, as much of it as is looked at.
 * @param {Uint8Array} data
 * @param {number} from
 * @param {number} to
 * @param {number} [most]
 */
export function textsIn(data, from, to, most = Infinity) {
  const texts = [];
  for (const [begin, end] of linesIn(data, from, to)) {
    if (texts.length >= most) break;
    texts.push(textOf(data, begin, Math.min(end, begin + LONGEST)));
  }
  return texts;
}

/**
 * Lines before `end`, the last one first.
 * @param {Uint8Array} data
 * @param {number} end
 */
export function* linesBefore(data, end) {
  for (let left = BACK; left > 0 && end > 0; left--) {
    const begin = end > 1 ? lastLineEnd(data, Math.max(0, end - REACH), end - 1) + 1 : 0;
    yield textOf(data, begin, Math.min(end, begin + LONGEST));
    end = begin;
  }
}
