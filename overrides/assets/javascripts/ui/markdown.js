/* Parts of a page as Markdown, for a ticket or a chat. */

/**
 * @param {Node} node
 * @returns {string}
 */
function inline(node) {
  const text = node.textContent || "";
  if (!(node instanceof HTMLElement)) return text.replace(/\s+/g, " ");
  if (node.nodeName === "CODE") return `\`${text}\``;
  if (node.nodeName === "BR") return "\n";
  const inside = Array.from(node.childNodes, inline).join("");
  if (node.nodeName === "STRONG") return `**${inside}**`;
  return node instanceof HTMLAnchorElement && !node.querySelector("code") ? `[${inside}](${node.href})` : inside;
}

/** @param {Element} node */
function fence(node) {
  const language = /language-(\S+)/.exec(node.className), code = node.querySelector("code")?.textContent || "";
  return `\`\`\`${language ? language[1] : ""}\n${code.replace(/\n$/, "")}\n\`\`\``;
}

/** @param {Element} node */
function list(node) {
  return Array.from(node.children, (item, i) => {
    const mark = node.nodeName === "OL" ? `${i + 1}. ` : "- ";
    const text = item.querySelector("p, pre, ul, ol") ? asMarkdown(item.childNodes) : inline(item).trim();
    return mark + text.replace(/\n(?=.)/g, `\n${" ".repeat(mark.length)}`);
  }).join("\n");
}

/** @param {Element} node */
function rows(node) {
  return Array.from(node.querySelectorAll("tr"), (row, i) => {
    const cells = Array.from(row.cells, (cell) => inline(cell).trim());
    return `| ${cells.join(" | ")} |${i ? "" : `\n|${cells.map(() => "---|").join("")}`}`;
  }).join("\n");
}

/**
 * @param {Node} node
 * @returns {string}
 */
function block(node) {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent || "").trim();
  if (!(node instanceof Element) || node.matches("h2, button, .fg-code-keys")) return "";
  if (node.matches(".highlight")) return fence(node);
  if (node.matches("ul, ol")) return list(node);
  if (node.matches("table") || node.querySelector(":scope > table, :scope > div > table")) return rows(node);
  return node.matches("p") || !node.querySelector("p, pre, ul, ol") ? inline(node).trim() : asMarkdown(node.childNodes);
}

/**
 * @param {Iterable<Node>} nodes
 * @returns {string}
 */
export function asMarkdown(nodes) { return Array.from(nodes, block).filter(Boolean).join("\n\n"); }
