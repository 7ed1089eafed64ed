/* A permalink goes on to the reader's language: the one chosen in the switch, else the browser's first that there is. */
import { remembered } from "./choices.js";

const links = Array.from(/** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-lang]")));
const wanted = [document.documentElement.dataset.language, remembered("language"), ...(navigator.languages || [navigator.language])]
  .map((language) => (language || "").toLowerCase().split("-")[0]);
const ranked = wanted.flatMap((language) => links.filter((link) => link.dataset.lang === language));
const target = new URL((ranked[0] || links[0]).href);
const framework = new URLSearchParams(location.search).get("fw"); // the filter goes along, and nothing else of the address
if (framework !== null) target.searchParams.set("fw", framework);
location.replace(target);
