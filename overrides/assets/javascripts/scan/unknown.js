/* What looks like an error and is not known: error lines, the first and the last of them, and the last traceback. */
/** @typedef {{ line: number, text: string }} Row */

const KEPT = 20;             // error lines at both ends
export const MAX_LINE = 400; // characters of one
const TRACEBACK_LINES = 60;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class Unknown {
  /**
   * @param {(text: string) => string} clean
   * @param {(text: string) => string} mask
   */
  constructor(clean, mask) {
    this.clean = clean;
    this.mask = mask;
    this.line = -1;
    /** @type {Map<string, Row>} */
    this.first = new Map();
    /** @type {Map<string, Row>} */
    this.last = new Map();
    /** @type {{ line: number, bytes: Uint8Array } | null} */
    this.traceback = null;
  }

  /**
   * Lines that differ in numbers only are kept once.
   * @param {number} line
   * @param {() => string} read gives its text
   */
  add(line, read) {
    if (line === this.line) return;
    this.line = line;
    const text = read().replace(/[\r\n]+/g, " ").trim(), row = { line, text };
    const shape = text.replace(/[0-9a-f]*[0-9][0-9a-f]*/g, "0");
    if (this.first.has(shape)) return;
    if (this.first.size < KEPT) { this.first.set(shape, row); return; }
    this.last.delete(shape);
    this.last.set(shape, row);
    if (this.last.size > KEPT) for (const [oldest] of this.last) { this.last.delete(oldest); break; }
  }

  /**
   * What is not known, masked.
   * @param {Set<number>} known lines
   */
  report(known) {
    const traceback = this.lastTraceback(known);
    const rows = [...this.first.values(), ...this.last.values()]
      .filter(({ line }) => !known.has(line) && (!traceback || line < traceback.line || line > traceback.last));
    const parts = rows.length ? [rows.map(({ line, text }) => `${line}: ${this.clean(text)}`).join("\n")] : [];
    if (traceback) parts.push(`${traceback.line}:\n${traceback.text}`);
    return { lines: rows.length + (traceback ? 1 : 0), text: this.mask(parts.join("\n\n")) };
  }

  /**
   * The last traceback up to its error; null when one of its lines is a known error.
   * @param {Set<number>} known lines
   */
  lastTraceback(known) {
    if (!this.traceback) return null;
    const first = this.traceback.line;
    const lines = decoder.decode(this.traceback.bytes).split("\n").map((line) => this.clean(line).replace(/\r/g, "").slice(0, MAX_LINE));
    const most = Math.min(lines.length, TRACEBACK_LINES);
    let size = 1;
    while (size < most && (/^\s/.test(lines[size]) || !lines[size])) size++;
    if (size < most) size++;
    for (let line = first; line < first + size; line++) if (known.has(line)) return null;
    return { line: first, last: first + size - 1, text: lines.slice(0, size).join("\n") };
  }
}
