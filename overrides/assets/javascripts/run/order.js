/* Order as Python has it: by tuples, the first of equals, texts by the numbers of their characters. */

/** @typedef {(string | number | boolean)[]} Key compared from left to right; a shorter one that begins alike comes first */

/**
 * @param {string} a
 * @param {string} b
 */
function compareTexts(a, b) {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  if (at > 0 && /[\udc00-\udfff]/.test(a[at] ?? b[at])) at--; // back to the whole character
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}

/**
 * @param {Key} a
 * @param {Key} b
 */
export function compareKeys(a, b) {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const one = a[at], other = b[at];
    const order = typeof one === "string" && typeof other === "string" ? compareTexts(one, other) : Number(one) - Number(other);
    if (order) return order;
  }
  return a.length - b.length;
}

/**
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => Key} key
 */
export function sorted(items, key) {
  return Array.from(items, (item) => ({ item, key: key(item) })).sort((a, b) => compareKeys(a.key, b.key)).map(({ item }) => item);
}

/**
 * The first item of the smallest key; undefined where there is none.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => Key} key
 * @returns {T | undefined}
 */
export function least(items, key) {
  return items.reduce((/** @type {{ item: T, key: Key } | undefined} */ best, item) => {
    const own = key(item);
    return best && compareKeys(own, best.key) >= 0 ? best : { item, key: own };
  }, undefined)?.item;
}

/**
 * The smallest of many numbers, which may be too many to be arguments; null where there is none.
 * @param {number[]} numbers
 */
export function smallest(numbers) { return numbers.reduce((/** @type {number | null} */ a, b) => (a === null || b < a ? b : a), null); }

/** @param {number[]} numbers */
export function largest(numbers) { return numbers.reduce((/** @type {number | null} */ a, b) => (a === null || b > a ? b : a), null); }

/**
 * The key of a name, by which names stand in the order of their numbers.
 * @param {string} name
 * @returns {Key}
 */
export function natural(name) {
  return name.split(/([0-9]+)/).flatMap((piece, at) => {
    if (at % 2 === 0) return [piece];
    const digits = piece.replace(/^0+/, "");
    return [digits.length, digits];
  });
}
