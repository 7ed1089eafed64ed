/* How the bytes of a log are to be read. */

const GZIP = [0x1f, 0x8b];

/* A log that cannot be read; `kind` says why: gzip, damaged, binary, or the name of an archive. */
export class LogError extends Error {
  /** @param {string} kind */
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

/**
 * @param {Uint8Array} head
 * @param {number[]} magic
 */
function startsWith(head, magic) { return magic.every((byte, i) => head[i] === byte); }

/** @param {Uint8Array} head */
export function isGzip(head) { return startsWith(head, GZIP); }

/**
 * The encoding by the first bytes; throws a LogError for an archive or a binary file.
 * @param {Uint8Array} head
 * @param {Record<string, string>} archives first bytes, hexadecimal, by name
 */
export function encodingOf(head, archives) {
  for (const [name, magic] of Object.entries(archives)) {
    if (startsWith(head, (magic.match(/../g) || []).map((byte) => parseInt(byte, 16)))) throw new LogError(name);
  }
  if (startsWith(head, [0xff, 0xfe])) return "utf-16le";
  if (startsWith(head, [0xfe, 0xff])) return "utf-16be";
  const pairs = Math.floor(Math.min(head.length, 2000) / 2), zeros = [0, 0];
  let control = 0, all = 0;
  for (const [i, byte] of head.entries()) {
    if (byte === 0) {
      all++;
      if (i < 2000) zeros[i % 2]++;
    }
    if (byte < 8 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) control++;
  }
  const [even, odd] = zeros;
  if (pairs >= 10 && odd > pairs * 0.4 && even < pairs * 0.02) return "utf-16le";
  if (pairs >= 10 && even > pairs * 0.4 && odd < pairs * 0.02) return "utf-16be";
  if (all * 100 > head.length || control * 20 > head.length || isGzip(head)) throw new LogError("binary");
  return "utf-8";
}
