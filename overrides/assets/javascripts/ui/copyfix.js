/* A fix of several steps can be copied whole, as Markdown with the entry's address: for a ticket or a chat. */
import { copyButton } from "./clipboard.js";
import { find, findAll } from "./dom.js";
import { asMarkdown } from "./markdown.js";

for (const button of findAll(document, ".fg-copy")) {
  copyButton(button, () => {
    const { href } = find(document, ".fg-permalink", HTMLAnchorElement);
    return `${asMarkdown(button.closest("section")?.childNodes || [])}\n\n${href}\n`;
  });
}
