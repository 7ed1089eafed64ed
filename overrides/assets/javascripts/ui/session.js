/*
 * What this tab keeps of what a reader typed or pasted: for Back, for a reload and for the next page, gone when the tab is
 * closed, and never part of a request.
 */

/* Under which another tool's text is kept for the calculator. */
export const GIVEN = "settings";
/* The same for the doctor. */
export const LISTED = "packages";
const PREFIX = "fieldguide.";
const LONG = 100000;     // characters of a text that are kept: the last ones, where the error is
const LARGEST = 1500000; // characters of all that is kept under a name; browsers give a site about five million

/** @param {string} text */
export function tail(text) { return text.slice(-LONG); }

/**
 * The value kept under a name; null when there is none.
 * @param {string} name
 * @returns {any}
 */
export function kept(name) {
  try { return JSON.parse(sessionStorage.getItem(PREFIX + name) || "null"); } catch { return null; }
}

/**
 * @param {string} name
 * @param {unknown} value null to keep nothing
 */
export function keep(name, value) {
  try {
    const text = value === null ? "" : JSON.stringify(value);
    if (text && text.length <= LARGEST) sessionStorage.setItem(PREFIX + name, text); else sessionStorage.removeItem(PREFIX + name);
  } catch { /* private mode, or full */ }
}

/** How the reader came to this page: "navigate", "reload" or "back_forward". */
export function arrival() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return entry ? entry.type : "navigate";
}
