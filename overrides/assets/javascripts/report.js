/* About page: an error that the search did not know, kept in this tab when it was chosen, becomes a masked report to copy. */
(function () {
  "use strict";
  var guide = window.fieldguide, session = guide.session;
  var box = document.querySelector("[data-fg=report]");
  if (!box) return;
  var text = box.querySelector("textarea");
  var button = box.querySelector("button");

  function fill() {
    var error = session.get("report");
    text.value = box.dataset.prefix.replace(/\\n/g, "\n") + window.FieldGuideScan.mask(error || "") + "\n```\n";
    button.textContent = button.dataset.idle;
    if (error) text.scrollIntoView({ block: "center" });
  }
  /* Links of older versions held the error in the address. */
  function takeFromAddress() {
    var address = new URL(location.href), error = address.searchParams.get("error");
    if (error === null) return;
    session.set("report", error);
    address.searchParams.delete("error");
    history.replaceState(history.state, "", address);
  }

  takeFromAddress();
  fill();
  var edited = session.arrival() === "navigate" ? null : session.get("reportEdited");
  if (edited) text.value = edited;
  text.addEventListener("input", function () { session.set("reportEdited", text.value); });
  document.addEventListener("fieldguide:report", function () { session.drop("reportEdited"); fill(); });
  button.addEventListener("click", function () {
    guide.copy(text).then(function () { button.textContent = button.dataset.done; }, function () { /* it is selected */ });
  });
})();
