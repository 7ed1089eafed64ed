/*
 * Words of a line of shell, as Python's shlex.split(line, comments=True) gives them: the tests hold it to that. A library that
 * splits for execution takes `list(range(0,8))` apart at its parentheses.
 */

/**
 * What stands in double quotes that open at `from`, and where it goes on behind them; null when they do not close.
 * @param {string} line
 * @param {number} from
 * @returns {{ text: string, end: number } | null}
 */
function quoted(line, from) {
  let text = "";
  for (let i = from; i < line.length; i++) {
    if (line[i] === '"') return { text, end: i + 1 };
    if (line[i] === "\\") {
      if (++i >= line.length) return null;
      text += (line[i] === '"' || line[i] === "\\" ? "" : "\\") + line[i];
    } else {
      text += line[i];
    }
  }
  return null;
}

/**
 * null when the line ends inside quotes or in a backslash.
 * @param {string} line
 */
export function split(line) {
  /** @type {string[]} */
  const words = [];
  /** @type {string | null} */
  let word = null;
  let i = 0;
  const end = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  while (i < line.length) {
    const c = line[i++];
    if (/[ \t\r\n]/.test(c)) {
      end();
    } else if (c === "#") {
      end(); // shlex ends a word at a comment even without a space before it
      const close = line.indexOf("\n", i);
      i = close < 0 ? line.length : close + 1;
    } else if (c === "\\") {
      if (i >= line.length) return null;
      word = (word ?? "") + line[i++];
    } else if (c === "'") {
      const close = line.indexOf("'", i);
      if (close < 0) return null;
      word = (word ?? "") + line.slice(i, close);
      i = close + 1;
    } else if (c === '"') {
      const found = quoted(line, i);
      if (!found) return null;
      word = (word ?? "") + found.text;
      i = found.end;
    } else {
      word = (word ?? "") + c;
    }
  }
  end();
  return words;
}
