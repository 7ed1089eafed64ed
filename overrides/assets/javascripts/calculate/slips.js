/* Names that no key has, and the key that was probably meant. */
import { lastPart } from "../match/text.js";

/**
 * The path whose last part is one or two slips of the pen away.
 * @param {string} name
 * @param {string[]} paths
 */
export function closest(name, paths) {
  const written = lastPart(name);
  let best = null, least = Infinity;
  for (const path of paths) {
    const wanted = lastPart(path), most = Math.min(2, Math.floor(wanted.length / 5));
    if (Math.abs(wanted.length - written.length) > most || wanted === written) continue;
    const apart = distance(written, wanted);
    if (apart <= most && apart < least) { least = apart; best = path; }
  }
  return best;
}

/**
 * Edit distance.
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  const row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    let before = row[0];
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const kept = row[j];
      row[j] = Math.min(row[j] + 1, row[j - 1] + 1, before + (a[i - 1] === b[j - 1] ? 0 : 1));
      before = kept;
    }
  }
  return row[b.length];
}
