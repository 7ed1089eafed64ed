/* What a reader chose, kept by this browser: language and framework. */

const PREFIX = "fieldguide.";

/** @param {string} name */
export function remembered(name) {
  try { return localStorage.getItem(PREFIX + name); } catch { return null; }
}

/**
 * Every choice whose name begins so, by the rest of its name.
 * @param {string} start
 * @returns {Record<string, string>}
 */
export function allRemembered(start) {
  const whole = PREFIX + start;
  try {
    return Object.fromEntries(Object.entries(localStorage).filter(([name]) => name.startsWith(whole)).map(([name, choice]) => [name.slice(whole.length), choice]));
  } catch { return {}; }
}

/**
 * @param {string} name
 * @param {string} choice
 */
export function remember(name, choice) {
  try { localStorage.setItem(PREFIX + name, choice); } catch { /* private mode: the choice lasts for this page */ }
}
