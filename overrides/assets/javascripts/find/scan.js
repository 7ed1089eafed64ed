/*
 * Reads a log chunk by chunk and lists the known errors in it, the first of the run first. No DOM: it runs in the log
 * worker and in tests. It is fieldguide/runtime/scan.py in JavaScript; tests/cases/logs.yml holds both to the same findings.
 *
 * Memory does not grow with the log: measured in Chromium, 110 MB more than before for 100 MB and for 1 GB alike, most of
 * it the browser's own for a worker and a file. Ours: one buffer of CHUNK plus twice REACH (4 MB), at times as a text,
 * the automaton (2 MB), and records with fixed limits: MAX_GROUPS sets of signatures, one text per signature, KEPT error
 * lines at both ends, MAX_KNOWN numbers of recognised lines. What waits at the end of a chunk are its own hits alone.
 */
(function (global) {
  "use strict";

  var CHUNK = 4 * 1024 * 1024;
  // A hit is looked at with this many lines and at most this many bytes on both sides, wherever the chunks were cut.
  var LINES_AROUND = 4, REACH = 8192;
  // So often is a window cleaned for one signature; after that, only the line of a hit is looked at, as it stands.
  var MAX_LOOKS = 1000, MAX_TRIES = 200, MAX_GROUPS = 4096, MAX_TEXT = 500, MAX_WORDS = 4;
  var HINT_BLOCK = 1024 * 1024, HINTS_ENOUGH = 1000, HEAD = 65536;
  // Of the lines that look like errors and are not known.
  var KEPT = 20, MAX_KNOWN = 100000, MAX_LINE = 400, TRACEBACK = 6000, TRACEBACK_LINES = 60;
  var SIGNS = ["Error", "Exception", "Timeout", "timed out", "FATAL", "Fatal", "Killed", "SIGKILL", "SIGTERM", "core dumped", "Segmentation fault", "[ERROR]", "ERROR"];
  var TRACE = "Traceback (most recent call last)";

  var GAPS = ["\n", "\r", "\t", "\x1b", "  ", " \n", " \r", " \t", " \x1b"];
  var SPACE = /[ \t\n\r\f\v\u2028\u2029]+/g;
  var NEWLINE = 10;
  var encoder = new TextEncoder();
  var decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  var single = new TextDecoder("latin1");   // a character per byte: the cheapest text to look for a word in
  var MANY = 500;                           // hits of one key in a buffer, after which the buffer is asked for its words

  /* ---- What to look for ---------------------------------------------------------------------------------------------- */

  function longest(texts) {
    return texts.reduce(function (best, text) { return text.length > best.length ? text : best; }, "");
  }

  /* As `distinctive` in scan.py, from the wording that readers see, with … for each placeholder: {key, words}. */
  function distinctive(wording) {
    var sentences = wording.split("…").map(function (run) { return run.split(/\s+/).filter(Boolean); });
    var words = Array.from(new Set([].concat.apply([], sentences)));
    var pairs = [];
    sentences.forEach(function (sentence) {
      for (var i = 0; i + 1 < sentence.length; i++) if (sentence[i].length > 2) pairs.push(sentence[i] + " " + sentence[i + 1]);
    });
    var key = longest(pairs.concat(words));
    var inKey = key.split(" ");
    var others = words.filter(function (word) { return inKey.indexOf(word) < 0; })
      .sort(function (a, b) { return b.length - a.length; });
    return { key: key, words: others.slice(0, MAX_WORDS) };
  }
  function spellings(key) {
    var gap = key.indexOf(" ");
    return gap < 0 ? [key] : [key].concat(GAPS.map(function (other) { return key.slice(0, gap) + other; }));
  }

  /* Aho–Corasick over bytes, as one table: `table[state + classes[byte]]` is the next state, already times the width. */
  function Automaton(keys) {
    var classes = new Uint8Array(256), width = 1;
    var texts = keys.map(function (key) { return encoder.encode(key); });
    texts.forEach(function (text) { text.forEach(function (byte) { if (!classes[byte]) classes[byte] = width++; }); });
    var next = [new Int32Array(width).fill(-1)], ends = [[]];
    texts.forEach(function (text, key) {
      var state = 0;
      text.forEach(function (byte) {
        var at = next[state][classes[byte]];
        if (at < 0) { at = next.length; next[state][classes[byte]] = at; next.push(new Int32Array(width).fill(-1)); ends.push([]); }
        state = at;
      });
      ends[state].push(key);
    });
    var order = complete(next, ends, width);
    // States at which a key ends come last, so that the loop over the text needs one comparison.
    order.sort(function (a, b) { return (ends[a].length > 0) - (ends[b].length > 0) || a - b; });
    var number = new Int32Array(order.length);
    order.forEach(function (state, at) { number[state] = at; });
    this.table = new Int32Array(order.length * width);
    this.keysAt = {};
    this.accepting = Infinity;
    for (var at = 0; at < order.length; at++) {
      for (var c = 0; c < width; c++) this.table[at * width + c] = number[next[order[at]][c]] * width;
      if (!ends[order[at]].length) continue;
      this.keysAt[at * width] = Int32Array.from(ends[order[at]]);
      this.accepting = Math.min(this.accepting, at * width);
    }
    this.root = number[0] * width;
    this.classes = classes;
    this.sizes = texts.map(function (text) { return text.length; });
    this.longest = Math.max.apply(null, this.sizes);
  }
  /* Fill in where each state goes on a byte that no key has there, breadth first; returns all states. */
  function complete(next, ends, width) {
    var fail = new Int32Array(next.length), order = [0];
    for (var c = 0; c < width; c++) {
      if (next[0][c] < 0) next[0][c] = 0; else order.push(next[0][c]);
    }
    for (var i = 1; i < order.length; i++) {
      var state = order[i], back = next[fail[state]];
      ends[state] = ends[state].concat(ends[fail[state]]);
      for (var d = 0; d < width; d++) {
        var child = next[state][d];
        if (child < 0) { next[state][d] = back[d]; continue; }
        fail[child] = back[d];
        order.push(child);
      }
    }
    return order;
  }

  /* ---- Scanner ------------------------------------------------------------------------------------------------------- */

  /* `data` is search/<language>.json, `find` is FieldGuideFind. One scanner reads one log: push(bytes)…, finish(). */
  function Scanner(data, find) {
    this.data = find.unfold(data);
    this.rules = find.compileRules(data.cleaning);
    this.clean = function (text) { return find.applyRules(text, this.rules); };
    this.hinted = find.isHinted;
    this.signatures = [];
    this.uses = [];   // key → {signatures, hint, sign}
    this.prepare();
    this.buffer = new Uint8Array(CHUNK + 2 * REACH);
    this.length = 0;          // bytes in the buffer
    this.fresh = 0;           // where the part begins that was not looked at
    this.position = 0;        // of `fresh` in the log
    this.line = 0;            // line ends before `fresh`
    this.open = [];
    this.groups = new Map();
    this.hints = new Map();
    this.hintTotal = 0;
    this.hintBlock = -1;
    this.counting = true;
    this.known = new Set();
    this.report = { lines: 0, line: -1, first: new Map(), last: new Map(), traceback: null };
  }

  Scanner.prototype.prepare = function () {
    var keys = new Map(), uses = this.uses, data = this.data, signatures = this.signatures;
    function use(key) {
      if (!keys.has(key)) { keys.set(key, uses.length); uses.push({ signatures: [], live: [], hits: 0, hints: [], sign: false, trace: false }); }
      return uses[keys.get(key)];
    }
    var rank = {};   // signatures stand in the order of their entry's wordings
    data.signatures.forEach(function (row, index) {
      var entry = data.documents[row[0]];
      rank[entry.id] = (rank[entry.id] === undefined ? -1 : rank[entry.id]) + 1;
      var look = distinctive(entry.wordings[rank[entry.id]]);
      var one = {
        index: index, entry: entry.id, framework: entry.framework, source: row[1], regex: null, weight: row[2],
        generic: (row[4] & 1) > 0, output: (row[4] & 2) > 0, words: look.words, looks: 0, text: null
      };
      signatures.push(one);
      spellings(look.key).forEach(function (spelling) { use(spelling).signatures.push(one); });
    });
    data.frameworks.forEach(function (framework) {
      framework.hints.forEach(function (hint) { use(hint).hints.push(framework.id + "\n" + hint); });
    });
    SIGNS.forEach(function (sign) { use(sign).sign = true; });
    use(TRACE).trace = true;
    this.automaton = new Automaton(Array.from(keys.keys()));
  };

  Scanner.prototype.push = function (bytes) {
    for (var at = 0; at < bytes.length;) {
      var room = Math.min(this.buffer.length - this.length, bytes.length - at);
      this.buffer.set(bytes.subarray(at, at + room), this.length);
      this.length += room;
      at += room;
      if (this.length === this.buffer.length) this.work(false);
    }
  };

  /* Look at what has come. What stands less than REACH before the end waits for what follows. */
  Scanner.prototype.work = function (last) {
    var safe = last ? this.length : Math.max(this.fresh, this.length - REACH);
    this.walk(this.fresh, safe);
    this.close(last ? Infinity : this.line - LINES_AROUND);
    this.position += safe - this.fresh;
    var cut = Math.max(0, safe - REACH);
    this.ends = this.length ? this.buffer[this.length - 1] === NEWLINE : true;
    this.buffer.copyWithin(0, cut, this.length);
    this.length -= cut;
    this.fresh = safe - cut;
  };

  Scanner.prototype.walk = function (fresh, safe) {
    var automaton = this.automaton, table = automaton.table, classes = automaton.classes, accepting = automaton.accepting;
    var bytes = this.buffer, end = Math.min(this.length, safe + automaton.longest), state = automaton.root;
    var at = fresh, seenOn = -1, seen = new Set(), stands = this.stands();
    this.uses.forEach(function (use) { use.hits = 0; use.live = use.signatures; });
    for (var i = fresh; i < end; i++) {
      state = table[state + classes[bytes[i]]];
      if (state < accepting) continue;
      var keys = automaton.keysAt[state];
      for (var k = 0; k < keys.length; k++) {
        var use = this.uses[keys[k]], start = i + 1 - automaton.sizes[keys[k]];
        if (start < fresh || start >= safe) continue;
        if (use.hints.length && this.counting) this.hint(use.hints, this.position + start - fresh);
        if (++use.hits === MANY) use.live = use.signatures.filter(stands);
        if (!use.live.length && !use.sign && !use.trace) continue;
        this.line += countLines(bytes, at, start) - countLines(bytes, start, at);
        at = start;
        if (this.line !== seenOn) { seenOn = this.line; seen.clear(); }
        if (use.live.length) this.verify(use.live, start, this.line + 1, seen);
        if (use.sign) this.sign(start, this.line + 1);
        if (use.trace) this.trace(start, this.line + 1);
      }
    }
    this.line += countLines(bytes, at, safe);
  };

  /* Whether all words of a signature stand anywhere in the buffer; made for the first that asks. */
  Scanner.prototype.stands = function () {
    var self = this, text = null;
    return function (one) {
      text = text || single.decode(self.buffer.subarray(0, self.length));
      return has(text, one.words.map(function (word) { return single.decode(encoder.encode(word)); }));
    };
  };

  function countLines(bytes, from, to) {
    var lines = 0;
    for (var i = from; i < to; i++) if (bytes[i] === NEWLINE) lines++;
    return lines;
  }

  /* Names of frameworks are counted in blocks of the log until enough were seen. */
  Scanner.prototype.hint = function (names, position) {
    var block = Math.floor(position / HINT_BLOCK);
    if (block > this.hintBlock) {
      this.hintBlock = block;
      if (this.hintTotal >= HINTS_ENOUGH) { this.counting = false; return; }
    }
    for (var i = 0; i < names.length; i++) {
      this.hints.set(names[i], (this.hints.get(names[i]) || 0) + 1);
      this.hintTotal++;
    }
  };

  /* Bounds of the line of a hit with `around` more on both sides, at most REACH bytes each way. */
  Scanner.prototype.bounds = function (start, around) {
    var bytes = this.buffer, floor = Math.max(0, start - REACH), low = start, left = around + 1;
    while (low > floor && (bytes[low - 1] !== NEWLINE || --left > 0)) low--;
    var ceiling = Math.min(this.length, start + REACH), high = start;
    left = around + 1;
    while (high < ceiling && (bytes[high] !== NEWLINE || --left > 0)) high++;
    return { low: low, high: high };
  };
  Scanner.prototype.text = function (from, to) { return decoder.decode(this.buffer.subarray(from, to)); };

  /* The text of bounds and the place of the hit in it. */
  Scanner.prototype.placed = function (bounds, start) {
    var text = this.text(bounds.low, bounds.high);
    var ascii = text.length === bounds.high - bounds.low;
    return { text: text, place: ascii ? start - bounds.low : this.text(bounds.low, start).length };
  };

  Scanner.prototype.verify = function (candidates, start, line, seen) {
    var own = null, window = null, cleaned = null;
    for (var i = 0; i < candidates.length; i++) {
      var one = candidates[i];
      if (seen.has(one.index)) continue;
      own = own || this.placed(this.bounds(start, 0), start);
      var match = has(own.text, one.words) ? covering(one, own) : null;
      if (!match && one.looks < MAX_LOOKS) {
        window = window || this.around(start);
        if (!has(window.text, one.words)) continue;
        one.looks++;
        cleaned = cleaned || this.cleaned(window, start);
        match = covering(one, cleaned);
      }
      if (!match) continue;
      if (one.text === null) one.text = (match[0] + match[1]).replace(SPACE, " ").slice(0, MAX_TEXT);
      seen.add(one.index);
      this.found(line - lineEnds(match[0]), line + lineEnds(match[1]), one.index);
    }
  };
  function has(text, words) {
    for (var i = 0; i < words.length; i++) if (text.indexOf(words[i]) < 0) return false;
    return true;
  }
  function lineEnds(text) { return text.split("\n").length - 1; }

  Scanner.prototype.around = function (start) {
    var bounds = this.bounds(start, LINES_AROUND);
    bounds.text = this.text(bounds.low, bounds.high);
    return bounds;
  };
  /* Both sides of a hit cleaned; no rule takes out a line end. */
  Scanner.prototype.cleaned = function (window, start) {
    var before = this.clean(this.text(window.low, start));
    return { text: before + this.clean(this.text(start, window.high)), place: before.length };
  };

  /* What the signature matches at the hit, on both sides: a match elsewhere in the window has a hit of its own. */
  function covering(one, where) {
    var regex = one.regex = one.regex || new RegExp(one.source, "gs");
    regex.lastIndex = 0;
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var match = regex.exec(where.text);
      if (!match || match.index > where.place) return null;
      var end = match.index + match[0].length;
      if (end > where.place) return [where.text.slice(match.index, where.place), where.text.slice(where.place, end)];
      regex.lastIndex = match.index + 1;
    }
    return null;
  }

  Scanner.prototype.found = function (first, last, index) {
    this.open.push({ first: first, last: last, index: index });
    for (var line = first; line <= last && this.known.size < MAX_KNOWN; line++) this.known.add(line);
  };

  /* Count the places that end before line `before`, where no later match can reach. */
  Scanner.prototype.close = function (before) {
    var spans = this.open.sort(function (a, b) { return a.first - b.first || a.last - b.last || a.index - b.index; });
    this.open = [];
    for (var at = 0, end; at < spans.length; at = end) {
      var last = spans[at].last;
      for (end = at + 1; end < spans.length && spans[end].first <= last; end++) last = Math.max(last, spans[end].last);
      var place = spans.slice(at, end);
      if (last >= before) this.open = this.open.concat(place);
      else this.note(place[0].first, place.map(function (span) { return span.index; }));
    }
  };

  Scanner.prototype.note = function (line, indexes) {
    var signatures = this.signatures;
    var set = Array.from(new Set(indexes)).sort(function (a, b) { return a - b; });
    if (!this.groups.has(set.join()) && this.groups.size >= MAX_GROUPS) {
      set = [set.reduce(function (best, index) { return signatures[index].weight > signatures[best].weight ? index : best; })];
    }
    var group = this.groups.get(set.join());
    if (!group) this.groups.set(set.join(), group = { line: line, count: 0, indexes: set });
    group.line = Math.min(group.line, line);
    group.count++;
  };

  /* ---- Results ------------------------------------------------------------------------------------------------------- */

  Scanner.prototype.finish = function () {
    this.work(true);
    var frameworks = this.frameworks();
    return {
      framework: frameworks[0] || null,
      lines: this.ends ? this.line : this.line + 1,
      findings: this.findings(frameworks),
      unknown: this.unknown()
    };
  };

  /* Frameworks that the log names: those with most different names first; of several, the one named most often. */
  Scanner.prototype.frameworks = function () {
    var totals = new Map();
    this.hints.forEach(function (count, name) {
      var id = name.split("\n")[0], total = totals.get(id) || { id: id, names: 0, times: 0 };
      total.names++;
      total.times += count;
      totals.set(id, total);
    });
    return Array.from(totals.values()).sort(function (a, b) {
      return b.names - a.names || b.times - a.times || (a.id < b.id ? -1 : 1);
    }).map(function (total) { return total.id; });
  };

  Scanner.prototype.findings = function (frameworks) {
    var signatures = this.signatures, bonus = this.data.bonus;
    var groups = Array.from(this.groups.values()), specific = new Set(), all = new Set();
    groups.forEach(function (group) { group.indexes.forEach(function (index) { all.add(index); }); });
    all.forEach(function (index) { if (!signatures[index].generic) specific.add(signatures[index].entry); });
    // A text that many programs print counts only for a framework of the log, or beside another of its entry.
    var named = new Set(frameworks), hinted = this.hinted;
    function meant(index) {
      var one = signatures[index];
      return !one.generic || hinted(one, one.framework, named) || specific.has(one.entry);
    }
    // Normal output counts only in a log without a known error.
    var errors = Array.from(all).some(function (index) { return meant(index) && !signatures[index].output; });
    function countsHere(index) { return meant(index) && (!signatures[index].output || !errors); }
    function score(index) { return signatures[index].weight + (signatures[index].framework === frameworks[0] ? bonus : 0); }
    var found = new Map();
    groups.forEach(function (group) {
      var valid = group.indexes.filter(countsHere);
      if (!valid.length) return;
      var best = valid.reduce(function (a, b) {
        var order = score(b) - score(a);
        return order > 0 || (order === 0 && signatures[b].entry < signatures[a].entry) ? b : a;
      });
      var id = signatures[best].entry;
      var held = found.get(id);
      if (!held) found.set(id, held = { entry: id, line: group.line, best: best, count: 0, also: new Set() });
      if (group.line < held.line || (group.line === held.line && best < held.best)) { held.line = group.line; held.best = best; }
      held.count += group.count;
      valid.forEach(function (index) { held.also.add(signatures[index].entry); });
    });
    return Array.from(found.values())
      .sort(function (a, b) { return a.line - b.line || (a.entry < b.entry ? -1 : 1); })
      .map(function (held) {
        return {
          entry: held.entry, line: held.line, count: held.count, text: signatures[held.best].text,
          also: Array.from(held.also).filter(function (id) { return !found.has(id); }).sort()
        };
      });
  };

  /* ---- What looks like an error and is not known ---------------------------------------------------------------------- */

  /* Lines that differ in numbers only are kept once; the first KEPT of them and the last KEPT. */
  Scanner.prototype.sign = function (start, line) {
    var report = this.report;
    if (line === report.line) return;
    report.line = line;
    report.lines++;
    var bounds = this.bounds(start, 0);
    var text = this.text(Math.max(bounds.low, start - MAX_LINE / 2), Math.min(bounds.high, start + MAX_LINE / 2)).replace(/[\r\n]+/g, " ").trim();
    var shape = text.replace(/[0-9a-f]*[0-9][0-9a-f]*/g, "0");
    if (report.first.has(shape)) return;
    if (report.first.size < KEPT) { report.first.set(shape, { line: line, text: text }); return; }
    report.last.delete(shape);
    report.last.set(shape, { line: line, text: text });
    if (report.last.size > KEPT) report.last.delete(report.last.keys().next().value);
  };
  Scanner.prototype.trace = function (start, line) {
    var low = this.bounds(start, 0).low;
    this.report.traceback = { line: line, bytes: this.buffer.slice(low, Math.min(this.length, start + TRACEBACK)) };
  };

  /* {lines, text}: the last traceback and the error lines without those that are known, masked; empty when there are none. */
  Scanner.prototype.unknown = function () {
    var self = this, rows = [];
    [this.report.first, this.report.last].forEach(function (kept) {
      kept.forEach(function (row) { if (!self.known.has(row.line)) rows.push(row); });
    });
    var traceback = this.traceback();
    rows = rows.filter(function (row) { return !traceback || row.line < traceback.line || row.line > traceback.last; });
    var parts = rows.length ? [rows.map(function (row) { return row.line + ": " + self.clean(row.text); }).join("\n")] : [];
    if (traceback) parts.push(traceback.line + ":\n" + traceback.text);
    return { lines: rows.length + (traceback ? 1 : 0), text: mask(parts.join("\n\n")) };
  };

  /* The last traceback up to its error; null when one of its lines is a known error. */
  Scanner.prototype.traceback = function () {
    var held = this.report.traceback;
    if (!held) return null;
    var self = this;
    var lines = decoder.decode(held.bytes).split("\n").map(function (line) { return self.clean(line).replace(/\r/g, "").slice(0, MAX_LINE); });
    var size = 1;
    while (size < lines.length && size < TRACEBACK_LINES && (/^\s/.test(lines[size]) || !lines[size])) size++;
    if (size < lines.length && size < TRACEBACK_LINES) size++;
    for (var line = held.line; line < held.line + size; line++) if (this.known.has(line)) return null;
    return { line: held.line, last: held.line + size - 1, text: lines.slice(0, size).join("\n") };
  };

  /* ---- Masking ------------------------------------------------------------------------------------------------------- */

  var PUBLIC = "github\\.com|huggingface\\.co|pytorch\\.org|docs\\.ray\\.io|docs\\.python\\.org|pypi\\.org|docs\\.nvidia\\.com|hf-mirror\\.com|modelscope\\.cn";
  var SECRET = "[A-Za-z0-9_-]*(?:token|key|secret|passw(?:or)?d|pwd|passphrase|credentials?|auth(?:orization)?|cookie)(?:_?id)?";
  var VALUE = "(?:\"[^\"\\n]*\"|'[^'\\n]*'|(?:Bearer |Basic )?[^\\s\"',;)}\\]]+)";
  // Known code below a private folder stays readable: the part from the package on.
  var PACKAGES = "site-packages|dist-packages|slime|roll|chatlearn|megatron|vllm|sglang|ray|torch|transformers|verl|accelerate|deepspeed";
  var MASKS = [
    [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, "<secret>"],
    [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s\/@'"]+@/gi, "$1<user>@"],
    [/\b(?:hf|gh[pousr]|glpat|xox[abeprs]|pypi|npm|dckr_pat|github_pat|wandb_v1)[_-][A-Za-z0-9_-]{8,}/g, "<token>"],
    [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}/g, "<token>"],
    [/\b(?:AKIA|ASIA|LTAI|AIza)[A-Za-z0-9_-]{12,}/g, "<token>"],
    [/\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g, "<token>"],
    [/\b(?:Bearer|Basic) [A-Za-z0-9._~+\/=-]{8,}/g, "<token>"],
    [/\b[0-9a-f]{40}\b|\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b/gi, "<key>"],
    [new RegExp("(^|[^A-Za-z0-9_])(" + SECRET + ")([\"']?\\s*[=:]\\s*)" + VALUE, "gim"), "$1$2$3<secret>"],
    [new RegExp("(--" + SECRET + "\\s+)(?!-)" + VALUE, "gi"), "$1<secret>"],
    [/\b(user(?:name)?|login|hostname|host|node_?name|master_addr|node_ip_address|owner)(["']?\s*[=:]\s*)("[^"\n]*"|'[^'\n]*'|[^\s"',;)}\]]+)/gi, "$1$2<name>"],
    [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, "<e-mail>"],
    [/\b[\w.-]+@[\w-]+(?=[:\s])/g, "<user>"],
    [new RegExp("\\b([a-z][a-z0-9+.-]*:\\/\\/)(?!(?:www\\.)?(?:" + PUBLIC + ")\\b)(?!<)[^\\s'\"<>)\\]}]+", "gi"), "$1<address>"],
    [/(\b[a-z][a-z0-9+.-]*:\/\/<user>@)[^\s'"<>)\]}]+/gi, "$1<address>"],
    [/\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?::[0-9]{1,5})?\b/g, "<ip>"],
    [/(?<![\w:])(?:(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6})(?![\w:])/gi, "<ip>"],
    [/\bip-[0-9]+-[0-9]+-[0-9]+-[0-9]+(?:\.[\w.-]+)?/g, "<host>"],
    [/\b(?:[a-z0-9]+-)+(?:node|gpu|host|master|worker|head|server|dgx)-?[0-9]+(?:-[a-z0-9]+)*\b|\b(?:node|gpu|host|master|worker|head|server|dgx)(?:-[a-z0-9]+)*-[0-9]+\b/gi, "<host>"],
    [new RegExp("\\b(?!(?:www\\.)?(?:" + PUBLIC + ")\\b)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+(?:com|cn|net|org|edu|gov|cloud|internal|local|lan|corp|intra|svc|dev|ai)\\b(?![\\w(.])(?::[0-9]{1,5})?", "gi"), "<host>"],
    [new RegExp("(^|[^\\w.<>\\/:-])~?(?:\\/[^\\s\\/'\":;,()\\[\\]{}<>|*]+)*\\/((?:" + PACKAGES + ")\\/[^\\s'\":;,()\\[\\]{}<>|*]+)", "gm"), "$1<path>/$2"],
    [/(^|[^\w.<>\/:-])(?:~|\.{1,2})?(?:\/[^\s\/'":;,()\[\]{}<>|*]+){2,}\/?/gm, "$1<path>"],
    [/(^|[^\w.<>\/:-])~\/[^\s'":;,()\[\]{}<>|*]+/gm, "$1<path>"],
    [/\b[A-Za-z]:\\[^\s'":;,()\[\]{}<>|*]+/g, "<path>"]
  ];

  /* A text without what names people, machines, places and secrets. Too much is masked rather than too little. */
  function mask(text) {
    return MASKS.reduce(function (masked, rule) { return masked.replace(rule[0], rule[1]); }, text);
  }

  /* ---- Encodings ----------------------------------------------------------------------------------------------------- */

  function startsWith(head, magic) { return magic.every(function (byte, i) { return head[i] === byte; }); }
  function isGzip(head) { return startsWith(head, [0x1f, 0x8b]); }

  var ARCHIVES = { zstd: [0x28, 0xb5, 0x2f, 0xfd], xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], bzip2: [0x42, 0x5a, 0x68], zip: [0x50, 0x4b, 3, 4] };

  /* "utf-8", "utf-16le" or "utf-16be" by the first HEAD bytes; throws {kind} for an archive or a binary file. */
  function encodingOf(head) {
    Object.keys(ARCHIVES).forEach(function (name) { if (startsWith(head, ARCHIVES[name])) throw { kind: name }; });
    if (startsWith(head, [0xff, 0xfe])) return "utf-16le";
    if (startsWith(head, [0xfe, 0xff])) return "utf-16be";
    var pairs = Math.floor(Math.min(head.length, 2000) / 2), even = 0, odd = 0, control = 0, zeros = 0;
    for (var i = 0; i < head.length; i++) {
      var byte = head[i];
      if (byte === 0) { zeros++; if (i < 2000) { if (i % 2) odd++; else even++; } }
      if (byte < 8 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) control++;
    }
    if (pairs >= 10 && odd > pairs * 0.4 && even < pairs * 0.02) return "utf-16le";
    if (pairs >= 10 && even > pairs * 0.4 && odd < pairs * 0.02) return "utf-16be";
    if (zeros * 100 > head.length || control * 20 > head.length || isGzip(head)) throw { kind: "binary" };
    return "utf-8";
  }

  global.FieldGuideScan = { Scanner: Scanner, mask: mask, encodingOf: encodingOf, isGzip: isGzip, HEAD: HEAD };
})(typeof self !== "undefined" ? self : globalThis);
