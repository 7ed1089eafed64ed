/*
 * The box of the front page. A question or an error of one line goes to the theme's search; a text of several lines or a file is
 * diagnosed where it was pasted. Back and a reload bring all of it back.
 */
import { findAll } from "./dom.js";
import { LogBox } from "./log/page.js";
import { arrival, keep } from "./session.js";

const LINE = 2000; // characters of one line that is a question and not a log

class HomeBox extends LogBox {
  /** @param {HTMLElement} box */
  constructor(box) {
    if (arrival() === "navigate") keep("pasted", null);
    super(box, "pasted");
    for (const button of findAll(box, "[data-example]")) {
      button.addEventListener("click", () => {
        this.pasted = null;
        this.input.value = button.dataset.example ?? "";
        this.runText();
      });
    }
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !this.input.value.includes("\n")) { event.preventDefault(); this.runText(); }
    });
  }

  runText() {
    const text = this.text().trim();
    if (!text) { this.input.focus(); return; }
    if (text.length > LINE || /[\r\n]/.test(text)) { super.runText(); return; }
    this.stop();
    this.empty();
    this.say("");
    this.remember();
    window.fieldguide.ask(text);
  }
}

const [box] = findAll(document, "[data-fg=home]");
if (box && document.getElementById("__search")) new HomeBox(box);
