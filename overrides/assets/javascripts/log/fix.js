/* The fix of an entry as the log page shows it: links, numbered steps, copy buttons, and only what the log's framework needs. */
(function () {
  "use strict";
  var dom = window.fieldguide.dom, element = dom.element;

  /* HTML of the guide itself, made at build time; its links are relative to the root of the site. */
  function parsed(html) {
    var made = element("div", { className: "fg-log__fix", innerHTML: html });
    made.querySelectorAll("a[href]").forEach(function (one) {
      var href = one.getAttribute("href");
      if (!/^[a-z][a-z0-9+.-]*:/i.test(href)) one.setAttribute("href", dom.address(href));
    });
    return made;
  }

  /* ---- Other frameworks ---------------------------------------------------------------------------------------------- */

  /* The framework that a cell begins with: `verl, Megatron` and `verl v0.8.0` belong to verl. */
  function frameworkOf(cell, frameworks) {
    var text = cell ? cell.textContent.trim() : "";
    var found = frameworks.filter(function (one) { return text.indexOf(one.name) === 0 && !/^[\w-]/.test(text.slice(one.name.length)); });
    return found.length ? found[0] : null;
  }
  /* Cells of a row or column that begins with the name of another framework; none, when ours is not among them. */
  function foreign(lines, frameworks, group) {
    var owners = lines.map(function (line) { return frameworkOf(line[0], frameworks); });
    var named = owners.filter(Boolean);
    if (named.length < 2 || !named.some(function (one) { return one.group === group; })) return [];
    return lines.filter(function (_, at) { return owners[at] && owners[at].group !== group; });
  }
  function foreignIn(table, frameworks, group) {
    var rows = Array.prototype.slice.call(table.rows), width = rows.length ? rows[0].cells.length : 0, columns = [];
    for (var at = 0; at < width; at++) columns.push(rows.map(function (row) { return row.cells[at]; }).filter(Boolean));
    var cells = [].concat.apply([], foreign(columns, frameworks, group));
    return cells.concat(foreign(rows.slice(1).map(function (row) { return [row.cells[0], row]; }), frameworks, group).map(function (line) { return line[1]; }));
  }
  /* Everything in `root` that is for other frameworks than that of `group`. */
  function others(root, frameworks, group) {
    var groups = {};
    frameworks.forEach(function (one) { groups[one.id] = one.group; });
    var found = Array.prototype.filter.call(root.querySelectorAll("[data-fw]"), function (one) {
      return !one.matches("code, .fg-badge") && one.dataset.fw in groups && groups[one.dataset.fw] !== group;
    });
    root.querySelectorAll("table").forEach(function (table) { found = found.concat(foreignIn(table, frameworks, group)); });
    return found;
  }

  /* ---- As it is shown ------------------------------------------------------------------------------------------------ */

  function withCopy(block, words) {
    var button = element("button", { type: "button", className: "fg-log__copy", textContent: words.copy });
    button.dataset.done = words.copied;
    block.classList.add("fg-log__code");
    var code = block.querySelector("code");
    code.tabIndex = 0;   // what is wider than the page scrolls by key, too
    block.append(dom.copyButton(button, function () { return code.textContent.replace(/\n$/, ""); }));
    return block;
  }
  function inBox(table) {
    var box = element("div", { className: "md-typeset__table" });
    table.tabIndex = 0;
    table.replaceWith(box);
    box.append(table);
  }
  /* A button that shows what is for other frameworks, and hides it again. */
  function toggle(hidden, name, words) {
    var button = element("button", { type: "button", className: "fg-log__all", textContent: words.all });
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", function () {
      var shown = button.getAttribute("aria-pressed") !== "true";
      hidden.forEach(function (one) { one.hidden = !shown; });
      button.setAttribute("aria-pressed", String(shown));
      button.textContent = shown ? dom.fill(words.only, { framework: name }) : words.all;
    });
    return button;
  }

  /* `own`: {group, name} of the framework of the log, or null. */
  function show(html, frameworks, own, words) {
    var made = parsed(html), hidden = own ? others(made, frameworks, own.group) : [];
    hidden.forEach(function (one) { one.hidden = true; });
    made.querySelectorAll("table").forEach(inBox);
    made.querySelectorAll("pre").forEach(function (pre) { withCopy(pre.closest(".highlight") || pre, words); });
    if (hidden.length) made.append(toggle(hidden, own.name, words));
    return made;
  }
  /* The same as Markdown, without what is for other frameworks. */
  function markdown(html, frameworks, own) {
    var made = parsed(html);
    if (own) others(made, frameworks, own.group).forEach(function (one) { one.remove(); });
    return window.fieldguide.asMarkdown(made.childNodes);
  }

  window.fieldguide.fix = { show: show, markdown: markdown, withCopy: withCopy };
})();
