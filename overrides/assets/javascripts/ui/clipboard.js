/* Copying, also where the clipboard is closed to scripts: pages over plain HTTP, or opened from a folder. */
import { element } from "./dom.js";

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copySelected(text);
  }
}

/**
 * A selection can be copied where the clipboard is closed.
 * @param {string} text
 */
function copySelected(text) {
  const field = element("textarea", { value: text, className: "fg-offscreen" }), before = document.activeElement;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
}

/**
 * Copies a field at once, before a link leads away.
 * @param {HTMLTextAreaElement} field
 */
export async function copyField(field) {
  field.select();
  if (document.execCommand("copy")) return;
  if (!navigator.clipboard) throw new Error("no clipboard");
  await navigator.clipboard.writeText(field.value);
}

/**
 * Copies what `text` gives, and says so on the button for a while.
 * @param {HTMLElement} button
 * @param {() => string} text
 */
export function copyButton(button, text) {
  const idle = button.textContent;
  button.addEventListener("click", async () => {
    await copy(text());
    button.textContent = button.dataset.done ?? "";
    setTimeout(() => { button.textContent = idle; }, 2000);
  });
  return button;
}
