/*
 * Words of a line of shell, as Python's shlex.split(line, comments=True) gives them: the tests hold it to that. A library that
 * splits for execution takes `list(range(0,8))` apart at its parentheses.
 */
(function (global) {
  "use strict";

  /* null when the line ends inside quotes or in a backslash. */
  function split(line) {
    var words = [], word = null, i = 0;
    while (i < line.length) {
      var c = line[i++];
      if (/[ \t\r\n]/.test(c)) {
        if (word !== null) { words.push(word); word = null; }
      } else if (c === "#") {
        // shlex ends a word at a comment even without a space before it.
        if (word !== null) { words.push(word); word = null; }
        var end = line.indexOf("\n", i);
        i = end < 0 ? line.length : end + 1;
      } else if (c === "\\") {
        if (i >= line.length) return null;
        word = (word || "") + line[i++];
      } else if (c === "'") {
        var close = line.indexOf("'", i);
        if (close < 0) return null;
        word = (word || "") + line.slice(i, close);
        i = close + 1;
      } else if (c === '"') {
        word = word || "";
        for (;;) {
          if (i >= line.length) return null;
          c = line[i++];
          if (c === '"') break;
          if (c === "\\") {
            if (i >= line.length) return null;
            word += (line[i] === '"' || line[i] === "\\" ? "" : "\\") + line[i++];
          } else {
            word += c;
          }
        }
      } else {
        word = (word || "") + c;
      }
    }
    if (word !== null) words.push(word);
    return words;
  }

  global.fieldguide.words = { split: split };
})(typeof self === "undefined" ? globalThis : self);
