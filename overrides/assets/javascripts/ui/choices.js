/* What a reader chose, kept by this browser: language and framework. */

const PREFIX = "fieldguide.";

/** @param {string} name */
export function remembered(name) {
  try { return localStorage.getItem(PREFIX + name); } catch { return null; }
}

/**
 * @param {string} name
 * @param {string} choice
 */
export function remember(name, choice) {
  try { localStorage.setItem(PREFIX + name, choice); } catch { /* private mode: the choice lasts for this page */ }
}
