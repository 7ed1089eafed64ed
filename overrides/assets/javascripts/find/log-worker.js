/*
 * Reads a log off the main thread and never keeps more than a few MB of it. Nothing leaves the browser: what is fetched
 * are the guide's own signatures and fixes. Started as log-worker.js?lang=en; the page ends it to cancel.
 *
 *   in:  {type: "start", source: File or Blob} or {type: "start", text: "…"}
 *   out: {type: "progress", read, size}, {type: "done", result}, {type: "error", kind}
 */
"use strict";

var address = self.workerAddress || self.location.href;   // workerAddress: in the copy that opens from a folder
var language = new URL(address).searchParams.get("lang") === "zh" ? "zh" : "en";
var TICK = 100;   // milliseconds between two messages of progress
var CLOSEST = 3, CLOSE_TEXT = 20000;   // entries shown where none is known, and the longest text that is asked with whole
var scan = null;

function near(path) { return new URL(path, address).href; }

/* Our scripts; from a folder, importScripts answers later, so it is always waited for. */
function engine() {
  return Promise.resolve(importScripts(near("find.js"), near("scan.js"))).then(function () { scan = self.FieldGuideScan; });
}
function load(name) {
  if (self.workerAddress) {
    return importScripts(near("../../../search/" + name + ".js")).then(function () { return self.fieldguideData[name]; });
  }
  return fetch(near("../../../search/" + name + ".json")).then(function (response) {
    if (!response.ok) throw new Error(name + ": HTTP " + response.status);
    return response.json();
  });
}

/* Bytes of a stream, `read` told for each piece. */
function counted(stream, read) {
  var reader = stream.getReader();
  return { next: function () {
    return reader.read().then(function (piece) {
      if (!piece.done) read(piece.value.length);
      return piece.done ? null : piece.value;
    });
  } };
}
function plain(stream) { return counted(stream, function () { /* told by the stream below it */ }); }

/* The first bytes, at least HEAD of them if there are so many. */
async function headOf(pieces) {
  var parts = [], size = 0, piece;
  while (size < scan.HEAD && (piece = await pieces.next())) { parts.push(piece); size += piece.length; }
  var head = new Uint8Array(size), at = 0;
  parts.forEach(function (part) { head.set(part, at); at += part.length; });
  return head;
}

/* A stream made of a first piece and the rest, for the browser's own unpacker. */
function streamOf(head, pieces) {
  return new ReadableStream({
    start: function (control) { control.enqueue(head); },
    pull: async function (control) {
      var piece = await pieces.next();
      if (piece) control.enqueue(piece); else control.close();
    }
  }, { highWaterMark: 0 });
}

async function read(source, scanner) {
  var sent = 0, done = 0, damaged = false;
  function progress(size) {
    done += size;
    if (Date.now() - sent < TICK) return;
    sent = Date.now();
    self.postMessage({ type: "progress", read: done, size: source.size });
  }
  var pieces = counted(source.stream(), progress);
  var head = await headOf(pieces);
  var packed = scan.isGzip(head);
  if (packed) {
    if (typeof DecompressionStream === "undefined") throw { kind: "gzip" };
    pieces = plain(streamOf(head, pieces).pipeThrough(new DecompressionStream("gzip")));
    pieces = guarded(pieces, function () { damaged = true; });
    head = await headOf(pieces);
    if (!head.length && damaged) throw { kind: "damaged" };
  }
  var encoding = scan.encodingOf(head.subarray(0, scan.HEAD));
  var push = encoding === "utf-8" ? function (bytes) { scanner.push(bytes); } : recoder(encoding, scanner);
  for (var piece = head; piece; piece = await pieces.next()) push(piece);
  return damaged;
}

/* The log of a killed job often breaks off: what there is, counts. */
function guarded(pieces, broken) {
  return { next: function () { return pieces.next().catch(function () { broken(); return null; }); } };
}
function recoder(encoding, scanner) {
  var decoder = new TextDecoder(encoding), encoder = new TextEncoder();
  return function (bytes) { scanner.push(encoder.encode(decoder.decode(bytes, { stream: true }))); };
}

/* What the page shows of a finding. */
function shown(finding, data, fixes) {
  var documents = {};
  data.documents.forEach(function (document) { if (document.kind === "entry") documents[document.id] = document; });
  function named(id) { return { id: id, title: documents[id].title, location: documents[id].location }; }
  var document = documents[finding.entry];
  var owner = data.frameworks.filter(function (one) { return one.id === document.framework; })[0];
  return Object.assign({}, finding, named(finding.entry), {
    framework: document.framework, frameworkName: owner ? owner.name : "", also: finding.also.map(named), fix: fixes[finding.entry] || "",
    masked: scan.mask(finding.text)
  });
}

/* What to ask the index where no error is known: a short text, or of a long one what looks like an error. */
function asked(message, result) {
  return typeof message.text === "string" && message.text.length <= CLOSE_TEXT ? message.text : result.unknown.text;
}
/* Where no error is known: what the search box puts first for the same text, by its words. */
async function closest(text, data) {
  if (!text.trim()) return [];
  await Promise.resolve(importScripts(near("../../vendor/minisearch/minisearch.js")));
  var find = self.FieldGuideFind, finder = new find.Finder(data, self.MiniSearch), more = await load(language + "-more");
  await finder.addText();
  await finder.add(find.unpack(more.pages).concat(find.keyDocuments(more.keys)));
  return finder.search(text.replace(/\s*[\r\n]+\s*/g, " "), "").results.slice(0, CLOSEST).map(function (result) {
    var document = finder.documents[result.entry];
    return { id: document.id, title: document.title, location: document.location };
  });
}

async function start(message) {
  var source = typeof message.text === "string" ? new Blob([message.text]) : message.source;
  await engine();
  var loaded = await Promise.all([load(language), load("fixes-" + language)]);
  var scanner = new scan.Scanner(loaded[0], self.FieldGuideFind);
  var damaged = await read(source, scanner);
  var result = scanner.finish();
  var named = loaded[0].frameworks.filter(function (one) { return one.id === result.framework; })[0];
  result.frameworkName = named ? named.name : "";
  result.damaged = damaged;
  result.size = source.size;
  result.frameworks = loaded[0].frameworks.map(function (one) { return { id: one.id, name: one.name, group: one.group }; });
  result.findings = result.findings.map(function (finding) { return shown(finding, loaded[0], loaded[1]); });
  result.closest = result.findings.length ? [] : await closest(asked(message, result), loaded[0]).catch(function () { return []; });
  self.postMessage({ type: "done", result: result });
}

self.onmessage = function (event) {
  if (event.data.type !== "start") return;
  start(event.data).catch(function (error) {
    self.postMessage({ type: "error", kind: error && error.kind || "unread", detail: String(error && error.message || "") });
  });
};
