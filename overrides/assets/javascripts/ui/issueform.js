/*
 * A report goes to the issue form by the clipboard, never in an address: a link with data-copies copies a field before it
 * opens the form in a tab of its own.
 */
import { copyField } from "./clipboard.js";
import { around, find } from "./dom.js";

document.addEventListener("click", async (event) => {
  const link = around(event, "a[data-copies]");
  if (!link) return;
  try {
    await copyField(find(document, `#${link.dataset.copies}`, HTMLTextAreaElement));
    link.textContent = link.dataset.done ?? "";
  } catch { /* the report stands there, selected */ }
});
