/* Issue form of a new error: its log field, filled in as far as an address may be long. The whole report is there to copy. */
(function () {
  "use strict";
  window.fieldguide = window.fieldguide || {};
  window.fieldguide.prefill = function (link, log) {
    if (!link) return;
    var address = new URL(link.href);
    var length = Math.min(log.length, 4000);
    do {
      address.searchParams.set("log", log.slice(0, length));
      length = Math.floor(length / 2);
    } while (address.href.length > 6000);
    link.href = address;
  };
})();
