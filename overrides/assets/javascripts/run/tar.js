/* The files of a tar archive, one after the other: each must be read, or left, before the next one is asked for. */
import { Taker, damaged } from "./pieces.js";

/** @typedef {import("./zip.js").Entry} Entry */
/** @typedef {{ name: string, size: number, type: string, sparse: boolean }} Head */

const BLOCK = 512;
const LONGEST = 1024 * 1024; // bytes of a name that stands in a block of its own
const REGULAR = new Set(["0", "\0", "7"]);
const decoder = new TextDecoder();

/** @param {Uint8Array} bytes */
function textOf(bytes) {
  const end = bytes.indexOf(0);
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/**
 * Octal digits, or with the first bit set a number in bytes.
 * @param {Uint8Array} bytes
 */
function numberOf(bytes) {
  if (bytes[0] & 0x80) return bytes.subarray(1).reduce((made, byte) => made * 256 + byte, bytes[0] & 0x7f);
  return parseInt(textOf(bytes).trim() || "0", 8);
}

/**
 * @param {Uint8Array} block
 * @returns {Head}
 */
function headOf(block) {
  const sum = block.reduce((made, byte, at) => made + (at >= 148 && at < 156 ? 32 : byte), 0);
  const size = numberOf(block.subarray(124, 136));
  if (sum !== numberOf(block.subarray(148, 156)) || !(size >= 0)) throw damaged();
  const name = textOf(block.subarray(0, 100)), prefix = textOf(block.subarray(257, 263)) === "ustar" && block[263] === 48 ? textOf(block.subarray(345, 500)) : "";
  return { name: prefix ? `${prefix}/${name}` : name, size, type: String.fromCharCode(block[156]), sparse: block[482] > 0 };
}

/**
 * The fields of a pax head: `27 path=logs/rank0.log` on each line, with the length of the line before it.
 * @param {Uint8Array} bytes
 */
function fieldsOf(bytes) {
  /** @type {Record<string, string>} */
  const fields = {};
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(32, at), length = parseInt(decoder.decode(bytes.subarray(at, space)), 10);
    if (space < 0 || !(length > 0)) return fields;
    const [name, ...value] = decoder.decode(bytes.subarray(space + 1, at + length - 1)).split("=");
    fields[name] = value.join("=");
    at += length;
  }
  return fields;
}

/** What is left of a file, with what fills its last block. */
class Body {
  /**
   * @param {Taker} taker
   * @param {number} size
   */
  constructor(taker, size) {
    this.taker = taker;
    this.left = size;
    /** @type {Promise<import("./pieces.js").Bytes> | null} */
    this.taking = null;
    this.isLeft = false;
    this.filling = (BLOCK - (size % BLOCK)) % BLOCK;
  }

  async *pieces() {
    while (this.left > 0 && !this.isLeft) {
      this.taking = this.taker.some(this.left);
      const taken = await this.taking;
      if (!taken.length) throw damaged();
      this.left -= taken.length;
      yield taken;
    }
  }

  /** All of it at once. */
  async whole() {
    if (this.left > LONGEST) throw damaged();
    const made = await this.taker.all(this.left);
    this.left -= made.length;
    await this.skip();
    return made;
  }

  /** Go to the next file, also from one whose reader has had enough and may still be unpacking a piece. */
  async skip() {
    this.isLeft = true;
    await this.taking;
    for (let left = this.left + this.filling; left > 0;) {
      const taken = await this.taker.some(left);
      if (!taken.length) throw damaged();
      left -= taken.length;
    }
    this.left = this.filling = 0;
  }
}

/**
 * @param {import("./pieces.js").Pieces} bytes unpacked
 * @returns {AsyncGenerator<Entry>}
 */
export async function* filesOfTar(bytes) {
  const taker = new Taker(bytes);
  /** @type {Record<string, string>} what heads say of the next file */
  let said = {};
  try {
    for (let block = await taker.all(BLOCK), first = true; block.length; block = await taker.all(BLOCK), first = false) {
      if (block.length < BLOCK) throw damaged();
      if (block.every((byte) => byte === 0)) { if (first) throw damaged(); return; }
      const head = headOf(block), size = Number(said.size ?? head.size), body = new Body(taker, size);
      if (head.type === "x") said = { ...said, ...fieldsOf(await body.whole()) };
      else if (head.type === "L") said = { ...said, path: textOf(await body.whole()) };
      else {
        if (head.type === "S") await passSparse(taker, head.sparse);
        const name = said.path ?? head.name;
        if (!"5gK".includes(head.type) && !name.endsWith("/")) {
          const pieces = REGULAR.has(head.type) ? () => body.pieces() : null;
          yield { name, size, pieces, reason: pieces ? "" : head.type === "S" ? "packed" : "special" };
        }
        if (head.type !== "g" && head.type !== "K") said = {};
        await body.skip();
      }
    }
  } finally {
    await taker.close();
  }
}

/**
 * Blocks that list the holes of a file stand before it.
 * @param {Taker} taker
 * @param {boolean} more
 */
async function passSparse(taker, more) {
  while (more) more = (await taker.all(BLOCK))[504] > 0;
}
