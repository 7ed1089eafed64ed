/* Language switch: keeps the anchor, remembers the choice, offers each other language once. */
import { remember, remembered } from "./choices.js";
import { find, findAll } from "./dom.js";

// Material fetches a sitemap next to every link[rel=alternate], which does not exist there. The trailing space keeps
// the relation for everything that reads tokens and takes the links out of that selector.
for (const link of findAll(document, "link[rel=alternate]")) link.setAttribute("rel", "alternate ");

for (const link of /** @type {HTMLAnchorElement[]} */ (findAll(document, "[data-fg=language]"))) {
  link.addEventListener("click", () => {
    remember("language", link.dataset.lang ?? "");
    link.href = link.href.split(/[?#]/)[0] + location.search + location.hash;
  });
}

/**
 * A reader who chose the other language and opens the front page is taken there; anywhere else a link is offered, because a
 * shared address must show what was shared.
 * @param {HTMLElement} hint
 */
function offer(hint) {
  const here = document.documentElement.lang, other = hint.lang, chosen = remembered("language");
  const wanted = chosen || ((navigator.languages || [navigator.language])[0] || "").toLowerCase().split("-")[0];
  const fromHere = document.referrer && new URL(document.referrer).origin === location.origin;
  if (chosen === other && document.querySelector("[data-fg=paste]") && !fromHere && !location.hash) {
    location.replace(find(hint, "a", HTMLAnchorElement).href + location.search);
    return;
  }
  hint.hidden = wanted !== other || here === other;
  find(hint, "button").addEventListener("click", () => {
    remember("language", here);
    hint.hidden = true;
  });
}

for (const hint of findAll(document, "[data-fg=language-hint]")) offer(hint);
