/* What a log box is doing, shown as progress; a new one ends it. */
import { address } from "../address.js";
import { language } from "../config.js";

export class Work {
  /**
   * @param {HTMLElement} box
   * @param {HTMLProgressElement} progress
   * @param {HTMLElement} cancel
   */
  constructor(box, progress, cancel) {
    this.box = box;
    this.progress = progress;
    this.cancel = cancel;
    /** @type {Worker | null} */
    this.worker = null;
    this.ending = new AbortController();
  }

  /** What comes before a worker ends with this signal. */
  begin() {
    this.stop();
    this.progress.removeAttribute("value");
    this.progress.hidden = this.cancel.hidden = false;
    this.box.setAttribute("aria-busy", "true");
    this.ending = new AbortController();
    return this.ending.signal;
  }

  /**
   * @param {string} name of the worker
   * @param {object} given what it reads
   * @param {(message: any) => void} receive
   */
  ask(name, given, receive) {
    const worker = this.worker = new Worker(address(`search/${name}.js?lang=${language}`));
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = (event) => { event.preventDefault(); receive({ type: "error", kind: "unread" }); };
    worker.postMessage({ type: "start", ...given });
  }

  /** @param {{ read: number, size: number }} message */
  show({ read, size }) { this.progress.value = size ? read / size : 0; }

  stop() {
    this.ending.abort();
    this.worker?.terminate();
    this.worker = null;
    this.progress.hidden = this.cancel.hidden = true;
    this.box.removeAttribute("aria-busy");
  }
}
