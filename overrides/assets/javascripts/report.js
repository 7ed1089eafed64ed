/* About page: an error that the search did not know, handed over as ?error=…, becomes a report to copy. */
(function () {
  "use strict";
  var box = document.querySelector("[data-fg=report]");
  var error = new URLSearchParams(location.search).get("error");
  if (!box || !error) return;
  var text = box.querySelector("textarea");
  var button = box.querySelector("button");
  text.value = box.dataset.prefix.replace(/\\n/g, "\n") + error + "\n```\n";
  // The form's log field, filled in as far as an address may be long; the whole report is there to copy.
  var form = box.querySelector("[data-part=form]");
  if (form) {
    var address = new URL(form.href);
    var length = Math.min(error.length, 4000);
    do {
      address.searchParams.set("log", error.slice(0, length));
      length = Math.floor(length / 2);
    } while (address.href.length > 6000);
    form.href = address;
  }
  text.scrollIntoView({ block: "center" });
  button.addEventListener("click", function () {
    text.select();
    (navigator.clipboard ? navigator.clipboard.writeText(text.value) : Promise.reject()).catch(function () {
      document.execCommand("copy");
    }).then(function () { button.textContent = button.dataset.done; });
  });
})();
