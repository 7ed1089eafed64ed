/* Files that were chosen or dropped, those of folders among them, each with its path. */

/** @typedef {import("../../run/collect.js").Given} Given */
/** @typedef {import("../log/given.js").Dropped} Dropped */
/** @typedef {{ signal: AbortSignal, count: (files: number) => void }} Watch `count` is told how many files were found so far */
/** @typedef {{ given: Given[], skipped: import("../../run/collect.js").Skipped[] }} Walked */

const WALKED = 400000; // names that are looked at, as in the terminal

/**
 * @param {Dropped} dropped
 * @param {Watch} watch
 * @returns {Promise<Walked>}
 */
export async function walked({ files, entries }, watch) {
  if (!entries.some((one) => one.isDirectory)) return { given: files.map(chosen), skipped: [] };
  /** @type {Walked} */
  const found = { given: [], skipped: [] };
  for await (const some of walk(entries, found.skipped)) {
    const opened = await Promise.all(some.map((one) => open(one, found.skipped)));
    found.given.push(...opened.flatMap((one) => one ?? []));
    if (watch.signal.aborted) break; // and says nothing more
    watch.count(found.given.length);
    if (found.given.length >= WALKED) { found.skipped.push({ path: pathOf(some[0]), reason: "many" }); break; }
  }
  return found;
}

/** @param {FileSystemEntry} entry */
function pathOf({ fullPath }) { return fullPath.replace(/^\//, ""); }

/**
 * A file of an input; that of a folder has its path, the folder first.
 * @param {File} file
 * @returns {Given}
 */
function chosen(file) { return given(file.webkitRelativePath || file.name, Boolean(file.webkitRelativePath), file); }

/**
 * @param {string} path
 * @param {boolean} inFolder
 * @param {File} file
 * @returns {Given}
 */
function given(path, inFolder, file) { return { path, name: inFolder ? path.slice(path.indexOf("/") + 1) : path, file }; }

/**
 * Files of folders and of those in them, some at a time.
 * @param {FileSystemEntry[]} entries
 * @param {Walked["skipped"]} skipped
 */
async function* walk(entries, skipped) {
  /** @type {FileSystemDirectoryEntry[]} */
  const folders = [];
  for await (const some of read(entries, folders, skipped)) {
    folders.push(...some.filter((one) => one.isDirectory).map((one) => /** @type {FileSystemDirectoryEntry} */ (one)));
    const files = some.filter((one) => one.isFile).map((one) => /** @type {FileSystemFileEntry} */ (one));
    if (files.length) yield files;
  }
}

/**
 * What was dropped, then what is in the folders that are found in it; a browser tells a hundred names at a time.
 * @param {FileSystemEntry[]} entries
 * @param {FileSystemDirectoryEntry[]} folders
 * @param {Walked["skipped"]} skipped
 */
async function* read(entries, folders, skipped) {
  yield entries;
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const reader = folder.createReader();
    for (let some = await next(reader); some?.length !== 0; some = await next(reader)) {
      if (!some) { skipped.push({ path: pathOf(folder), reason: "unreadable" }); break; }
      yield some;
    }
  }
}

/**
 * @param {FileSystemDirectoryReader} reader
 * @returns {Promise<FileSystemEntry[] | null>} null where the folder cannot be read
 */
function next(reader) { return new Promise((resolve) => { reader.readEntries(resolve, () => resolve(null)); }); }

/**
 * @param {FileSystemFileEntry} entry
 * @param {Walked["skipped"]} skipped
 * @returns {Promise<Given | null>}
 */
function open(entry, skipped) {
  const path = pathOf(entry);
  return new Promise((resolve) => {
    entry.file(
      (file) => resolve(given(path, path.includes("/"), file)),
      () => { skipped.push({ path, reason: "unreadable" }); resolve(null); },
    );
  });
}
