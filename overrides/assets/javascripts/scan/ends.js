/* Both ends of a log, which tell more than what stands between them. */
import { MAX_TEXT } from "../match/text.js";
import { joined } from "./bytes.js";

const END = 4 * MAX_TEXT; // bytes at either end of a log that hold so many characters

/** Both ends of what is pushed: the first tells versions, the last the error that ended the run. Whole pieces, as few as hold them. */
export class Ends {
  constructor() {
    /** @type {Uint8Array[]} */
    this.first = [];
    /** @type {Uint8Array[]} */
    this.last = [];
    this.begun = this.size = this.total = 0;
  }

  /** @param {Uint8Array} piece */
  push(piece) {
    if (this.begun < END) {
      this.first.push(piece.slice(0, END - this.begun));
      this.begun += piece.length;
    }
    this.last.push(piece);
    this.size += piece.length;
    this.total += piece.length;
    while (this.size - this.last[0].length >= END) this.size -= /** @type {Uint8Array} */ (this.last.shift()).length;
  }

  head() { return new TextDecoder().decode(joined(this.first)).slice(0, MAX_TEXT); }
  tail() { return new TextDecoder().decode(joined(this.last).subarray(-END)).slice(-MAX_TEXT); }
}
