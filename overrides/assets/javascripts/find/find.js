/*
 * Finds entries: exact error signatures first, then full text. Runs in the search worker, in the log worker and in tests.
 * The meaning of a signature is defined once, in fieldguide/runtime/match.py; this is the same in JavaScript, and one set of
 * test vectors holds both to it.
 */
(function (global) {
  "use strict";

  /* ---- Cleaning ---------------------------------------------------------------------------------------------------- */

  function compileRules(rules) {
    return rules.map(function (rule) { return [new RegExp(rule[0], "g"), rule[1]]; });
  }
  function applyRules(text, rules) {
    for (var i = 0; i < rules.length; i++) text = text.replace(rules[i][0], rules[i][1]);
    return text;
  }

  /* ---- Tokens ------------------------------------------------------------------------------------------------------ */

  var CJK = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff";
  var CHUNK = new RegExp("[" + CJK + "]+|[A-Za-z0-9_][A-Za-z0-9_.\\-]*", "g");
  var IDENTIFIER = /[a-z0-9]_[a-z0-9]|[a-z][A-Z]/;
  var IS_CJK = new RegExp("[" + CJK + "]");
  var STOP = new Set((
    "a an the of to in on at by for from with and or is are was be it its this that as not no do does did can could how " +
    "what when why which who i my me we you your if then than there here have has had get gets got but into one so " +
    "的 了 是 在 和 与 或 有 吗 呢 么 也 就 都 要 会 我 你 它 这 那 把 被 给 用 时 个 怎 什 为 啊 吧 着"
  ).split(" "));

  var PARTICLES = new Set("的了是在和与或吗呢么也就都这那把被给为啊吧着它我你"); // a pair with one of them tells no entry from another

  /*
   * MiniSearch keeps terms in a tree and walks the branches of a node one by one. Thousands of Chinese characters at its
   * root made indexing twenty times slower, so each is filed under three letters of its code point: 训练 → ~i3xfk3.
   */
  var FIRST = 0x3000;
  var LETTERS = [];
  function letters(code) {
    return LETTERS[code] || (LETTERS[code] = ("00" + (code - FIRST).toString(36)).slice(-3));
  }
  function filed(text, at, length) {
    var code = "~" + letters(text.charCodeAt(at));
    return length > 1 ? code + letters(text.charCodeAt(at + 1)) : code;
  }

  /* Identifiers whole and in parts: max_tokens_per_gpu → itself, max, tokens, per, gpu; camelCase likewise. */
  function identifierParts(word) {
    var parts = word.split(/[_.\-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
    return parts.length > 1 ? parts : [];
  }
  /* `whole`: only words with hyphens in parts, off-policy but not off_policy. */
  function tokenize(text, whole) {
    var tokens = [];
    var chunks = text.match(CHUNK) || [];
    for (var i = 0; i < chunks.length; i++) {
      var chunk = chunks[i];
      if (IS_CJK.test(chunk)) {
        if (chunk.length === 1 && !STOP.has(chunk)) tokens.push(filed(chunk, 0, 1));
        for (var j = 0; j + 1 < chunk.length; j++) if (!PARTICLES.has(chunk[j]) && !PARTICLES.has(chunk[j + 1])) tokens.push(filed(chunk, j, 2));
        continue;
      }
      chunk = chunk.replace(/[.\-]+$/, "");
      if (/^\d{5,}$/.test(chunk) || chunk.length > 80) continue;
      tokens.push(chunk.replace(/-/g, "_"));
      if (whole && !/^[A-Za-z]+-/.test(chunk)) continue;
      var parts = identifierParts(chunk);
      for (var k = 0; k < parts.length; k++) if (parts[k].length > 1) tokens.push(parts[k]);
    }
    return tokens;
  }
  function processTerm(term) {
    if (term[0] === "~") return term;
    term = term.toLowerCase();
    if (STOP.has(term)) return null;
    // The plural of plain English words only: identifiers and acronyms stay as they are.
    if (/^[a-z]{4,}s$/.test(term) && !/(ss|us|is)$/.test(term)) return term.slice(0, -1);
    return term;
  }

  /* The same words come again and again: what a piece of text or a word becomes is worked out once. */
  function remembered(work) {
    var known = new Map();
    return function (text) {
      var value = known.get(text);
      if (value === undefined) known.set(text, value = work(text));
      return value;
    };
  }
  /* Titles, wordings and keys are found by parts of their identifiers; running text by whole ones, a fifth fewer terms to file. */
  function fieldTokens() {
    var parts = remembered(function (piece) { return tokenize(piece, false); });
    var whole = remembered(function (piece) { return tokenize(piece, true); });
    return function (text, field) {
      var pieceTokens = field === "text" ? whole : parts;
      var tokens = [];
      var pieces = text.match(CHUNK) || [];
      for (var i = 0; i < pieces.length; i++) {
        var some = pieceTokens(pieces[i]);
        for (var j = 0; j < some.length; j++) tokens.push(some[j]);
      }
      return tokens;
    };
  }

  /* A group of words that mean the same, as they are looked for in a query and added to it. */
  function synonymGroup(words) {
    return words.map(function (word) {
      return { word: word, chinese: IS_CJK.test(word), terms: tokenize(word, true).map(processTerm).filter(Boolean) };
    });
  }
  function pairsOf(terms) {
    var pairs = [];
    for (var i = 0; i + 1 < terms.length; i++) if (terms[i][0] !== "~" && terms[i + 1][0] !== "~") pairs.push(terms[i] + " " + terms[i + 1]);
    return pairs;
  }
  /* How many of the first documents, which are the entries, contain a term; `fields`: its postings for each field. */
  function entriesWith(fields, entries) {
    var found = new Set();
    if (fields) fields.forEach(function (postings) { postings.forEach(function (_, number) { if (number < entries) found.add(number); }); });
    return found.size;
  }

  /* MiniSearch walks its tree of terms for each word of a text; with a direct way to those it has, indexing takes a third less. */
  function quickTree(tree) {
    var known = new Map(), walk = tree.fetch;
    tree.fetch = function (term, make) {
      var value = known.get(term);
      if (value === undefined) known.set(term, value = walk.call(tree, term, make));
      return value;
    };
  }

  /* ---- Finder ------------------------------------------------------------------------------------------------------ */

  var MAX_QUERY = 200000;   // characters of a pasted text that are looked at: the last ones, where the error is
  var MAX_TERMS = 120;      // terms of a long paste that full-text search uses: the rarest
  var RESULTS = 30;
  var TERMS_BESIDE_EXACT = 30; // the same when an exact match already answers
  var KIND_BOOST = { entry: 1, key: 0.08, section: 0.3 };
  var FIELD_BOOST = { title: 5, wordings: 3, keys: 3, asked: 3, text: 1 };
  var FIELDS = Object.keys(FIELD_BOOST);
  var TOLD = 3.5;           // how rare a term is among the entries (inverse document frequency) when it tells them apart well
  var SPOKEN = 20;          // terms up to which a query is a question, whose words count in pairs and stand for others
  var SYNONYM = 0.4;        // weight of a word that the query means and does not say
  var TURN = 40;            // entries that are indexed before a query that came meanwhile has its turn
  var BEST = 12;            // results that are looked at more closely
  var PAIR = 1;             // how much two neighbouring words of the query raise an entry that asks with the same two

  /*
   * `new Finder` can be asked at once: entries come first in every answer, and titles, errors, keys and other people's words
   * for the question say most about them. `addText` brings the text of their answers, `add` keys and other sections.
   */
  function Finder(data, MiniSearch) {
    this.MiniSearch = MiniSearch;
    this.data = unfold(data);
    this.cleaning = compileRules(data.cleaning);
    this.places = compileRules(data.places);
    this.signatures = data.signatures.map(function (row) {
      return { entry: row[0], regex: null, source: row[1], weight: row[2], anchor: row[3], generic: (row[4] & 1) > 0, output: (row[4] & 2) > 0 };
    }).sort(function (a, b) { return a.generic - b.generic; });
    this.synonyms = data.synonyms.map(synonymGroup);
    this.tokenize = fieldTokens();
    this.processTerm = remembered(processTerm);
    this.documents = [];
    this.named = new Map();   // spelling of a key → its own documents in the glossaries
    this.entries = data.documents.length;
    this.use(this.newIndex(FIELDS.filter(function (field) { return field !== "text"; })));
    this.index.addAll(this.take(data.documents));
    // Spelling of a key → entries that list it or have it in their title, for a query that is nothing but a key.
    var listing = this.listing = new Map();
    this.documents.forEach(function (document, number) {
      document.keys.forEach(function (key) {
        [bareKey(key), bareKey(key).split(".").pop()].forEach(function (name) { list(name, number); });
      });
      (document.title.match(CHUNK) || []).forEach(function (word) { if (IDENTIFIER.test(word)) list(bareKey(word), number); });
    });
    function list(name, number) { listing.set(name, (listing.get(name) || new Set()).add(number)); }
    var self = this;
    // Neighbouring words of what stands above and around an entry's answer: its title, its errors, how people ask.
    this.pairs = remembered(function (number) {
      var document = self.documents[number], known = new Set();
      [document.title, document.asked].concat(document.wordings).forEach(function (text) {
        pairsOf(self.tokenize(text, "title").map(processTerm).filter(Boolean)).forEach(function (pair) { known.add(pair); });
      });
      return known;
    });
  }

  Finder.prototype.newIndex = function (fields) {
    var index = new this.MiniSearch({
      fields: fields,
      storeFields: [],
      extractField: function (document, field) {
        if (field === "id") return document.number;
        var value = document.source[field];
        return Array.isArray(value) ? value.join("\n") : value;
      },
      tokenize: this.tokenize,
      processTerm: this.processTerm
    });
    quickTree(index._index);
    return index;
  };

  /* Search in `index` from now on. */
  Finder.prototype.use = function (index) {
    var entries = this.entries;
    this.index = index;
    this.count();
    // How well a term tells entries from each other: keys and other sections, of which there are many more, say nothing of that.
    this.telling = remembered(function (term) {
      var count = entriesWith(index._index.get(term), entries);
      var rare = Math.log(1 + (entries - count + 0.5) / (count + 0.5));
      return Math.max(0.1, Math.sqrt(Math.min(1, rare / TOLD)));
    });
  };

  /* How many documents have a term, for the documents that are there now. */
  Finder.prototype.count = function () {
    var terms = this.index._index;
    this.rarity = remembered(function (term) {
      var fields = terms.get(term), count = 0;
      if (fields) fields.forEach(function (postings) { count = Math.max(count, postings.size); });
      return count;
    });
  };

  /* Resolves when the text of the entries' answers is searched too. */
  Finder.prototype.addText = function () {
    var index = this.newIndex(FIELDS);
    return index.addAllAsync(numbered(this.documents, 0), { chunkSize: TURN }).then(this.use.bind(this, index));
  };

  /* Resolves when these documents are searched too; after `addText`. */
  Finder.prototype.add = function (documents) {
    return this.index.addAllAsync(this.take(documents), { chunkSize: 10 * TURN }).then(this.count.bind(this));
  };

  /* Number documents and note the keys among them. */
  Finder.prototype.take = function (documents) {
    var first = this.documents.length, named = this.named;
    this.documents = this.documents.concat(documents);
    documents.forEach(function (document, i) {
      if (document.kind === "key") document.keys.forEach(function (key) {
        named.set(bareKey(key), (named.get(bareKey(key)) || []).concat(first + i));
      });
    });
    return numbered(documents, first);
  };
  function numbered(documents, first) {
    return documents.map(function (source, i) { return { number: first + i, source: source }; });
  }

  /* ---- Signatures: the same as in fieldguide/content/signature.py and fieldguide/runtime/match.py ------------------------------------ */

  var PIECE = /\{\{|\}\}|\{([a-z]+)\}|[^{}]+/g;
  function signatureParts(text, placeholders) {
    var source = "", shown = "", words = [];
    text.replace(PIECE, function (token, placeholder) {
      if (placeholder) {
        var body = placeholders[placeholder];
        source += body.indexOf("|") >= 0 ? "(?:" + body + ")" : body;
        shown += "…";
        return;
      }
      var literal = token === "{{" || token === "}}" ? token[0] : token;
      source += literal.replace(/([\\^$.*+?()[\]{}|/])/g, "\\$1").replace(/\s+/g, "\\s+");
      shown += literal;
      words = words.concat(literal.split(/\s+/).filter(Boolean));
    });
    return { source: source, shown: shown, words: words };
  }

  /*
   * The data as it travels, with what follows from it: [entry, expression, weight, anchor, kind] for each signature, and the
   * wordings of each entry.
   */
  function unfold(data) {
    if (data.unfolded) return data;
    data.documents.forEach(function (document) { document.wordings = []; });
    data.signatures = data.signatures.map(function (row) {
      var parts = signatureParts(row[1], data.placeholders);
      data.documents[row[0]].wordings.push(parts.shown);
      var length = parts.words.join("").length;
      var anchor = parts.words.reduce(function (longest, word) { return word.length > longest.length ? word : longest; }, "");
      return [row[0], parts.source, row[2] ? Math.min(length, data.generic) : length, anchor, row[2]];
    });
    data.unfolded = true;
    return data;
  }

  /* Documents as `by_page` in fieldguide/site/search.py packs them. */
  function unpack(pages) {
    return [].concat.apply([], pages.map(function (page) {
      return page.documents.map(function (row) {
        return {
          id: row[0], kind: row[1], title: row[2] || row[3][0], keys: row[3], text: row[4], topic: page.topic, framework: page.framework,
          location: page.address + (row[0] ? "#" + row[0] : ""), wordings: [], asked: ""
          };
        });
      }));
  }

  /* Documents of the keys that have no words of their own; the data holds their names only. See key_names in index.py. */
  function keyDocuments(keys) {
    return [].concat.apply([], (keys || []).map(function (page) {
      var owner = page.owner;
      return page.names.map(function (row) {
        var parts = row.split(" ");
        var slug = parts[0].toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
        var id = parts[1] || owner + "-" + slug;
        return {
          id: id, kind: "key", location: page.location + "#" + id, framework: owner, topic: page.title,
          title: page.flags ? "--" + parts[0].replace(/_/g, "-") : parts[0],
          wordings: [], keys: parts[0].indexOf(".") < 0 ? [parts[0]] : [parts[0].split(".").pop(), parts[0]], asked: "", text: ""
        };
      });
    }));
  }

  function bareKey(text) {
    return text.trim().replace(/^-+/, "").replace(/-/g, "_").toLowerCase();
  }

  /* Whether a text names the framework of a signature: any of ours for a text of many programs that belongs to none. */
  function isHinted(signature, framework, named) {
    return signature.generic && framework === "any" ? named.size > 0 : named.has(framework);
  }

  /* A key as it is set, `--key value`, `some.key=value` or `key: value`, without the value; any other text as it is. */
  var SET = /^\s*\+{0,2}((?:--)?[A-Za-z][\w.\-]*)(\s*[=:]\s*|\s+)\S{1,80}\s*$/;
  Finder.prototype.withoutValue = function (text) {
    var found = SET.exec(text);
    if (!found || (!/[=:]/.test(found[2]) && !/^--|_/.test(found[1]))) return text;
    var name = bareKey(found[1]);
    return this.named.has(name) || this.listing.has(name) || this.listing.has(name.split(".").pop()) ? found[1] : text;
  };

  Finder.prototype.clean = function (text) { return applyRules(text, this.cleaning); };

  /* Ids of the frameworks that a text names, by hints of a log or by name. */
  Finder.prototype.frameworksIn = function (text) {
    var lower = text.toLowerCase();
    return this.data.frameworks.filter(function (framework) {
      return framework.hints.some(function (hint) { return text.indexOf(hint) >= 0; }) ||
        new RegExp("(^|[^a-z])" + framework.name.toLowerCase() + "([^a-z]|$)").test(lower);
    }).map(function (framework) { return framework.id; });
  };

  /* Best match of each entry, best first: [{entry, start, end, score}]. The counterpart of `find` in match.py. */
  Finder.prototype.exact = function (text) {
    var data = this.data;
    var cleaned = this.clean(text);
    var named = new Set(data.frameworks.filter(function (framework) {
      return framework.hints.some(function (hint) { return text.indexOf(hint) >= 0; });
    }).map(function (framework) { return framework.id; }));
    // A text with an error in it is about that error, not about a line of normal output beside it.
    var hasError = /[A-Za-z](?:Error|Exception)\b/.test(cleaned);
    var best = new Map();
    for (var i = 0; i < this.signatures.length; i++) {
      var signature = this.signatures[i];
      if (cleaned.indexOf(signature.anchor) < 0 || (signature.output && hasError)) continue;
      signature.regex = signature.regex || new RegExp(signature.source);
      var found = signature.regex.exec(cleaned);
      if (!found) continue;
      var hinted = isHinted(signature, this.documents[signature.entry].framework, named);
      // A text that many programs print counts only with a hint of the framework, or beside another signature of the entry.
      if (signature.generic && !hinted && !best.has(signature.entry)) continue;
      var bonus = hinted ? data.bonus : 0;
      var held = best.get(signature.entry);
      var score = signature.weight + bonus;
      if (!held || score > held.score) {
        best.set(signature.entry, { entry: signature.entry, start: found.index, end: found.index + found[0].length, score: score, text: found[0] });
      }
    }
    var documents = this.documents;
    return Array.from(best.values()).sort(function (a, b) {
      return b.score - a.score || b.start - a.start || (documents[a.entry].id < documents[b.entry].id ? -1 : 1);
    });
  };

  /* Terms of a query, the rarest of them when a whole log was pasted. */
  Finder.prototype.terms = function (text, most) {
    var rarity = this.rarity;
    var terms = Array.from(new Set(tokenize(applyRules(this.clean(text), this.places)).map(processTerm).filter(Boolean)));
    if (terms.length <= most) return terms;
    return terms.filter(function (term) { return rarity(term) > 0; })
      .sort(function (a, b) { return rarity(a) - rarity(b); }).slice(0, most);
  };

  /* Full text: [{entry, score, terms}], best first; `terms` are those of the index that were found, as it files them. */
  Finder.prototype.fullText = function (text, most) {
    var terms = this.terms(text, most || MAX_TERMS);
    if (!terms.length) return [];
    var named = new Set(this.frameworksIn(text));
    var documents = this.documents;
    var long = terms.length > 12;
    var last = terms[terms.length - 1];
    // An identifier that is known whole says more than its parts, which stand everywhere; the more so if it is all of the query.
    var rarity = this.rarity, telling = this.telling, parts = new Set();
    var whole = new Set(terms.filter(function (term) { return /[a-z0-9][_.][a-z0-9]/.test(term) && rarity(term) > 0; }));
    whole.forEach(function (term) { identifierParts(term).forEach(function (part) { parts.add(processTerm(part)); }); });
    var alone = whole.size === 1 && terms.length === 1 + parts.size;
    var listed = this.listing.get(bareKey(text)) || this.listing.get(bareKey(text).split(".").pop()) || new Set();
    var question = terms.length <= SPOKEN && !listed.size;
    var meant = question ? this.meant(text, terms) : new Map();
    var results = this.index.search(text, {
      tokenize: function () { return terms.concat(Array.from(meant.keys())); },
      processTerm: function (term) { return term; },
      boostTerm: function (term) {
        var weight = meant.has(term) ? meant.get(term).weight : whole.has(term) ? 2.5 : parts.has(term) ? (alone ? 0.1 : 0.5) : 1;
        return weight * telling(term);
      },
      boost: FIELD_BOOST,
      prefix: function (term) { return !long && term === last && term.length > 2; },
      fuzzy: function (term) { return !long && !meant.has(term) && term.length > 5 && /^[a-z]+$/.test(term) ? 0.15 : false; },
      boostDocument: function (number) {
        var document = documents[number];
        // Who names a framework wants its answer or everybody's; who names none is more likely asking everybody.
        var framework = document.framework === "any" ? (named.size ? 1.15 : 1.25) : !named.size ? 1 : named.has(document.framework) ? 1.6 : 0.5;
        return (KIND_BOOST[document.kind] || 1) * framework * (listed.has(number) ? 2 : 1);
      }
    });
    var found = results.map(function (result) {
      return { entry: result.id, score: result.score * said(result.queryTerms, meant) / result.queryTerms.length, terms: result.terms };
    }).sort(byScore);
    return question ? this.pairsFirst(found, pairsOf(terms)) : found;
  };
  function byScore(a, b) { return b.score - a.score; }

  /* The best results anew: entries that have two neighbouring words of the query side by side come up. */
  Finder.prototype.pairsFirst = function (results, pairs) {
    var entries = this.entries, known = this.pairs;
    if (!pairs.length) return results;
    var best = results.slice(0, BEST).map(function (result) {
      if (result.entry >= entries) return result;
      var same = pairs.filter(function (pair) { return known(result.entry).has(pair); }).length;
      return Object.assign({}, result, { score: result.score * (1 + PAIR * same / Math.max(2, pairs.length)) });
    });
    return best.sort(byScore).concat(results.slice(BEST));
  };

  /* MiniSearch multiplies a score by the number of terms found; all words for one thing are half a word of the query. */
  function said(terms, meant) {
    var groups = new Set(), own = 0;
    terms.forEach(function (term) { if (meant.has(term)) groups.add(meant.get(term).group); else own++; });
    return own + groups.size / 2;
  }

  /* Words that a query means and does not say: term → {group, weight}. */
  Finder.prototype.meant = function (text, terms) {
    var lower = text.toLowerCase(), own = new Set(terms), rarity = this.rarity, meant = new Map();
    function stands(one) {
      return one.chinese ? lower.indexOf(one.word) >= 0 : one.terms.length > 0 && one.terms.every(function (term) { return own.has(term); });
    }
    this.synonyms.forEach(function (group) {
      if (!group.some(stands)) return;
      group.forEach(function (one) {
        one.terms.forEach(function (term) {
          if (own.has(term) || meant.has(term) || !rarity(term)) return;
          meant.set(term, { group: group, weight: SYNONYM / Math.sqrt(one.terms.length) });
        });
      });
    });
    return meant;
  };

  /*
   * A query that is nothing but a key: the entry that lists it first, if there is one, then the key itself in the glossaries.
   * A key behind an entry that is called like an identifier is marked: the page shows it as a card above the list.
   */
  Finder.prototype.keySecond = function (results, asked) {
    var name = bareKey(asked), own = this.named.get(name);
    if (!own) return results;
    var isOwn = function (result) { return own.indexOf(result.entry) >= 0; };
    var others = results.filter(function (result) { return !isOwn(result); });
    var before = this.listing.has(name) ? 1 : 0;
    var card = before > 0 && /[_.-]|[a-z][A-Z]/.test(asked.trim());
    var keys = results.filter(isOwn).map(function (result) { return Object.assign({}, result, { card: card }); });
    return others.slice(0, before).concat(keys, others.slice(before));
  };

  /*
   * The whole search: {exact: n, results: [{entry, score, exact, card, terms, text}]}. `group` limits it to one framework.
   */
  Finder.prototype.search = function (query, group) {
    var text = query.length > MAX_QUERY ? query.slice(-MAX_QUERY) : query;
    var self = this;
    var allowed = function (number) {
      if (!group) return true;
      var framework = self.documents[number].framework;
      return framework === "any" || self.data.frameworks.some(function (one) { return one.id === framework && one.group === group; });
    };
    var exact = this.exact(text).filter(function (match) { return allowed(match.entry); });
    var seen = new Set(exact.map(function (match) { return match.entry; }));
    var asked = this.withoutValue(text);
    var words = this.fullText(asked, exact.length ? TERMS_BESIDE_EXACT : MAX_TERMS).filter(function (result) { return allowed(result.entry) && !seen.has(result.entry); });
    words = this.keySecond(words, asked);
    var results = exact.map(function (match) {
      return { entry: match.entry, exact: true, card: false, text: match.text, terms: [], score: match.score };
    }).concat(words.slice(0, RESULTS).map(function (result) {
      return { entry: result.entry, exact: false, card: !!result.card, text: "", terms: result.terms, score: result.score };
    }));
    return { exact: exact.length, results: results };
  };

  global.FieldGuideFind = { Finder: Finder, tokenize: tokenize, processTerm: processTerm, unpack: unpack, keyDocuments: keyDocuments, unfold: unfold, isHinted: isHinted, applyRules: applyRules, compileRules: compileRules };
})(typeof self !== "undefined" ? self : globalThis);
