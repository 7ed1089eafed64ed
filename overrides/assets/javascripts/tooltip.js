/*
 * What a key is, in a box at its link: on hover, on keyboard focus, and on touch, where the first tap shows the box and
 * the second, or the link in it, goes there. Escape or a tap elsewhere closes it. Without JavaScript the title remains.
 */
(function () {
  "use strict";
  var links = document.querySelectorAll("a.fg-key[title]");
  var box = document.getElementById("fg-tip");
  if (!links.length || !box) return;
  var text = box.querySelector("span"), go = box.querySelector("a");
  document.body.append(box); // placed on the page, not in the column of the text
  var shown = null, timer = 0, touched = false;

  function show(link, touch) {
    clearTimeout(timer);
    if (shown && shown !== link) hide();
    shown = link;
    text.textContent = link.dataset.tip;
    go.hidden = !touch;
    go.href = link.href;
    link.setAttribute("aria-describedby", box.id);
    box.hidden = false;
    // Below the first line of the link, inside the window; above it where there is no room below.
    var place = link.getClientRects()[0], width = document.documentElement.clientWidth;
    var left = Math.max(8, Math.min(place.left, width - box.offsetWidth - 8));
    var below = place.bottom + 6 + box.offsetHeight <= window.innerHeight;
    box.style.left = left + window.scrollX + "px";
    box.style.top = (below ? place.bottom + 4 : place.top - box.offsetHeight - 4) + window.scrollY + "px";
  }
  function hide() {
    clearTimeout(timer);
    if (shown) shown.removeAttribute("aria-describedby");
    shown = null;
    box.hidden = true;
  }
  function later(action, delay) {
    clearTimeout(timer);
    timer = setTimeout(action, delay);
  }

  links.forEach(function (link) {
    link.dataset.tip = link.title;
    link.removeAttribute("title"); // else the browser, and the theme, show it a second time
    link.addEventListener("pointerenter", function (event) {
      if (event.pointerType === "mouse") later(function () { show(link, false); }, 200);
    });
    link.addEventListener("pointerleave", function (event) { if (event.pointerType === "mouse") later(hide, 200); });
    link.addEventListener("pointerdown", function (event) { touched = event.pointerType === "touch"; });
    link.addEventListener("focus", function () { if (!touched && link.matches(":focus-visible")) show(link, false); });
    link.addEventListener("blur", function () { if (!touched) later(hide, 0); });
    link.addEventListener("click", function (event) {
      if (touched && shown !== link) {
        event.preventDefault();
        show(link, true);
      }
      touched = false;
    });
  });
  // The pointer may move onto the box, to read or to select.
  box.addEventListener("pointerenter", function () { clearTimeout(timer); });
  box.addEventListener("pointerleave", function (event) { if (event.pointerType === "mouse") later(hide, 200); });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") hide(); });
  document.addEventListener("pointerdown", function (event) {
    if (shown && !box.contains(event.target) && !shown.contains(event.target)) hide();
  });
})();
