/* A fix of several steps can be copied whole, as Markdown with the entry's address: for a ticket or a chat. */
(function () {
  "use strict";
  function inline(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent.replace(/\s+/g, " ");
    if (node.nodeName === "CODE") return "`" + node.textContent + "`";
    if (node.nodeName === "BR") return "\n";
    const inside = Array.from(node.childNodes, inline).join("");
    if (node.nodeName === "STRONG") return "**" + inside + "**";
    return node.nodeName === "A" && !node.querySelector("code") ? "[" + inside + "](" + node.href + ")" : inside;
  }
  function fence(node) {
    const language = /language-(\S+)/.exec(node.className);
    return "```" + (language ? language[1] : "") + "\n" + node.querySelector("code").textContent.replace(/\n$/, "") + "\n```";
  }
  function list(node) {
    return Array.from(node.children, (item, i) => {
      const mark = node.nodeName === "OL" ? i + 1 + ". " : "- ";
      const text = item.querySelector("p, pre, ul, ol") ? blocks(item.childNodes) : inline(item).trim();
      return mark + text.replace(/\n(?=.)/g, "\n" + " ".repeat(mark.length));
    }).join("\n");
  }
  function rows(node) {
    return Array.from(node.querySelectorAll("tr"), (row, i) => {
      const cells = Array.from(row.cells, (cell) => inline(cell).trim());
      return "| " + cells.join(" | ") + " |" + (i ? "" : "\n|" + cells.map(() => "---|").join(""));
    }).join("\n");
  }
  function block(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent.trim();
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches("h2, button, .fg-code-keys")) return "";
    if (node.matches(".highlight")) return fence(node);
    if (node.matches("ul, ol")) return list(node);
    if (node.matches("table") || node.querySelector(":scope > table, :scope > div > table")) return rows(node);
    return node.matches("p") || !node.querySelector("p, pre, ul, ol") ? inline(node).trim() : blocks(node.childNodes);
  }
  function blocks(nodes) {
    return Array.from(nodes, block).filter(Boolean).join("\n\n");
  }
  function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea"); // pages opened over plain HTTP
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    return Promise.resolve();
  }

  window.fieldguide = window.fieldguide || {};
  window.fieldguide.asMarkdown = blocks;
  document.querySelectorAll(".fg-copy").forEach((button) => {
    const words = button.textContent;
    button.addEventListener("click", () => {
      const address = document.querySelector(".fg-permalink").href;
      copy(blocks(button.closest("section").childNodes) + "\n\n" + address + "\n").then(() => {
        button.textContent = button.dataset.done;
        setTimeout(() => { button.textContent = words; }, 2000);
      });
    });
  });
})();
