/* Addresses of the site, and scripts and styles that a page view does without. */
import { root } from "./config.js";
import { element } from "./dom.js";

const base = new URL(root, location.href).href;
/** @type {Record<string, Promise<unknown>>} */
const loaded = {};

/**
 * The address of a place below the root of the site. Opened from a folder, a link names the file.
 * @param {string} place
 */
export function address(place) {
  return base + (location.protocol === "file:" ? place.replace(/\/(?=[?#]|$)/, "/index.html") : place);
}

/**
 * Resolves when a script or a stylesheet is there.
 * @param {string} place
 */
export function load(place) {
  loaded[place] ??= new Promise((resolve, reject) => {
    const then = { onload: resolve, onerror: reject }, at = address(place);
    document.head.append(place.endsWith(".css") ? element("link", { rel: "stylesheet", href: at, ...then }) : element("script", { src: at, ...then }));
  });
  return loaded[place];
}
