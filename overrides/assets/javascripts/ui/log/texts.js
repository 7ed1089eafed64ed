/* What a log box tells of a text before it is read, or of a file that cannot be. */
import { fill } from "../dom.js";

const LOOKED_AT = 100000; // characters
/** @type {Record<string, string>} */
const UNPACK = {
  zstd: "zstd -d train.log.zst", xz: "xz -dk train.log.xz", bzip2: "bzip2 -dk train.log.bz2", zip: "unzip logs.zip", gzip: "gzip -dk train.log.gz",
};

/**
 * Whether most lines of a text are settings: `key: value`, `key=value`, `--flag value`.
 * @param {string} text
 */
export function areSettings(text) {
  const lines = text.slice(0, LOOKED_AT).split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  const set = lines.filter((line) => /^(?:-{1,2}|\+{0,2})[A-Za-z][\w.-]*(?:\s*[=:]\s*|\s+)\S|^[A-Za-z][\w.-]*:$/.test(line) && !/\s{2,}\d+\.\d/.test(line));
  return set.length > 1 && set.length * 3 > lines.length * 2;
}

/** @param {number} bytes */
export function size(bytes) {
  const units = ["B", "kB", "MB", "GB"];
  let left = bytes, unit = 0;
  for (; left >= 1000 && unit < 3; unit++) left /= 1000;
  return `${unit && left < 10 ? left.toFixed(1) : Math.round(left)} ${units[unit]}`;
}

/**
 * Why a file is no log, and what to do.
 * @param {string} kind as in LogError, or "closed" for a folder
 * @param {Record<string, string>} words
 */
export function refusal(kind, words) {
  const command = UNPACK[kind], isNamed = ["gzip", "binary", "closed"].includes(kind);
  return fill(isNamed ? words[kind] : command ? words.archive : words.unread, { kind, command });
}
