/*
 * What a key is, in a box at its link: on hover, on keyboard focus, and on touch, where the first tap shows the box and
 * the second, or the link in it, goes there. Escape or a tap elsewhere closes it. Without JavaScript the title remains.
 */
import { find, findAll } from "./dom.js";

const DELAY = 200; // milliseconds in which a pointer may pass over, or move onto the box
const EDGE = 8, GAP = 4;

class Tooltip {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    this.text = find(box, "span");
    this.go = find(box, "a", HTMLAnchorElement);
    /** @type {HTMLAnchorElement | null} */
    this.shown = null;
    this.timer = 0;
    this.touched = false;
    document.body.append(box); // placed on the page, not in the column of the text
    // The pointer may move onto the box, to read or to select.
    box.addEventListener("pointerenter", () => clearTimeout(this.timer));
    box.addEventListener("pointerleave", (event) => this.leave(event));
    document.addEventListener("keydown", ({ key }) => { if (key === "Escape") this.hide(); });
    document.addEventListener("pointerdown", ({ target }) => {
      const on = /** @type {Node} */ (target);
      if (this.shown && !box.contains(on) && !this.shown.contains(on)) this.hide();
    });
  }

  /** @param {HTMLAnchorElement} link */
  watch(link) {
    link.dataset.tip = link.title;
    link.removeAttribute("title"); // else the browser, and the theme, show it a second time
    link.addEventListener("pointerenter", ({ pointerType }) => {
      if (pointerType === "mouse") this.later(() => this.show(link, false), DELAY);
    });
    link.addEventListener("pointerleave", (event) => this.leave(event));
    link.addEventListener("pointerdown", ({ pointerType }) => { this.touched = pointerType === "touch"; });
    link.addEventListener("focus", () => { if (!this.touched && link.matches(":focus-visible")) this.show(link, false); });
    link.addEventListener("blur", () => { if (!this.touched) this.later(() => this.hide(), 0); });
    link.addEventListener("click", (event) => {
      if (this.touched && this.shown !== link) {
        event.preventDefault();
        this.show(link, true);
      }
      this.touched = false;
    });
  }

  /** @param {PointerEvent} event */
  leave({ pointerType }) {
    if (pointerType === "mouse") this.later(() => this.hide(), DELAY);
  }

  /**
   * @param {HTMLAnchorElement} link
   * @param {boolean} touch
   */
  show(link, touch) {
    clearTimeout(this.timer);
    if (this.shown && this.shown !== link) this.hide();
    this.shown = link;
    this.text.textContent = link.dataset.tip ?? "";
    this.go.hidden = !touch;
    this.go.href = link.href;
    link.setAttribute("aria-describedby", this.box.id);
    this.box.hidden = false;
    this.place(link.getClientRects()[0]);
  }

  /**
   * Below the first line of the link, inside the window; above it where there is no room below.
   * @param {DOMRect} line
   */
  place({ left, top, bottom }) {
    const { offsetWidth, offsetHeight, style } = this.box, width = document.documentElement.clientWidth;
    const below = bottom + GAP + 2 + offsetHeight <= window.innerHeight;
    style.left = `${Math.max(EDGE, Math.min(left, width - offsetWidth - EDGE)) + window.scrollX}px`;
    style.top = `${(below ? bottom + GAP : top - offsetHeight - GAP) + window.scrollY}px`;
  }

  hide() {
    clearTimeout(this.timer);
    this.shown?.removeAttribute("aria-describedby");
    this.shown = null;
    this.box.hidden = true;
  }

  /**
   * @param {() => void} action
   * @param {number} delay
   */
  later(action, delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(action, delay);
  }
}

const links = /** @type {HTMLAnchorElement[]} */ (findAll(document, "a.fg-key[title]"));
const box = document.getElementById("fg-tip");
if (links.length && box) {
  const tooltip = new Tooltip(box);
  for (const link of links) tooltip.watch(link);
}
