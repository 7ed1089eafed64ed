/* The theme's configuration, which stands in every page. */

const element = /** @type {HTMLElement} */ (document.getElementById("__config"));
export const config = JSON.parse(element.textContent);
/* The way from this page to the root of the site. */
export const root = config.base.replace(/\/?$/, "/");
export const language = document.documentElement.lang;

/** Give the theme, which has not started yet, what stands in `config` now. */
export function writeConfig() { element.textContent = JSON.stringify(config); }
