/*
 * What a text tells of an error that is not known: the error that ended the run, and where it was raised.
 * fieldguide/runtime/told.py does the same in Python; tests/test_agreement.py holds both to one another.
 */
import { knownPrograms } from "../match/guide.js";
import { escapeRegExp } from "../match/text.js";

/** @typedef {{ error: string, message: string, file: string, line: number, function: string, library: string, version: string }} Told */

const ERROR = /^(?:[A-Za-z0-9_ ().,=-]{0,120}[)\]:] )?([A-Za-z_][A-Za-z0-9_.]{0,100}(?:Error|Exception|Interrupt|Exit|Failure))(?::[ \t]*([^\n\r]{0,300}))?/u;
const FRAME = /^[ \t]*File "([^"\n\r]{1,300})", line ([0-9]{1,7})(?:, in ([^\n\r]{1,120}))?/u;
const PACKAGE = /(?:site-packages|dist-packages)\/([A-Za-z0-9_]+)/;
const LINES = 4000;

/**
 * The installed package of a file, or the training program whose folder it is in.
 * @param {string} file
 * @param {import("../match/guide.js").Program[]} programs
 */
function libraryOf(file, programs) {
  const [, installed] = PACKAGE.exec(file) || [];
  return installed || programs.find(({ id }) => file.toLowerCase().includes(`/${id}/`))?.name || "";
}

/**
 * The version that a text says of a package, such as `vllm==0.11.0` or `verl v0.7.1`; "" where it says none.
 * @param {string} library
 * @param {string} text
 */
export function versionOf(library, text) {
  if (!library) return "";
  const name = escapeRegExp(library).replace("_", "[-_]"), number = "v?([0-9]+\\.[0-9]+(?:\\.[0-9A-Za-z+.]+)?)";
  const found = new RegExp(`\\b${name}(?:==|[ -]version[ :=]*|[ :/=-]+)${number}`, "i").exec(text);
  return found ? found[1].replace(/\.+$/, "") : "";
}

/**
 * What a text of moderate size tells; null when no error has a name in it.
 * @param {string} text
 * @param {import("../match/guide.js").Guide} guide
 * @param {(text: string) => string} clean
 * @returns {Told | null}
 */
export function toldBy(text, guide, clean) {
  const echoes = new Set(guide.echoes);
  /** @type {RegExpExecArray | null} */
  let frame = null;
  /** @type {{ error: RegExpExecArray, frame: RegExpExecArray | null } | null} */
  let found = null;
  for (const line of clean(text).split("\n").slice(-LINES)) {
    const here = FRAME.exec(line), error = here ? null : ERROR.exec(line);
    if (here) frame = here;
    else if (error && !echoes.has(error[1].slice(error[1].lastIndexOf(".") + 1))) found = { error, frame };
  }
  if (!found) return null;
  const [, error, message = ""] = found.error, [, file = "", line = "0", name = ""] = found.frame ?? [];
  const library = file && libraryOf(file, knownPrograms(guide));
  return { error, message: message.replace(/[ \t]+$/, ""), file, line: Number(line), function: name, library, version: versionOf(library, text) };
}
