/* Bytes that come piece by piece. */

/**
 * All of them as one piece.
 * @param {Uint8Array[]} pieces
 */
export function joined(pieces) {
  const made = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    made.set(piece, at);
    at += piece.length;
  }
  return made;
}
