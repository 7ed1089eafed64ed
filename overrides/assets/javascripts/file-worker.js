/*
 * Stand-in for Worker in the copy that opens from a folder, where browsers start no worker: the script runs in a hidden
 * frame of its own, with the few names that our workers and the theme use. Only that copy loads this file.
 */
(function () {
  "use strict";
  if (location.protocol !== "file:") return;

  function FileWorker(url) {
    var worker = new EventTarget();
    var frame = document.createElement("iframe");
    var waiting = [];
    var ready = false;
    frame.hidden = true;
    document.body.appendChild(frame);
    var inner = frame.contentWindow;
    inner.document.open();
    inner.document.write("<!doctype html><body></body>");
    inner.document.close();

    function load(address) {
      return new Promise(function (resolve, reject) {
        var script = inner.document.createElement("script");
        script.src = address;
        script.onload = resolve;
        script.onerror = function () { reject(new Error("cannot load " + address)); };
        inner.document.body.appendChild(script);
      });
    }
    function deliver(data) {
      if (inner.onmessage) inner.onmessage({ data: data });
    }
    inner.workerAddress = new URL(url, location.href).href;
    inner.importScripts = function () {
      return Array.prototype.reduce.call(arguments, function (before, address) {
        return before.then(function () { return load(address); });
      }, Promise.resolve());
    };
    inner.postMessage = function (data) {
      setTimeout(function () {
        var event = new MessageEvent("message", { data: data });
        worker.dispatchEvent(event);
        if (worker.onmessage) worker.onmessage(event);
      }, 0);
    };
    worker.postMessage = function (data) {
      if (ready) setTimeout(function () { deliver(data); }, 0); else waiting.push(data);
    };
    worker.terminate = function () { frame.remove(); };
    load(inner.workerAddress.split("?")[0]).then(function () {
      ready = true;
      waiting.splice(0).forEach(deliver);
    }, function (error) {
      var event = new ErrorEvent("error", { message: error.message });
      worker.dispatchEvent(event);
      if (worker.onerror) worker.onerror(event);
    });
    // The page speaks to the search worker over this, where a BroadcastChannel would be used otherwise.
    if (url.indexOf("search/worker.js") >= 0) window.fieldguide.searchWorker = worker;
    return worker;
  }
  window.fieldguide = window.fieldguide || {};
  window.Worker = FileWorker;
})();
