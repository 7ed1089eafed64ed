/* The files of a Zip archive by the list at its end; without that, by the heads before each file. */
import { damaged, piecesOf, unpacked } from "./pieces.js";

/** @typedef {import("./pieces.js").Pieces} Pieces */
/** @typedef {{ name: string, size: number, pieces: (() => Pieces) | null, reason: string }} Entry `reason` why it has no pieces */
/** @typedef {{ flags: number, method: number, packed: number, size: number, name: string, start: number }} Row of the list */

const END = 0x06054b50, END_64 = 0x06064b50, LOCATOR_64 = 0x07064b50, LISTED = 0x02014b50, LOCAL = 0x04034b50;
const TAIL = 22 + 65535;             // bytes in which the end stands, with its comment
const LONGEST_LIST = 64 * 1024 * 1024;
const ENCRYPTED = 1, SIZES_BEHIND = 8, UTF_8 = 2048;
const WHOLE = 0xffffffff;            // a number that stands in the extra field
const STORED = 0, DEFLATED = 8;

/** @param {Blob} blob */
async function view(blob) { return new DataView(await blob.arrayBuffer()); }

/**
 * @param {Uint8Array} bytes
 * @param {number} flags
 */
function nameOf(bytes, flags) {
  try {
    return new TextDecoder("utf-8", { fatal: !(flags & UTF_8) }).decode(bytes).replaceAll("\\", "/");
  } catch {
    return new TextDecoder("windows-1252").decode(bytes).replaceAll("\\", "/");
  }
}

/**
 * Where the list is; null when there is no end.
 * @param {Blob} file
 */
async function listOf(file) {
  const from = Math.max(0, file.size - TAIL), tail = await view(file.slice(from));
  let at = tail.byteLength - 22;
  while (at >= 0 && tail.getUint32(at, true) !== END) at--;
  if (at < 0) return null;
  const end = from + at, size = tail.getUint32(at + 12, true), start = tail.getUint32(at + 16, true);
  const wide = size === WHOLE || start === WHOLE || tail.getUint16(at + 10, true) === 0xffff ? await wideEnd(file, end) : null;
  const found = wide ?? { size, start, end };
  return { size: found.size, start: found.end - found.size, shift: found.end - found.size - found.start }; // text may stand before an archive
}

/**
 * The same of an archive of more than 4 GB or 65,535 files.
 * @param {Blob} file
 * @param {number} end
 */
async function wideEnd(file, end) {
  if (end < 20) return null;
  const locator = await view(file.slice(end - 20, end));
  if (locator.getUint32(0, true) !== LOCATOR_64) return null;
  const at = Number(locator.getBigUint64(8, true)), head = await view(file.slice(at, at + 56));
  if (head.byteLength < 56 || head.getUint32(0, true) !== END_64) throw damaged();
  return { size: Number(head.getBigUint64(40, true)), start: Number(head.getBigUint64(48, true)), end: at };
}

/**
 * A row of the list, and where the next one begins; null where none stands.
 * @param {DataView} list
 * @param {number} at
 * @returns {{ row: Row, next: number } | null}
 */
function rowAt(list, at) {
  if (at + 46 > list.byteLength || list.getUint32(at, true) !== LISTED) return null;
  const flags = list.getUint16(at + 8, true), long = list.getUint16(at + 28, true), extra = at + 46 + long;
  const next = extra + list.getUint16(at + 30, true) + list.getUint16(at + 32, true);
  if (next > list.byteLength) return null;
  const row = {
    flags, method: list.getUint16(at + 10, true), packed: list.getUint32(at + 20, true), size: list.getUint32(at + 24, true),
    name: nameOf(new Uint8Array(list.buffer, at + 46, long), flags), start: list.getUint32(at + 42, true),
  };
  widen(row, list, extra, extra + list.getUint16(at + 30, true));
  return { row, next };
}

/**
 * Numbers of 64 bits from the extra field.
 * @param {Row} row
 * @param {DataView} list
 * @param {number} at
 * @param {number} end
 */
function widen(row, list, at, end) {
  for (; at + 4 <= end; at += 4 + list.getUint16(at + 2, true)) {
    if (list.getUint16(at, true) !== 1) continue;
    let place = at + 4;
    for (const name of /** @type {const} */ (["size", "packed", "start"])) {
      if (row[name] !== WHOLE || place + 8 > end) continue;
      row[name] = Number(list.getBigUint64(place, true));
      place += 8;
    }
    return;
  }
}

/**
 * @param {Row} row
 * @param {() => Promise<Blob>} data
 * @param {(size: number) => void} progress
 * @returns {Entry}
 */
function entryOf({ name, size, method, flags }, data, progress) {
  const reason = flags & ENCRYPTED ? "special" : method === STORED || method === DEFLATED ? "" : "packed";
  async function* pieces() {
    const packed = piecesOf(await data(), progress);
    yield* method === STORED ? packed : unpacked(packed, "deflate-raw");
  }
  return { name, size, pieces: reason ? null : pieces, reason };
}

/**
 * @param {Blob} file
 * @param {(size: number) => void} progress
 * @returns {AsyncGenerator<Entry>}
 */
export async function* filesOfZip(file, progress) {
  const list = await listOf(file);
  if (!list) {
    yield* filesOfBroken(file, progress);
    throw damaged();
  }
  if (list.start < 0) throw damaged();
  const rows = await view(file.slice(list.start, list.start + Math.min(list.size, LONGEST_LIST)));
  let at = 0;
  for (let found = rowAt(rows, at); found; found = rowAt(rows, at)) {
    const { row } = found;
    at = found.next;
    if (!row.name.endsWith("/")) yield entryOf(row, () => dataOf(file, row, list.shift), progress);
  }
  if (at < list.size) throw damaged();
}

/**
 * @param {Blob} file
 * @param {Row} row
 * @param {number} shift
 */
async function dataOf(file, { start, packed }, shift) {
  const at = start + shift, head = await view(file.slice(at, at + 30));
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) throw damaged();
  const from = at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  return file.slice(from, from + packed);
}

/**
 * What stands before the break of an archive that lacks its end.
 * @param {Blob} file
 * @param {(size: number) => void} progress
 * @returns {AsyncGenerator<Entry>}
 */
async function* filesOfBroken(file, progress) {
  for (let at = 0; ;) {
    const head = await view(file.slice(at, at + 30));
    if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) return;
    const flags = head.getUint16(6, true), long = head.getUint16(26, true), from = at + 30 + long + head.getUint16(28, true);
    if (flags & (ENCRYPTED | SIZES_BEHIND)) return;
    const name = nameOf(new Uint8Array(await file.slice(at + 30, at + 30 + long).arrayBuffer()), flags);
    const row = { flags, method: head.getUint16(8, true), packed: head.getUint32(18, true), size: head.getUint32(22, true), name, start: at };
    at = from + row.packed;
    if (!name.endsWith("/")) yield entryOf(row, async () => file.slice(from, from + row.packed), progress);
  }
}
