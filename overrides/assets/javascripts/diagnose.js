/* Log page: takes a pasted text or a file, lets find/log-worker.js read it and shows the known errors with their fixes. */
(function () {
  "use strict";
  var box = document.querySelector("[data-fg=log]");
  if (!box) return;
  var words = JSON.parse(box.dataset.words);
  var config = JSON.parse(document.getElementById("__config").textContent);
  var base = new URL(config.base.replace(/\/?$/, "/"), location.href).href;
  var language = document.documentElement.lang === "zh" ? "zh" : "en";
  var input = part("input"), file = part("file"), run = part("run"), cancel = part("cancel");
  var progress = part("progress"), status = part("status"), results = part("results"), unknown = part("unknown");
  var report = part("report"), copy = part("copy");
  // A text this long is not put into the text area, which would stall the page: its beginning stands there instead.
  var LONG = 100000, SHOWN = 3000;
  var pasted = null;
  var worker = null;
  var unpack = {
    zstd: "zstd -d train.log.zst", xz: "xz -dk train.log.xz", bzip2: "bzip2 -dk train.log.bz2", zip: "unzip logs.zip", gzip: "gzip -dk train.log.gz"
  };

  function part(name) { return box.querySelector("[data-part=" + name + "]"); }
  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, function (all, name) { return name in values ? String(values[name]) : all; });
  }
  function size(bytes) {
    var units = ["B", "kB", "MB", "GB"], unit = 0;
    while (bytes >= 1000 && unit < 3) { bytes /= 1000; unit++; }
    return (unit && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)) + " " + units[unit];
  }
  function element(name, values, children) {
    var made = Object.assign(document.createElement(name), values);
    (children || []).forEach(function (child) { made.append(child); });
    return made;
  }

  /* ---- Running ------------------------------------------------------------------------------------------------------- */

  function say(text, kind) {
    status.textContent = text;
    status.dataset.kind = kind || "";
  }
  function stop() {
    if (worker) worker.terminate();
    worker = null;
    progress.hidden = cancel.hidden = true;
    box.removeAttribute("aria-busy");
  }
  function start(message, name) {
    stop();
    results.replaceChildren();
    unknown.hidden = true;
    progress.removeAttribute("value");
    progress.hidden = cancel.hidden = false;
    box.setAttribute("aria-busy", "true");
    say(fill(words.start, { name: name }));
    worker = new Worker(base + "assets/javascripts/find/log-worker.js?lang=" + language);
    worker.onmessage = function (event) { receive(event.data); };
    worker.onerror = function (event) { event.preventDefault(); fail("unread"); };
    worker.postMessage(Object.assign({ type: "start" }, message));
  }
  function receive(message) {
    if (message.type === "progress") progress.value = message.size ? message.read / message.size : 0;
    if (message.type === "error") fail(message.kind);
    if (message.type === "done") { stop(); show(message.result); }
  }
  function fail(kind) {
    stop();
    var text = unpack[kind] ? words[kind === "gzip" ? "gzip" : "archive"] : kind === "binary" ? words.binary : words.unread;
    say(fill(text, { kind: kind, command: unpack[kind] }), "error");
  }

  function runText() {
    var text = pasted === null ? input.value : pasted;
    if (!text.trim()) { say(words.empty, "error"); input.focus(); return; }
    start({ text: text }, words.pasted);
  }
  function runFile(chosen) {
    if (!chosen) return;
    input.value = "";
    pasted = null;
    start({ source: chosen }, chosen.name);
  }

  /* ---- Results: text of the log is set as text, never read as HTML ---------------------------------------------------- */

  function show(result) {
    var none = result.findings.length === 0;
    var text = result.size === 0 ? words.empty : fill(none ? words.nothing : words.found, {
      lines: result.lines.toLocaleString(language), found: result.findings.length, framework: result.frameworkName || words.unnamed
    });
    say(text + (result.damaged ? " " + words.damaged : ""), result.size === 0 ? "error" : "");
    result.findings.forEach(function (finding, rank) { results.append(item(finding, rank)); });
    unknown.hidden = !result.unknown.lines;
    part("unknown-text").textContent = fill(words.unknown, { count: result.unknown.lines });
    report.value = words.report.replace(/\\n/g, "\n") + result.unknown.text + "\n```\n";
    copy.textContent = copy.dataset.idle;
  }
  function item(finding, rank) {
    var where = fill(words.where, { line: finding.line.toLocaleString(language), count: finding.count.toLocaleString(language) });
    var meta = element("p", { className: "fg-meta" }, [element("span", { className: "fg-log__where", textContent: where })]);
    if (rank === 0) meta.prepend(element("strong", { className: "fg-log__first", textContent: words.first }), " ");
    if (finding.frameworkName) {
      var badge = element("span", { className: "fg-badge", textContent: finding.frameworkName });
      badge.dataset.fw = finding.framework;
      meta.append(" ", badge);
    }
    meta.append(" ", link(finding, "#" + finding.id, "fg-permalink"));
    var made = element("li", { className: "fg-log__finding" }, [
      element("h3", {}, [link(finding, finding.title)]), meta,
      element("pre", {}, [element("code", { textContent: finding.text })]), fix(finding.fix)
    ]);
    made.dataset.entry = finding.id;
    if (finding.also.length) made.append(also(finding.also));
    return made;
  }
  /* Opened from a folder, a link names the file. */
  function absolute(address) {
    return base + (location.protocol === "file:" ? address.replace(/\/(?=#|$)/, "/index.html") : address);
  }
  function link(place, text, name) {
    return element("a", { href: absolute(place.location), textContent: text, className: name || "" });
  }
  function also(entries) {
    var line = element("p", { className: "fg-log__also", textContent: words.also + " " });
    entries.forEach(function (entry, i) { line.append(i ? words.separator : "", link(entry, entry.title)); });
    return line;
  }
  /* HTML of the guide itself, made at build time; its links are relative to the root of the site. */
  function fix(html) {
    var made = element("div", { className: "fg-log__fix", innerHTML: html });
    made.querySelectorAll("a[href]").forEach(function (one) {
      var href = one.getAttribute("href");
      if (!/^[a-z][a-z0-9+.-]*:/i.test(href)) one.setAttribute("href", absolute(href));
    });
    made.querySelectorAll("table").forEach(function (table) {
      var wrapper = element("div", { className: "md-typeset__table" });
      table.replaceWith(wrapper);
      wrapper.append(table);
    });
    return made;
  }

  /* ---- Input --------------------------------------------------------------------------------------------------------- */

  part("form").addEventListener("submit", function (event) { event.preventDefault(); runText(); });
  cancel.addEventListener("click", function () { stop(); say(words.cancelled); run.focus(); });
  file.addEventListener("change", function () { runFile(file.files[0]); file.value = ""; });
  input.addEventListener("input", function () { pasted = null; });
  input.addEventListener("paste", function (event) {
    var data = event.clipboardData;
    if (data && data.files.length) { event.preventDefault(); runFile(data.files[0]); return; }
    var text = data ? data.getData("text/plain") : "";
    if (text.length > LONG) {
      event.preventDefault();
      pasted = text;
      input.value = text.slice(0, SHOWN) + "\n… " + fill(words.more, { size: size(text.length) });
    }
    setTimeout(runText, 0);
  });
  // A file dropped beside the box would otherwise replace the page.
  document.addEventListener("dragover", function (event) {
    if (Array.prototype.indexOf.call(event.dataTransfer.types, "Files") < 0) return;
    event.preventDefault();
    box.classList.add("fg-log--over");
  });
  document.addEventListener("dragleave", function (event) { if (!event.relatedTarget) box.classList.remove("fg-log--over"); });
  document.addEventListener("drop", function (event) {
    box.classList.remove("fg-log--over");
    if (event.dataTransfer.files.length) { event.preventDefault(); runFile(event.dataTransfer.files[0]); }
  });
  copy.addEventListener("click", function () {
    report.select();
    (navigator.clipboard ? navigator.clipboard.writeText(report.value) : Promise.reject()).catch(function () {
      document.execCommand("copy");
    }).then(function () { copy.textContent = copy.dataset.done; });
  });

  input.value = "";
})();
