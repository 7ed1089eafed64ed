/* A log as a row of pieces, unpacked and recoded; never more of it at once than a few MB. */
import { joined } from "../scan/bytes.js";
import { LogError, encodingOf, isGzip } from "../scan/encoding.js";

/** @typedef {{ next(): Promise<Uint8Array | null> }} Pieces null at the end */

/**
 * Pieces of a stream, `read` told the size of each.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {(size: number) => void} [read]
 * @returns {Pieces}
 */
function counted(stream, read) {
  const reader = stream.getReader();
  return {
    async next() {
      const { value } = await reader.read();
      if (value) read?.(value.length);
      return value || null;
    },
  };
}

/**
 * The log of a killed job often breaks off: what there is, counts.
 * @param {Pieces} pieces
 * @param {() => void} broken
 * @returns {Pieces}
 */
function guarded(pieces, broken) {
  return {
    next: () => pieces.next().catch(() => {
      broken();
      return null;
    }),
  };
}

/**
 * The first bytes, at least so many if there are.
 * @param {Pieces} pieces
 * @param {number} most
 */
async function headOf(pieces, most) {
  const parts = [];
  let size = 0, piece;
  while (size < most && (piece = await pieces.next())) {
    parts.push(piece);
    size += piece.length;
  }
  return joined(parts);
}

/**
 * A stream made of a first piece and the rest, for the browser's own unpacker.
 * @param {Uint8Array} head
 * @param {Pieces} pieces
 */
function streamOf(head, pieces) {
  return new ReadableStream({
    start(control) { control.enqueue(head); },
    async pull(control) {
      const piece = await pieces.next();
      // An empty piece is taken only once all is read that was unpacked before, of which an error at the end would lose the rest.
      control.enqueue(piece ?? new Uint8Array(0));
      if (!piece) control.close();
    },
  }, { highWaterMark: 0 });
}

/**
 * @param {string} encoding
 * @param {(bytes: Uint8Array) => void} push
 */
function recoder(encoding, push) {
  const decoder = new TextDecoder(encoding), encoder = new TextEncoder();
  return (/** @type {Uint8Array} */ bytes) => push(encoder.encode(decoder.decode(bytes, { stream: true })));
}

/**
 * Push a log in UTF-8.
 * @param {{ stream(): ReadableStream<Uint8Array> }} source
 * @param {(bytes: Uint8Array) => void} push
 * @param {(size: number) => void} progress told how many bytes more were read
 * @param {import("../scan/lookup.js").ScanData["scan"]} scan
 * @returns {Promise<boolean>} whether it breaks off
 */
export async function readLog(source, push, progress, { limits, archives }) {
  let damaged = false, pieces = counted(source.stream(), progress), head = await headOf(pieces, limits.head);
  if (isGzip(head)) {
    if (typeof DecompressionStream === "undefined") throw new LogError("gzip");
    pieces = counted(streamOf(head, pieces).pipeThrough(new DecompressionStream("gzip")));
    pieces = guarded(pieces, () => { damaged = true; });
    head = await headOf(pieces, limits.head);
    if (!head.length && damaged) throw new LogError("damaged");
  }
  const encoding = encodingOf(head.subarray(0, limits.head), archives);
  const take = encoding === "utf-8" ? push : recoder(encoding, push);
  for (let piece = /** @type {Uint8Array | null} */ (head); piece; piece = await pieces.next()) take(piece);
  return damaged;
}
