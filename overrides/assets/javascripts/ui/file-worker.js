/*
 * Stand-in for Worker in the copy that opens from a folder, where browsers start no worker: the script runs in a hidden
 * frame of its own, with the few names that our workers and the theme use. Only that copy loads this file.
 */

/** @typedef {Window & typeof globalThis & { workerAddress: string, importScripts: (...addresses: string[]) => Promise<void> }} Inner */

/** @param {() => void} task */
function soon(task) { setTimeout(task, 0); }

class FileWorker extends EventTarget {
  /** @param {string | URL} url */
  constructor(url) {
    super();
    /** @type {((event: MessageEvent) => void) | null} */
    this.onmessage = null;
    /** @type {((event: ErrorEvent) => void) | null} */
    this.onerror = null;
    /** @type {unknown[]} messages to a script that is not there yet */
    this.waiting = [];
    this.ready = false;
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    document.body.append(this.frame);
    this.inner = /** @type {Inner} */ (this.frame.contentWindow);
    this.prepare(new URL(url, location.href).href);
    // The page speaks to the search worker over this, where a BroadcastChannel would be used otherwise.
    if (String(url).includes("search/worker.js")) window.fieldguide.searchWorker = this;
  }

  /**
   * Give the frame the names that a worker has, and the script.
   * @param {string} address
   */
  async prepare(address) {
    const { inner } = this;
    inner.document.open();
    inner.document.write("<!doctype html><body></body>");
    inner.document.close();
    inner.workerAddress = address;
    inner.importScripts = async (...addresses) => { for (const one of addresses) await this.load(one); };
    inner.postMessage = (/** @type {unknown} */ data) => soon(() => this.tell(new MessageEvent("message", { data })));
    try {
      await this.load(address.split("?")[0]);
    } catch (error) {
      this.tell(new ErrorEvent("error", { message: String(error) }));
      return;
    }
    this.ready = true;
    for (const data of this.waiting.splice(0)) this.deliver(data);
  }

  /**
   * Resolves when a script has run in the frame.
   * @param {string} address
   * @returns {Promise<void>}
   */
  load(address) {
    return new Promise((resolve, reject) => {
      const script = this.inner.document.createElement("script");
      script.src = address;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(`cannot load ${address}`));
      this.inner.document.body.append(script);
    });
  }

  /** @param {unknown} data */
  deliver(data) { this.inner.onmessage?.(/** @type {MessageEvent} */ ({ data })); }

  /** @param {MessageEvent | ErrorEvent} event */
  tell(event) {
    this.dispatchEvent(event);
    if (event instanceof MessageEvent) this.onmessage?.(event); else this.onerror?.(event);
  }

  /** @param {unknown} data */
  postMessage(data) {
    if (this.ready) soon(() => this.deliver(data)); else this.waiting.push(data);
  }

  terminate() { this.frame.remove(); }
}

if (location.protocol === "file:") {
  window.fieldguide ??= /** @type {typeof window.fieldguide} */ ({});
  window.Worker = /** @type {typeof Worker} */ (/** @type {unknown} */ (FileWorker));
}
