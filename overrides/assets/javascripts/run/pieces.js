/* Bytes that come piece by piece, bounded; what breaks off or unpacks to too much is an error of that name. */

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {AsyncIterable<Bytes>} Pieces */

const SLICE = 16 * 1024; // packed bytes that are unpacked at once: a bomb makes 16 MB of them

/** What unpacks to more than a log does. */
export function bomb() { return Object.assign(new Error("unpacks to too much"), { name: "bomb" }); }

/** What breaks off, or is no archive. */
export function damaged() { return Object.assign(new Error("breaks off"), { name: "damaged" }); }

/** Bytes that a file or an archive may still unpack to. */
export class Budget {
  /**
   * @param {number} size of the file
   * @param {Record<string, number>} limits
   */
  constructor(size, { unpacked, ratio }) {
    this.left = Math.max(Math.min(unpacked, Math.max(size, 4096) * ratio), 2 * size); // what is not packed may be of any size
  }

  get isSpent() { return this.left < 0; }

  /**
   * Count what was unpacked; whether it fits.
   * @param {number} size
   */
  take(size) {
    this.left -= size;
    return !this.isSpent;
  }

  /**
   * The same pieces, as far as they fit.
   * @param {Pieces} pieces
   */
  async *bounded(pieces) {
    for await (const piece of pieces) {
      if (!this.take(piece.length)) throw bomb();
      yield piece;
    }
  }
}

/**
 * Pieces of a file.
 * @param {Blob} blob
 * @param {(size: number) => void} progress told the size of each piece
 */
export async function* piecesOf(blob, progress) {
  const reader = blob.stream().getReader();
  try {
    for (let read = await reader.read(); read.value; read = await reader.read()) {
      progress(read.value.length);
      yield read.value;
    }
  } finally {
    await reader.cancel().catch(() => { /* it broke off before */ });
  }
}

/**
 * What a browser's own unpacker makes of pieces, up to the place where they break off.
 * @param {Pieces} pieces
 * @param {"gzip" | "deflate-raw"} format
 */
export async function* unpacked(pieces, format) {
  const reader = asStream(sliced(pieces)).pipeThrough(new DecompressionStream(format)).getReader();
  try {
    for (let read = await reader.read(); read.value; read = await reader.read()) yield read.value;
  } catch (error) {
    throw error instanceof TypeError ? damaged() : error; // a file that cannot be read is no broken archive
  } finally {
    await reader.cancel().catch(() => { /* it broke off before */ });
  }
}

/**
 * Small pieces with an empty one behind them: that one is taken only once the reader has all that was unpacked before, of which
 * an error at the end would otherwise lose what still waits.
 * @param {Pieces} pieces
 */
async function* sliced(pieces) {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE) yield piece.subarray(at, at + SLICE);
  }
  yield new Uint8Array(0);
}

/**
 * @param {Pieces} pieces
 * @returns {ReadableStream<Bytes>}
 */
export function asStream(pieces) {
  const source = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(control) {
      const { done, value } = await source.next();
      if (done) control.close(); else control.enqueue(value);
    },
    async cancel() { await source.return?.(); },
  }, { highWaterMark: 0 });
}

/** Takes bytes by number from pieces. */
export class Taker {
  /** @param {Pieces} pieces */
  constructor(pieces) {
    this.pieces = pieces[Symbol.asyncIterator]();
    this.held = new Uint8Array(0);
  }

  /**
   * At most so many bytes, none at the end.
   * @param {number} most
   */
  async some(most) {
    for (let next; !this.held.length && !(next = await this.pieces.next()).done;) this.held = next.value;
    const taken = this.held.subarray(0, most);
    this.held = this.held.subarray(taken.length);
    return taken;
  }

  /**
   * So many bytes, fewer only at the end.
   * @param {number} size
   */
  async all(size) {
    const made = new Uint8Array(size);
    let at = 0;
    for (let taken = await this.some(size); taken.length; taken = at < size ? await this.some(size - at) : taken.subarray(0, 0)) {
      made.set(taken, at);
      at += taken.length;
    }
    return made.subarray(0, at);
  }

  /** All that is left. */
  async *rest() {
    for (let taken = await this.some(Infinity); taken.length; taken = await this.some(Infinity)) yield taken;
  }

  close() { return this.pieces.return?.(); }
}

/**
 * Pieces with what is packed by gzip unpacked.
 * @param {Pieces} pieces
 */
export async function* plain(pieces) {
  const taker = new Taker(pieces);
  try {
    const head = await taker.all(2), whole = joined(head, taker);
    yield* head[0] === 0x1f && head[1] === 0x8b ? unpacked(whole, "gzip") : whole;
  } finally {
    await taker.close();
  }
}

/**
 * @param {Bytes} head
 * @param {Taker} taker
 */
async function* joined(head, taker) {
  yield head;
  yield* taker.rest();
}
