/* What the pages with a tool share: a box with words of its own and named parts. */
import { find, parsed } from "./dom.js";

export class Tool {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    /** @type {Record<string, string>} */
    this.words = parsed(box.dataset.words);
  }

  /**
   * @template {HTMLElement} [Kind=HTMLElement]
   * @param {string} name
   * @param {new () => Kind} [kind]
   */
  part(name, kind) { return find(this.box, `[data-part=${name}]`, kind); }

  /**
   * @param {string} name
   * @param {Node[]} children
   */
  put(name, children) { this.part(name).replaceChildren(...children); }
}
