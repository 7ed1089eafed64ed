/*
 * From a configuration file or a launch script to the texts of the fields. The meaning is defined in
 * fieldguide/runtime/calculate/settings.py.
 */
(function (global) {
  "use strict";
  var YAML_LINE = /^[^\S\n]*(?:- )?[A-Za-z_][\w.-]*:(?:\s|$)/gm;
  var SCRIPT_LINE = /^\s*(?:#!|--[A-Za-z][\w-]|export\s+\w|set -|source\s|(?:python3?|ray|bash|torchrun)\s|[A-Za-z_]\w*=\()/m;
  var OVERRIDE = /^\+{0,2}([A-Za-z_]\w*(?:\.\w+)+|[a-z]\w*)=([^]*)$/;
  var ASSIGNED = /^(?:export\s+)?([A-Za-z_]\w*)=([^]*)$/;
  var FLAG = /^--([A-Za-z][\w-]*)(?:=([^]*))?$/;
  var VARIABLE = /\$\{(\w+)(?::?-([^}]*))?\}|\$(\w+)/g;
  var REFERENCE = /\$\{([\w.]+)\}/g;
  var ARRAY = /^\$\{\w+\[[@*]\]\}$/;
  var SEPARATORS = ["&&", "||", "|", ";", "&"];
  // References are followed this far, and nesting and the number of settings end here: a few lines of YAML can hold millions.
  var DEPTH = 10, NESTED = 40, MOST = 20000, LONGEST = 10000;

  /* The text cannot be taken: `problem` names the words that say why. */
  function PasteError(problem, fills) {
    this.problem = problem;
    this.fills = fills || {};
  }
  function has(object, name) { return Object.prototype.hasOwnProperty.call(object, name); }

  /* Dotted name → value as text, references followed. */
  function readPaste(text) {
    if (!text.trim()) throw new PasteError("calc_paste_empty");
    var isScript = SCRIPT_LINE.test(text);
    var yamlLines = (text.match(YAML_LINE) || []).length;
    if (isScript && yamlLines >= 2) throw new PasteError("calc_paste_mixed");
    var settings = isScript || !yamlLines ? script(text) : yaml(text);
    if (!Object.keys(settings).length) throw new PasteError("calc_paste_nothing");
    var followed = {};
    Object.keys(settings).forEach(function (name) { followed[name] = follow(settings[name], settings); });
    return followed;
  }

  /* Every scalar as it is written: no schema, so that Python and JavaScript read the same. */
  function yaml(text) {
    var data;
    try {
      data = global.jsyaml.load(text, { schema: global.jsyaml.FAILSAFE_SCHEMA, json: true });
    } catch (error) {
      throw new PasteError("calc_paste_yaml", { line: (error.mark ? error.mark.line : 0) + 1 });
    }
    if (!isMapping(data)) throw new PasteError("calc_paste_nothing");
    var settings = {};
    flatten(settings, "", data, 0);
    return settings;
  }
  function isMapping(value) { return value !== null && typeof value === "object" && !Array.isArray(value); }
  function flatten(settings, prefix, value, depth) {
    if (depth > NESTED) return;
    if (isMapping(value)) {
      [].concat(has(value, "<<") ? value["<<"] : []).filter(isMapping).forEach(function (part) {
        flatten(settings, prefix, part, depth + 1);
      });
      Object.keys(value).forEach(function (key) {
        if (key !== "<<") flatten(settings, prefix ? prefix + "." + key : key, value[key], depth + 1);
      });
      return;
    }
    if (Object.keys(settings).length >= MOST) throw new PasteError("calc_paste_large", { most: MOST });
    settings[prefix] = Array.isArray(value)
      ? "[" + value.map(function (item) { return typeof item === "string" ? item : "…"; }).join(", ") + "]"
      : String(value);
  }

  function script(text) {
    var variables = {}, settings = {};
    commands(text).forEach(function (words) {
      words = words.map(function (word) { return expand(word, variables); });
      for (;;) {
        var assigned = words.length ? ASSIGNED.exec(words[0]) : null;
        if (!assigned) break;
        variables[assigned[1]] = assigned[2];
        // `rollout_batch_size=64` alone on a line is an override.
        if (words.length === 1 && /^[a-z]/.test(assigned[1])) settings[assigned[1]] = assigned[2];
        words = words.slice(1);
      }
      flags(words, settings);
    });
    return settings;
  }
  /* Words of each line; a line that ends in a backslash or inside quotes goes on in the next. */
  function commands(text) {
    var found = [], pending = "";
    text.replace(/\\\r?\n/g, " ").split(/\r\n|\r|\n/).forEach(function (line) {
      pending = pending ? pending + "\n" + line : line;
      var words = global.fieldguide.words.split(pending.replace(/=\(/g, "= ( "));
      if (words === null) return;
      pending = "";
      var last = words.length ? words[words.length - 1] : "";
      // The end of an array.
      if (last.split(")").length > last.split("(").length) words[words.length - 1] = last.replace(/\)$/, "");
      words = words.filter(function (word) { return word !== "export" && word !== "(" && word !== ")"; });
      if (words.length) found.push(words);
    });
    return found;
  }
  function expand(word, variables) {
    return word.replace(VARIABLE, function (all, braced, fallback, plain) {
      var name = braced || plain;
      return has(variables, name) ? variables[name] : fallback !== undefined ? fallback : all;
    });
  }
  function flags(words, settings) {
    words.forEach(function (word, index) {
      var following = index + 1 < words.length ? words[index + 1] : "--";
      var flag = FLAG.exec(word), override = OVERRIDE.exec(word);
      if (flag) {
        var bare = following.indexOf("--") === 0 || ARRAY.test(following) || SEPARATORS.indexOf(following) >= 0;
        settings[flag[1].replace(/-/g, "_")] = flag[2] !== undefined ? flag[2] : bare ? "true" : following;
      } else if (override) {
        settings[override[1]] = override[2];
      }
    });
  }
  /* ${a.b} replaced by what the text says about a.b; what it does not say stays. */
  function follow(value, settings) {
    for (var i = 0; i < DEPTH; i++) {
      var replaced = value.replace(REFERENCE, function (all, name) { return has(settings, name) ? settings[name] : all; });
      if (replaced === value || replaced.length > LONGEST) break;
      value = replaced;
    }
    return value;
  }

  /* The calculator that knows most of the names; null when none knows any. */
  function guessFramework(definitions, settings) {
    var best = null, most = 0;
    Object.keys(definitions).forEach(function (framework) {
      var known = 0;
      definitions[framework].inputs.forEach(function (one) {
        known += one.paths.filter(function (path) { return has(settings, path); }).length;
      });
      if (known > most) { most = known; best = framework; }
    });
    return best;
  }

  /* Texts for the fields of one calculator, slips of the pen, and how many settings have no bearing. */
  function toFields(definition, settings) {
    var fields = {}, used = new Set(), names = Object.keys(settings);
    definition.inputs.forEach(function (one) {
      one.paths.forEach(function (path) {
        if (has(settings, path)) { fields[one.name] = settings[path]; used.add(path); }
      });
      one.choices.forEach(function (choice) {
        if (choice.found && names.some(function (name) { return name === choice.found || name.indexOf(choice.found + ".") === 0; })) {
          fields[one.name] = choice.value;
        }
      });
    });
    Object.assign(fields, placement(definition, settings));
    var paths = [].concat.apply([], definition.inputs.map(function (one) { return one.paths; }));
    paths = Array.from(new Set(paths)).filter(function (path) { return !used.has(path); }).sort();
    var slips = {}, others = 0;
    names.forEach(function (name) {
      if (used.has(name)) return;
      var close = closest(name, paths);
      if (close) slips[name] = close; else others++;
    });
    return { fields: fields, slips: slips, others: others };
  }
  /* Whether training and generation share GPUs: ROLL says it by GPU numbers, ChatLearn by a list of models. */
  function placement(definition, settings) {
    if (!definition.inputs.some(function (one) { return one.name === "placement"; })) return {};
    if (has(settings, "runtime_args.colocation")) {
      return { placement: settings["runtime_args.colocation"].indexOf("policy_trainer") >= 0 ? "colocate" : "separate" };
    }
    var roles = ["actor_train", "actor_infer"].map(function (role) {
      return global.fieldguide.fields.readDevices(settings[role + ".device_mapping"] || "") || [];
    });
    if (!roles[0].length || !roles[1].length) return {};
    var shared = roles[0].some(function (device) { return roles[1].indexOf(device) >= 0; });
    return { placement: shared ? "colocate" : "separate" };
  }
  /* The path whose last part is one or two slips of the pen away. */
  function closest(name, paths) {
    var written = name.split(".").pop(), best = null, least = Infinity;
    paths.forEach(function (path) {
      var wanted = path.split(".").pop();
      var most = Math.min(2, Math.floor(wanted.length / 5));
      if (Math.abs(wanted.length - written.length) > most || wanted === written) return;
      var apart = distance(written, wanted);
      if (apart <= most && apart < least) { least = apart; best = path; }
    });
    return best;
  }
  function distance(a, b) {
    var row = Array.from({ length: b.length + 1 }, function (_, i) { return i; });
    for (var i = 1; i <= a.length; i++) {
      var before = row[0];
      row[0] = i;
      for (var j = 1; j <= b.length; j++) {
        var kept = row[j];
        row[j] = Math.min(row[j] + 1, row[j - 1] + 1, before + (a[i - 1] === b[j - 1] ? 0 : 1));
        before = kept;
      }
    }
    return row[b.length];
  }

  global.fieldguide.paste = {
    PasteError: PasteError, readPaste: readPaste, guessFramework: guessFramework, toFields: toFields
  };
})(typeof self === "undefined" ? globalThis : self);
