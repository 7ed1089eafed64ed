/* What the log page shows of a log: an overview, then each finding with its fix. Text of the log is set as text, never as HTML. */
(function () {
  "use strict";
  var guide = window.fieldguide, dom = guide.dom, element = dom.element;

  function link(place, text, name) {
    return element("a", { href: dom.address(place.location), textContent: text, className: name || "" });
  }
  function badge(finding) {
    var made = element("span", { className: "fg-badge", textContent: finding.frameworkName });
    made.dataset.fw = finding.framework;
    return made;
  }
  /* {group, name} of the framework that a finding is about: its own, else that of the log; null when neither is known. */
  function ownOf(finding, result) {
    function named(id) { return result.frameworks.filter(function (one) { return one.id === id; })[0]; }
    return named(finding.framework) || named(result.framework) || null;
  }

  function Results(words, language) {
    this.words = words;
    this.language = language;
  }
  Results.prototype.where = function (finding) {
    return dom.fill(this.words.where, { line: finding.line.toLocaleString(this.language), count: finding.count.toLocaleString(this.language) });
  };

  /* ---- Overview ------------------------------------------------------------------------------------------------------ */

  /* The cause, then what came after it, each with a link to its finding. */
  Results.prototype.overview = function (result) {
    var found = result.findings;
    if (found.length < 2) return [];
    return this.group(this.words.cause, found.slice(0, 1), 0).concat(this.group(this.words.echoes, found.slice(1), 1));
  };
  Results.prototype.group = function (title, findings, first) {
    var self = this, list = element("ol", { start: first + 1 }, findings.map(function (finding, at) {
      var jump = element("a", { href: "#fg-found-" + (first + at + 1), textContent: finding.title });
      jump.addEventListener("click", function (event) {
        event.preventDefault();
        var target = document.getElementById(jump.hash.slice(1));
        target.open = true;
        target.scrollIntoView({ block: "start" });
        target.querySelector("summary").focus({ preventScroll: true });
      });
      return element("li", {}, [jump, " ", element("small", { textContent: self.where(finding) })]);
    }));
    return [element("p", { className: "fg-log__group", textContent: title }), list];
  };

  /* ---- Findings ------------------------------------------------------------------------------------------------------ */

  Results.prototype.finding = function (finding, rank, result) {
    var words = this.words;
    var printed = guide.fix.withCopy(element("div", {}, [
      element("pre", { className: "fg-printed" }, [element("code", { textContent: finding.text })])
    ]), words);
    var todo = element("div", { className: "fg-todo" }, [
      element("p", { className: "fg-todo__label", textContent: words.fix }),
      guide.fix.show(finding.fix, result.frameworks, ownOf(finding, result), words)
    ]);
    var foot = element("p", { className: "fg-log__foot" }, [link(finding, words.open, "fg-log__open")]);
    var made = element("details", { className: "fg-log__finding", id: "fg-found-" + (rank + 1), open: rank === 0 }, [
      this.summary(finding, rank), printed, todo
    ]);
    if (finding.also.length) made.append(this.also(finding.also));
    made.append(foot);
    made.dataset.entry = finding.id;
    return made;
  };
  Results.prototype.summary = function (finding, rank) {
    var meta = element("span", { className: "fg-log__meta" });
    if (rank === 0) meta.append(element("strong", { className: "fg-log__first", textContent: this.words.first }), " ");
    meta.append(element("span", { className: "fg-log__where", textContent: this.where(finding) }));
    if (finding.frameworkName) meta.append(" ", badge(finding));
    meta.append(" ", element("span", { className: "fg-log__id", textContent: finding.id }));
    return element("summary", {}, [
      element("span", { className: "fg-log__no", textContent: String(rank + 1) }),
      element("span", { className: "fg-log__head" }, [element("span", { className: "fg-log__title", textContent: finding.title }), meta])
    ]);
  };
  Results.prototype.also = function (entries) {
    var line = element("p", { className: "fg-log__also", textContent: this.words.also + " " }), separator = this.words.separator;
    entries.forEach(function (entry, at) { line.append(at ? separator : "", link(entry, entry.title)); });
    return line;
  };
  Results.prototype.findings = function (result) {
    var self = this;
    return result.findings.map(function (finding, rank) { return self.finding(finding, rank, result); });
  };
  /* Entries that come close, where none is known. */
  Results.prototype.closest = function (result) {
    if (!result.closest.length) return [];
    return [element("p", { textContent: this.words.closest }), element("ol", {}, result.closest.map(function (entry) {
      return element("li", {}, [link(entry, entry.title)]);
    }))];
  };

  /* ---- Markdown for a ticket: what people, machines, places and secrets name is masked ---------------------------------- */

  /* Where a reader of the ticket finds an entry; a copy that is open from a folder names the site that it was made for. */
  function published(place) {
    var own = document.querySelector("link[rel~=canonical]");
    return location.protocol === "file:" && own ? new URL(place.location, own.href.replace(/(?:zh\/)?diagnose\/.*$/, "")).href : dom.address(place.location);
  }
  function fenced(text) {
    var fence = "```";
    while (text.indexOf(fence) >= 0) fence += "`";
    return fence + "text\n" + text + "\n" + fence;
  }
  Results.prototype.ticket = function (result) {
    var self = this, words = this.words;
    var parts = ["**" + this.head(result) + "**"];
    result.findings.forEach(function (finding, rank) {
      parts.push("### " + (rank + 1) + ". " + finding.title,
        "`" + finding.id + "` · " + self.where(finding) + " · " + published(finding),
        fenced(finding.masked), "**" + words.fix + "**", guide.fix.markdown(finding.fix, result.frameworks, ownOf(finding, result)));
    });
    if (result.unknown.lines) parts.push("### " + words.unrecognised, fenced(result.unknown.text));
    return parts.join("\n\n") + "\n";
  };
  Results.prototype.head = function (result) {
    return dom.fill(result.findings.length ? this.words.found : this.words.nothing, {
      lines: result.lines.toLocaleString(this.language), found: result.findings.length, framework: result.frameworkName || this.words.unnamed
    });
  };

  guide.Results = Results;
})();
