/* The files of an archive, one after the other; a broken archive gives those before the break. As fieldguide/runtime/run/archive.py. */
import { Budget, asStream, piecesOf, plain } from "./pieces.js";
import { isPacked } from "./names.js";
import { filesOfTar } from "./tar.js";
import { filesOfZip } from "./zip.js";

/** @typedef {import("./collect.js").Member} Member */
/** @typedef {import("./collect.js").Skipped} Skipped */
/** @typedef {import("./collect.js").Reading} Reading */

const FOREIGN = /^(?:425a68|fd377a585a00|28b52ffd)/; // bzip2, xz, zstd: no browser unpacks them

/**
 * Each file of an archive, which must be read before the next one is asked for, and what is left out; never an error.
 * @param {Member} archive
 * @param {Reading} reading
 * @returns {AsyncGenerator<{ member: Member } | { skipped: Skipped }>}
 */
export async function* opened(archive, reading) {
  const { ignored, limits, progress } = reading, whole = new Budget(archive.size, limits), inner = new Budget(archive.size, limits);
  let left = limits.members;
  try {
    if (await isForeign(archive.blob)) { yield leftOut(archive.path, "packed"); return; }
    const files = archive.packed === "tar" ? filesOfTar(whole.bounded(plain(piecesOf(archive.blob, progress)))) : filesOfZip(archive.blob, progress);
    for await (const { name, size, pieces, reason } of files) {
      if (--left < 0) { yield leftOut(archive.path, "many"); return; }
      const below = name.replace(/^\.\//, "").replace(/^\/+/, ""), path = `${archive.path}/${below}`;
      const why = ignored(below) || (isPacked(name) ? "nested" : reason);
      if (why || !pieces) yield leftOut(path, why);
      else if (size) {
        yield { member: { ...archive, path, name: below, size, packed: "", stream: () => asStream(inner.bounded(plain(pieces()))) } };
        if (whole.isSpent || inner.isSpent) return; // its reader was told
      }
    }
  } catch (error) {
    yield leftOut(archive.path, reasonOf(error));
  }
}

/** @param {Blob} blob */
async function isForeign(blob) {
  const head = new Uint8Array(await blob.slice(0, 6).arrayBuffer());
  return FOREIGN.test(Array.from(head, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}

/**
 * @param {string} path
 * @param {string} reason
 */
function leftOut(path, reason) { return { skipped: { path, reason } }; }

/** @param {unknown} error */
function reasonOf(error) {
  const name = error instanceof Error ? error.name : "";
  return name === "bomb" ? "bomb" : name === "NotReadableError" || name === "NotFoundError" ? "unreadable" : "damaged";
}
