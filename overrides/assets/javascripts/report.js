/* About page: an error that the search did not know, handed over as ?error=…, becomes a report to copy. */
(function () {
  "use strict";
  var box = document.querySelector("[data-fg=report]");
  var error = new URLSearchParams(location.search).get("error");
  if (!box || !error) return;
  var text = box.querySelector("textarea");
  var button = box.querySelector("button");
  text.value = box.dataset.prefix.replace(/\\n/g, "\n") + error + "\n```\n";
  window.fieldguide.prefill(box.querySelector("[data-part=form]"), error);
  text.scrollIntoView({ block: "center" });
  button.addEventListener("click", function () {
    text.select();
    (navigator.clipboard ? navigator.clipboard.writeText(text.value) : Promise.reject()).catch(function () {
      document.execCommand("copy");
    }).then(function () { button.textContent = button.dataset.done; });
  });
})();
