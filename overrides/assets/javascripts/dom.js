/* What the pages with a tool share: elements, words with gaps, addresses of the site, copying, and a memory of this tab. */
(function () {
  "use strict";
  var config = JSON.parse(document.getElementById("__config").textContent);
  var base = new URL(config.base.replace(/\/?$/, "/"), location.href).href;
  var LARGEST = 1500000;   // characters of what is kept; browsers give a site about five million

  function element(name, values, children) {
    var made = Object.assign(document.createElement(name), values);
    (children || []).forEach(function (child) { made.append(child); });
    return made;
  }
  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, function (all, name) { return name in values ? String(values[name]) : all; });
  }
  /* A place below the root of the site. Opened from a folder, a link names the file. */
  function address(place) {
    return base + (location.protocol === "file:" ? place.replace(/\/(?=[?#]|$)/, "/index.html") : place);
  }

  /* Resolves when a script is there that a page view does without. */
  var scripts = {};
  function load(place) {
    return scripts[place] = scripts[place] || new Promise(function (resolve, reject) {
      document.head.append(element("script", { src: address(place), onload: resolve, onerror: reject }));
    });
  }

  function copy(text) {
    return (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject()).catch(function () { copySelected(text); });
  }
  /* Where the clipboard is closed to scripts, a selection still is not. */
  function copySelected(text) {
    var field = element("textarea", { value: text, className: "fg-offscreen" }), before = document.activeElement;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    if (before) before.focus({ preventScroll: true });
  }
  /* Copies what `text` gives, and says so on the button for a while. */
  function copyButton(button, text) {
    var idle = button.textContent;
    button.addEventListener("click", function () {
      copy(text()).then(function () {
        button.textContent = button.dataset.done;
        setTimeout(function () { button.textContent = idle; }, 2000);
      });
    });
    return button;
  }

  /* Kept until the tab is closed, for a reload and the way back; nothing of it is in an address. */
  function keep(name, value) {
    try {
      var text = value === null ? "" : JSON.stringify(value);
      if (text && text.length <= LARGEST) sessionStorage.setItem(name, text); else sessionStorage.removeItem(name);
    } catch (error) { /* full, or a browser that keeps nothing */ }
  }
  function kept(name) {
    try { return JSON.parse(sessionStorage.getItem(name)); } catch (error) { return null; }
  }

  window.fieldguide = window.fieldguide || {};
  window.fieldguide.dom = { element: element, fill: fill, address: address, load: load, copy: copy, copyButton: copyButton, keep: keep, kept: kept };
})();
