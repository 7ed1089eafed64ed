/* Log page: takes a pasted text or a file, lets find/log-worker.js read it and shows the known errors with their fixes. */
(function () {
  "use strict";
  var box = document.querySelector("[data-fg=log]");
  if (!box) return;
  var guide = window.fieldguide, dom = guide.dom;
  var STORE = "fieldguide.log";
  var words = JSON.parse(box.dataset.words);
  var language = document.documentElement.lang === "zh" ? "zh" : "en";
  var input = part("input"), file = part("file"), run = part("run"), cancel = part("cancel");
  var progress = part("progress"), status = part("status"), results = part("results"), report = part("report");
  var shown = new guide.Results(words, language);
  // A text this long is not put into the text area, which would stall the page: its beginning stands there instead.
  var LONG = 100000, SHOWN = 3000;
  var pasted = null;
  var result = null;
  var worker = null;
  var unpack = {
    zstd: "zstd -d train.log.zst", xz: "xz -dk train.log.xz", bzip2: "bzip2 -dk train.log.bz2", zip: "unzip logs.zip", gzip: "gzip -dk train.log.gz"
  };

  function part(name) { return box.querySelector("[data-part=" + name + "]"); }
  function put(name, children) {
    part(name).replaceChildren.apply(part(name), children);
    part(name).hidden = !children.length;
  }
  function size(bytes) {
    var units = ["B", "kB", "MB", "GB"], unit = 0;
    while (bytes >= 1000 && unit < 3) { bytes /= 1000; unit++; }
    return (unit && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)) + " " + units[unit];
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
  function empty() {
    result = null;
    ["overview", "results", "closest"].forEach(function (name) { put(name, []); });
    part("tools").hidden = part("unknown").hidden = true;
  }
  function start(message, name) {
    stop();
    empty();
    progress.removeAttribute("value");
    progress.hidden = cancel.hidden = false;
    box.setAttribute("aria-busy", "true");
    say(dom.fill(words.start, { name: name }));
    worker = new Worker(dom.address("assets/javascripts/find/log-worker.js?lang=" + language));
    worker.onmessage = function (event) { receive(event.data); };
    worker.onerror = function (event) { event.preventDefault(); fail("unread"); };
    worker.postMessage(Object.assign({ type: "start" }, message));
  }
  function receive(message) {
    if (message.type === "progress") progress.value = message.size ? message.read / message.size : 0;
    if (message.type === "error") fail(message.kind);
    if (message.type === "done") {
      stop();
      show(message.result);
      remember();
      if (status.getBoundingClientRect().top > innerHeight * 0.55) status.scrollIntoView({ block: "start" });
    }
  }
  function fail(kind) {
    stop();
    var text = unpack[kind] ? words[kind === "gzip" ? "gzip" : "archive"] : kind === "binary" ? words.binary : words.unread;
    say(dom.fill(text, { kind: kind, command: unpack[kind] }), "error");
    remember();
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

  /* ---- Results ------------------------------------------------------------------------------------------------------- */

  function show(found) {
    result = found;
    if (result.size === 0) { say(words.empty, "error"); return; }
    say(shown.head(result) + (result.damaged ? " " + words.damaged : ""));
    put("overview", shown.overview(result));
    put("results", shown.findings(result));
    put("closest", shown.closest(result));
    part("tools").hidden = false;
    part("ticket").hidden = !result.findings.length;
    part("unknown").hidden = !result.unknown.lines;
    part("unknown-text").textContent = dom.fill(words.unknown, { count: result.unknown.lines });
    report.value = words.report.replace(/\\n/g, "\n") + result.unknown.text + "\n```\n";
  }
  function clear() {
    stop();
    empty();
    input.value = "";
    pasted = null;
    say("");
    dom.keep(STORE, null);
    input.focus();
  }

  /* ---- The way back: what was pasted and found is kept in this tab ------------------------------------------------------ */

  function remember() {
    var text = pasted === null && input.value.length <= LONG ? input.value : "";
    dom.keep(STORE, text || result ? { language: language, text: text, result: result } : null);
  }
  function recall() {
    var kept = dom.kept(STORE);
    input.value = kept ? kept.text : "";
    if (!kept || !kept.result) return;
    if (kept.language === language) show(kept.result); else if (kept.text) runText();
  }

  /* ---- Input --------------------------------------------------------------------------------------------------------- */

  part("form").addEventListener("submit", function (event) { event.preventDefault(); runText(); });
  cancel.addEventListener("click", function () { stop(); say(words.cancelled); run.focus(); });
  part("clear").addEventListener("click", clear);
  file.addEventListener("change", function () { runFile(file.files[0]); file.value = ""; });
  input.addEventListener("input", function () { pasted = null; remember(); });
  input.addEventListener("paste", function (event) {
    var data = event.clipboardData;
    if (data && data.files.length) { event.preventDefault(); runFile(data.files[0]); return; }
    var text = data ? data.getData("text/plain") : "";
    if (text.length > LONG) {
      event.preventDefault();
      pasted = text;
      input.value = text.slice(0, SHOWN) + "\n… " + dom.fill(words.more, { size: size(text.length) });
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
  dom.copyButton(part("ticket"), function () { return shown.ticket(result); });
  dom.copyButton(part("copy"), function () { return report.value; });

  recall();
})();
