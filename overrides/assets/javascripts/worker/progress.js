/* Tells the page how much was read. */

const TICK = 100; // milliseconds between two messages

export class Reporter {
  /** @param {number} [size] of all that is read */
  constructor(size = 0) {
    this.size = size;
    this.read = this.sent = 0;
  }

  /** @param {number} more */
  add(more) { this.reach(this.read + more); }

  /** @param {number} read of all */
  reach(read) {
    this.read = read;
    if (Date.now() - this.sent < TICK) return;
    this.sent = Date.now();
    self.postMessage({ type: "progress", read, size: this.size });
  }
}
