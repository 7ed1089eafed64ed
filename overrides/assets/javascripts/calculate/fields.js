/*
 * From what stands in a field to the value of an input, or to a word why not. The meaning is defined in
 * fieldguide/runtime/calculate/fields.py.
 */
(function (global) {
  "use strict";
  var WHOLE = /^[+-]?[0-9]{1,30}$/;
  var POINT_ZERO = /^[+-]?[0-9]+\.0*$/;
  var POWER = /^[+-]?[0-9.]+(?:[eE]\+?[0-9]+|\s*(?:\^|\*\*)\s*[0-9]+)$|^[0-9]{1,3}(?:[,_][0-9]{3})+$/;
  var NOTHING = /^(?:none|null|~)?$/i;
  var TRUE = /^(?:true|yes|on|1)$/i;
  var FALSE = /^(?:false|no|off|0|none|null)?$/i;
  var LISTED = /^(?:list\(\s*range\([^]*|range\([^]*|\[[^]*)$/;
  var RANGE = /^(?:list\(\s*)?range\(\s*([0-9]{1,6})\s*(?:,\s*([0-9]{1,6})\s*)?(?:,\s*([1-9][0-9]{0,5})\s*)?\)\s*\)?$/;
  var ITEMS = /^\[\s*([0-9]{1,6}(?:\s*,\s*[0-9]{1,6})*)?\s*,?\s*\]$/;

  function reading(value, note, fills) {
    return { value: value === undefined ? null : value, problem: null, note: note || null, fills: fills || {}, devices: null };
  }
  function problem(name, fills) {
    return { value: null, problem: name, note: null, fills: fills || {}, devices: null };
  }

  function readField(definition, one, text, version) {
    text = text.trim();
    if (text.indexOf("${") >= 0 || /^\$[A-Za-z_]/.test(text)) return problem("calc_bad_reference", { text: text });
    if (one.kind === "flag") return flag(text);
    if (one.kind === "choice") return choice(definition, one, text, version);
    if (NOTHING.test(text)) return blank(one);
    var bare = unquoted(text);
    if (LISTED.test(bare)) return listed(one, bare);
    return number(one, text);
  }
  function unquoted(text) { return text.replace(/^["']+|["']+$/g, ""); }
  function blank(one) {
    if (one.optional) return reading(null);
    if (one.required) return problem("calc_bad_required");
    return reading(one["default"], "calc_note_default", { "default": String(one["default"]) });
  }
  function number(one, text) {
    if (POWER.test(text)) return problem("calc_bad_digits", { text: text });
    if (POINT_ZERO.test(text)) text = text.split(".")[0];
    if (/^[+-]?[0-9]*\.[0-9]+$/.test(text)) return problem("calc_bad_fraction", { text: text });
    if (!WHOLE.test(text)) return problem("calc_bad_number", { text: text });
    var value = Number(text);
    if (value < one.least) return problem("calc_bad_small", { least: one.least, text: text });
    if (value > global.fieldguide.engine.LARGEST_INPUT) {
      return problem("calc_bad_large", { most: global.fieldguide.engine.LARGEST_INPUT, text: text });
    }
    return reading(value + 0);
  }
  function listed(one, text) {
    var devices = readDevices(text);
    if (devices === null) return problem("calc_bad_list", { text: text });
    if (one.kind !== "devices") return problem("calc_bad_count", { count: devices.length, text: text });
    if (!devices.length) return problem("calc_bad_small", { least: one.least, text: text });
    var made = reading(devices.length, "calc_note_devices", { count: devices.length });
    made.devices = devices;
    return made;
  }
  function readDevices(text) {
    var devices = [];
    var parts = text.split("+");
    for (var i = 0; i < parts.length; i++) {
      var part = parts[i].trim();
      var span = RANGE.exec(part), items = ITEMS.exec(part);
      if (span) {
        var first = span[2] === undefined ? 0 : Number(span[1]), end = Number(span[2] === undefined ? span[1] : span[2]);
        for (var at = first; at < end; at += Number(span[3] || 1)) devices.push(at);
      } else if (items) {
        (items[1] || "").split(",").forEach(function (item) { if (item.trim()) devices.push(Number(item)); });
      } else {
        return null;
      }
    }
    return devices;
  }
  function flag(text) {
    if (TRUE.test(text)) return reading(true);
    if (FALSE.test(text)) return reading(false);
    return problem("calc_bad_flag", { text: text });
  }
  function choice(definition, one, text, version) {
    if (!text) return blank(one);
    var found = one.choices.filter(function (item) { return item.value === unquoted(text); })[0];
    if (!found) {
      var known = one.choices.map(function (item) { return item.value; }).join(", ");
      return problem("calc_bad_choice", { text: text, choices: known });
    }
    if (version < found.since) return problem("calc_bad_since", { text: found.value, version: definition.versions[found.since] });
    if (version > found.until) return problem("calc_bad_until", { text: found.value, version: definition.versions[found.until] });
    return reading(found.value);
  }

  global.fieldguide.fields = { readField: readField, readDevices: readDevices };
})(typeof self === "undefined" ? globalThis : self);
