/* How the bytes of a log are to be read. */

/* As much of a log is looked at. */
export const HEAD = 65536;
const GZIP = [0x1f, 0x8b];
const ARCHIVES = { zstd: [0x28, 0xb5, 0x2f, 0xfd], xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], bzip2: [0x42, 0x5a, 0x68], zip: [0x50, 0x4b, 3, 4] };

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
 * The encoding by the first HEAD bytes; throws a LogError for an archive or a binary file.
 * @param {Uint8Array} head
 */
export function encodingOf(head) {
  for (const [name, magic] of Object.entries(ARCHIVES)) if (startsWith(head, magic)) throw new LogError(name);
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
