/* Bash's patterns with * and ?. The meaning is defined in fieldguide/runtime/calculate/shell/pattern.py. */

/**
 * Whether a pattern matches all of a text; brackets stand for themselves.
 * @param {string} pattern
 * @param {string} text
 */
export function matches(pattern, text) {
  let at = 0, place = 0, star = -1, mark = 0;
  while (at < text.length) {
    if (pattern[place] === "*") {
      star = place++;
      mark = at;
    } else if (place < pattern.length && (pattern[place] === "?" || pattern[place] === text[at])) {
      at++;
      place++;
    } else if (star >= 0) {
      place = star + 1;
      at = ++mark;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(place));
}

/**
 * `${X#p}`, `${X##p}`, `${X%p}` and `${X%%p}`.
 * @param {string} operator
 * @param {string} pattern
 * @param {string} text
 */
export function removed(operator, pattern, text) {
  for (let i = 0; i <= text.length; i++) {
    const length = operator.length === 2 ? text.length - i : i;
    if (operator[0] === "#" && matches(pattern, text.slice(0, length))) return text.slice(length);
    if (operator[0] === "%" && matches(pattern, text.slice(text.length - length))) return text.slice(0, text.length - length);
  }
  return text;
}

/**
 * `${X/p/by}` and `${X//p/by}` for patterns that are plain texts; null for others.
 * @param {string} operator
 * @param {string} pattern
 * @param {string} by
 * @param {string} text
 */
export function replaced(operator, pattern, by, text) {
  if ((operator !== "/" && operator !== "//") || !pattern || /[*?[]/.test(pattern)) return null;
  return operator === "//" ? text.split(pattern).join(by) : text.replace(pattern, () => by);
}
