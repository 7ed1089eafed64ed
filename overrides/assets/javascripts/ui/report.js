/* About page: an error that the search did not know, kept in this tab when it was chosen, becomes a masked report to copy. */
import { masker } from "../mask/mask.js";
import { copyField } from "./clipboard.js";
import { find, findAll, parsed } from "./dom.js";
import "./issueform.js";
import { arrival, keep, kept, tail } from "./session.js";

/** Links of older versions held the error in the address. */
function takeFromAddress() {
  const address = new URL(location.href), error = address.searchParams.get("error");
  if (error === null) return;
  keep("report", tail(error));
  address.searchParams.delete("error");
  history.replaceState(history.state, "", address);
}

/** @param {HTMLElement} box */
function start(box) {
  const text = find(box, "textarea", HTMLTextAreaElement), button = find(box, "button");
  const { prefix = "" } = box.dataset, mask = masker(parsed(box.dataset.masks)), { idle = "", done = "" } = button.dataset;

  function show() {
    const error = kept("report");
    text.value = `${prefix.replace(/\\n/g, "\n")}${mask(error || "")}\n\`\`\`\n`;
    button.textContent = idle;
    if (error) text.scrollIntoView({ block: "center" });
  }

  takeFromAddress();
  show();
  const edited = arrival() === "navigate" ? null : kept("reportEdited");
  if (edited) text.value = edited;
  text.addEventListener("input", () => keep("reportEdited", tail(text.value)));
  document.addEventListener("fieldguide:report", () => { keep("reportEdited", null); show(); });
  button.addEventListener("click", async () => {
    try {
      await copyField(text);
      button.textContent = done;
    } catch { /* it is selected */ }
  });
}

const [box] = findAll(document, "[data-fg=report]");
if (box) start(box);
