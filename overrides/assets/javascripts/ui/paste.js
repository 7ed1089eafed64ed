/* The paste box of the front page hands its text to the theme's search; Back and a reload bring it back. */
import { find, findAll } from "./dom.js";
import { arrival, keep, kept, tail } from "./session.js";

/** @param {HTMLElement} form */
function start(form) {
  const box = find(form, "textarea", HTMLTextAreaElement);
  box.value = arrival() === "navigate" ? "" : kept("pasted") || "";

  function search() {
    const text = box.value.trim();
    if (text) window.fieldguide.ask(text); else box.focus();
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  for (const button of findAll(form, "[data-example]")) {
    button.addEventListener("click", () => {
      box.value = button.dataset.example ?? "";
      search();
    });
  }
  box.addEventListener("input", () => keep("pasted", tail(box.value)));
  box.addEventListener("paste", () => setTimeout(search, 0));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !box.value.includes("\n")) { event.preventDefault(); search(); }
  });
}

const [form] = findAll(document, "[data-fg=paste]");
if (form && document.getElementById("__search")) start(form);
