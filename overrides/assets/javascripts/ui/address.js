/* Addresses of the site, and scripts that a page view does without. */
import { root } from "./config.js";
import { element } from "./dom.js";

const base = new URL(root, location.href).href;
/** @type {Record<string, Promise<unknown>>} */
const scripts = {};

/**
 * The address of a place below the root of the site. Opened from a folder, a link names the file.
 * @param {string} place
 */
export function address(place) {
  return base + (location.protocol === "file:" ? place.replace(/\/(?=[?#]|$)/, "/index.html") : place);
}

/**
 * Resolves when a script is there.
 * @param {string} place
 */
export function load(place) {
  scripts[place] ??= new Promise((resolve, reject) => {
    document.head.append(element("script", { src: address(place), onload: resolve, onerror: reject }));
  });
  return scripts[place];
}
