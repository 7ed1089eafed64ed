/* A fix of several steps can be copied whole, as Markdown with its permalink: for a ticket or a chat. */
(function () {
  "use strict";
  function inline(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent.replace(/\s+/g, " ");
    if (node.nodeName === "CODE") return "`" + node.textContent + "`";
    var inside = Array.prototype.map.call(node.childNodes, inline).join("");
    if (node.nodeName === "BR") return "\n";
    if (node.nodeName === "STRONG") return "**" + inside + "**";
    return node.nodeName === "A" && !node.querySelector("code") ? "[" + inside + "](" + node.href + ")" : inside;
  }
  function fence(node) {
    var language = /language-(\S+)/.exec(node.className);
    return "```" + (language ? language[1] : "") + "\n" + node.querySelector("code").textContent.replace(/\n$/, "") + "\n```";
  }
  function list(node) {
    return Array.prototype.map.call(node.children, function (item, i) {
      var mark = node.nodeName === "OL" ? i + 1 + ". " : "- ";
      var text = item.querySelector("p, pre, ul, ol") ? blocks(item.childNodes) : inline(item).trim();
      return mark + text.replace(/\n(?=.)/g, "\n" + " ".repeat(mark.length));
    }).join("\n");
  }
  function rows(node) {
    return Array.prototype.map.call(node.querySelectorAll("tr"), function (row, i) {
      var cells = Array.prototype.map.call(row.cells, function (cell) { return inline(cell).trim(); });
      return "| " + cells.join(" | ") + " |" + (i ? "" : "\n|" + cells.map(function () { return "---|"; }).join(""));
    }).join("\n");
  }
  function block(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent.trim();
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(".fg-code-keys")) return "";
    if (node.matches(".highlight")) return fence(node);
    if (node.matches("ul, ol")) return list(node);
    if (node.matches("table") || node.querySelector(":scope > table, :scope > div > table")) return rows(node);
    return node.matches("p") || !node.querySelector("p, pre, ul, ol") ? inline(node).trim() : blocks(node.childNodes);
  }
  function blocks(nodes) {
    return Array.prototype.map.call(nodes, block).filter(Boolean).join("\n\n");
  }
  function partsOf(start) {
    var parts = [];
    for (var node = start; node && (node === start || !node.matches("[data-part], section, .fg-foot")); node = node.nextElementSibling) parts.push(node);
    return parts;
  }
  function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    var area = document.createElement("textarea"); // pages opened over plain HTTP
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    return Promise.resolve();
  }

  window.fieldguide = window.fieldguide || {};
  window.fieldguide.asMarkdown = blocks;
  document.querySelectorAll(".fg-copy").forEach(function (button) {
    var section = button.closest("section"), words = button.textContent;
    button.addEventListener("click", function () {
      var steps = partsOf(section.querySelector(":scope > [data-part=fix]"));
      copy(blocks(steps) + "\n\n" + section.querySelector(".fg-permalink").href + "\n").then(function () {
        button.textContent = button.dataset.done;
        setTimeout(function () { button.textContent = words; }, 2000);
      });
    });
  });
})();
