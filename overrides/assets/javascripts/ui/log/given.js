/* What a reader gave a log box: one log, or the logs of a run: several files, a folder, an archive. */
import { packedAs } from "../../run/names.js";

/** @typedef {{ files: File[], entries: FileSystemEntry[] }} Dropped `entries`: the same with their folders, where the browser tells them */

/**
 * What is dropped; it can be asked for its folders only while the drop is handled.
 * @param {DataTransfer | null} transfer
 * @returns {Dropped}
 */
export function dropped(transfer) {
  const items = Array.from(transfer?.items ?? []).filter(({ kind }) => kind === "file");
  const entries = items.flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  return { files: Array.from(transfer?.files ?? []), entries: entries.length === items.length ? entries : [] };
}

/** @param {Dropped} dropped */
export function isRun({ files, entries }) {
  return files.length > 1 || entries.some((one) => one.isDirectory) || files.some(({ name, webkitRelativePath }) => webkitRelativePath || packedAs(name));
}

/**
 * What was chosen in an input, which can then be used for the same again.
 * @param {HTMLInputElement} input
 * @returns {Dropped}
 */
export function chosen(input) {
  const files = Array.from(input.files ?? []);
  input.value = "";
  return { files, entries: [] };
}

/**
 * Files dropped anywhere: beside the box one would otherwise replace the page.
 * @param {HTMLElement} box
 * @param {(given: Dropped) => void} take
 */
export function onDrop(box, take) {
  const over = (/** @type {boolean} */ isOver) => box.classList.toggle("fg-log--over", isOver);
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    over(true);
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); });
  document.addEventListener("drop", (event) => {
    over(false);
    const given = dropped(event.dataTransfer);
    if (given.files.length) { event.preventDefault(); take(given); }
  });
}
