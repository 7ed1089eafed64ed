/* What the log page shows of a log: an overview, then each finding with its fix. Text of the log is set as text, never as HTML. */
import { standing } from "../../scan/bugs.js";
import { address } from "../address.js";
import { allRemembered } from "../choices.js";
import { root } from "../config.js";
import { element, fill, find } from "../dom.js";
import { markdown, show, withCopy } from "./fix.js";

/** @typedef {import("../../scan/shown.js").LogResult} LogResult */
/** @typedef {import("../../scan/shown.js").Place} Place */
/** @typedef {import("../../scan/shown.js").Shown} Finding */

/**
 * @param {Place} place
 * @param {string} text
 * @param {string} [className]
 */
function link({ location: place }, text, className = "") { return element("a", { href: address(place), textContent: text, className }); }

/** @param {Finding} finding */
function badge({ framework, frameworkName }) {
  const made = element("span", { className: "fg-badge", textContent: frameworkName });
  made.dataset.fw = framework;
  return made;
}

/**
 * The framework that a finding is about: its own, else that of the log; null when neither is known.
 * @param {Finding} finding
 * @param {LogResult} result
 */
function ownOf({ framework }, { frameworks, framework: logs }) {
  return frameworks.find(({ id }) => id === framework) || frameworks.find(({ id }) => id === logs) || null;
}

/**
 * Where a reader of the ticket finds an entry; a copy that is open from a folder names the site that it was made for.
 * @param {Place} place
 */
function published({ location: place }) {
  const own = document.querySelector("link[rel~=canonical]");
  const isCopy = location.protocol === "file:" && own instanceof HTMLLinkElement;
  return isCopy ? new URL(place, new URL(root, own.href)).href : address(place);
}

/**
 * The versions that run, by package: those of the log, else the release that the reader chose on a page of known bugs.
 * @param {LogResult} result
 * @returns {Record<string, string>}
 */
export function installedOf({ versions }) { return { ...allRemembered("release."), ...versions?.installed }; }

export class Results {
  /**
   * @param {Record<string, string>} words
   * @param {string} language
   */
  constructor(words, language) {
    this.words = words;
    this.language = language;
  }

  /** @param {Finding} finding one of several files says in which it stands */
  where({ line, count, file, files = 0 }) {
    if (file === "") return "";
    const values = { line: line.toLocaleString(this.language), count: count.toLocaleString(this.language), file, files: files.toLocaleString(this.language) };
    return fill(file === undefined ? this.words.where : this.words.where_run, values);
  }

  /** @param {LogResult} result */
  head({ findings, lines, frameworkName }) {
    return fill(findings.length ? this.words.found : this.words.nothing, {
      lines: lines.toLocaleString(this.language), found: findings.length, framework: frameworkName || this.words.unnamed,
    });
  }

  /* ---- Versions ------------------------------------------------------------------------------------------------------- */

  /**
   * Versions that do not go together, each with what happens and what mends it.
   * @param {import("../../scan/shown.js").Bad[]} bad
   */
  versions(bad) {
    if (!bad.length) return [];
    const { words } = this, rows = bad.map(({ versions, harm, entry, page, repair }) => element("li", {}, [
      element("strong", { textContent: versions.map((one) => one.join(" ")).join(words.comma) }), ` ${words[`harm_${harm}`]}`,
      ...(page ? [" · ", element("a", { href: page, textContent: entry })] : []),
      ...(repair ? [element("br", {}), `${words.repair} `, element("code", { textContent: repair })] : []),
    ]));
    return [element("p", { className: "fg-log__heading", textContent: words.versions }), element("ul", {}, rows)];
  }

  /* ---- Overview ------------------------------------------------------------------------------------------------------- */

  /**
   * The cause, then what came after it, each with a link to its finding.
   * @param {LogResult} result
   */
  overview({ findings }) {
    if (findings.length < 2) return [];
    return [...this.group(this.words.cause, findings.slice(0, 1), 1), ...this.group(this.words.echoes, findings.slice(1), 2)];
  }

  /**
   * @param {string} title
   * @param {Finding[]} findings
   * @param {number} first the number of the first of them
   */
  group(title, findings, first) {
    const rows = findings.map((finding, at) =>
      element("li", {}, [this.jump(finding, first + at), " ", element("small", { textContent: this.where(finding) })]));
    return [element("p", { className: "fg-log__group", textContent: title }), element("ol", { start: first }, rows)];
  }

  /**
   * @param {Finding} finding
   * @param {number} number
   */
  jump({ title }, number) {
    const jump = element("a", { href: `#fg-found-${number}`, textContent: title });
    jump.addEventListener("click", (event) => {
      event.preventDefault();
      const target = find(document, jump.hash, HTMLDetailsElement);
      target.open = true;
      target.scrollIntoView({ block: "start" });
      find(target, "summary").focus({ preventScroll: true });
    });
    return jump;
  }

  /* ---- Findings ------------------------------------------------------------------------------------------------------- */

  /** @param {LogResult} result */
  findings(result) { return result.findings.map((finding, rank) => this.finding(finding, rank, result)); }

  /**
   * @param {Finding} finding
   * @param {number} rank
   * @param {LogResult} result
   */
  finding(finding, rank, result) {
    const { words } = this;
    const printed = withCopy(element("div", {}, [
      element("pre", { className: "fg-printed" }, [element("code", { textContent: finding.text })]),
    ]), words);
    const todo = element("div", { className: "fg-todo" }, [
      element("p", { className: "fg-todo__label", textContent: words.fix }),
      show(finding.fix, result.frameworks, ownOf(finding, result), words),
    ]);
    const isCause = rank === (result.cause ?? 0);
    const made = element("details", { className: "fg-log__finding", id: `fg-found-${rank + 1}`, open: isCause }, [
      this.summary(finding, rank, isCause), printed, ...this.release(finding, result), todo, ...this.also(finding.also),
      element("p", { className: "fg-log__foot" }, [link(finding, words.open, "fg-log__open")]),
    ]);
    made.dataset.entry = finding.id;
    return made;
  }

  /**
   * @param {Finding} finding
   * @param {number} rank
   * @param {boolean} isCause
   */
  summary(finding, rank, isCause) {
    const first = isCause ? [element("strong", { className: "fg-log__first", textContent: this.words.first }), " "] : [];
    const meta = element("span", { className: "fg-log__meta" }, [
      ...first, element("span", { className: "fg-log__where", textContent: this.where(finding) }),
      ...(finding.frameworkName ? [" ", badge(finding)] : []),
      ...(finding.bug ? [" ", element("span", { className: "fg-log__bug", textContent: this.words.bug })] : []),
      " ", element("span", { className: "fg-log__id", textContent: finding.id }),
    ]);
    return element("summary", {}, [
      element("span", { className: "fg-log__no", textContent: String(rank + 1) }),
      element("span", { className: "fg-log__head" }, [element("span", { className: "fg-log__title", textContent: finding.title }), meta]),
    ]);
  }

  /**
   * For a known bug: what the release that runs has of it.
   * @param {Finding} finding
   * @param {LogResult} result
   */
  release(finding, result) {
    const told = standing(finding, installedOf(result));
    return told?.has ? [element("p", { className: "fg-log__release", textContent: fill(this.words[`run_${told.has}`], { release: told.release }) })] : [];
  }

  /** @param {Place[]} entries */
  also(entries) {
    const links = entries.flatMap((entry, at) => [at ? this.words.separator : "", link(entry, entry.title)]);
    return links.length ? [element("p", { className: "fg-log__also" }, [`${this.words.also} `, ...links])] : [];
  }

  /**
   * What the text itself says, and entries that come close, where none is known.
   * @param {Pick<LogResult, "told" | "closest">} result
   */
  closest({ told, closest }) {
    const { words } = this;
    const rows = closest.map((entry) => element("li", {}, [link(entry, entry.title)]));
    return [
      ...(told ? [element("p", { textContent: words.told }), element("ul", {}, this.lines(told).map((line) => element("li", {}, [line])))] : []),
      ...(rows.length ? [element("p", { textContent: words.closest }), element("ol", {}, rows)] : []),
    ];
  }

  /** @param {import("../../scan/told.js").Told} told */
  lines({ error, message, file, line, library, version }) {
    const { words } = this;
    return [
      element("code", { textContent: message ? `${error}: ${message}` : error }),
      ...(file ? [fill(words.raised, { file, line })] : []),
      ...(library ? [fill(words.library, { library: `${library} ${version}`.trimEnd() })] : []),
    ];
  }

  /* ---- Markdown for a ticket: what people, machines, places and secrets name is masked ----------------------------------- */

  /** @param {LogResult} result */
  ticket(result) {
    const { words } = this, { findings, unknown } = result;
    const parts = findings.flatMap((finding, rank) => this.asMarkdown(finding, rank, result));
    const left = unknown.lines ? [`### ${words.unrecognised}`, this.fenced(unknown.text)] : [];
    return `${[`**${this.head(result)}**`, ...parts, ...left].join("\n\n")}\n`;
  }

  /**
   * @param {Finding} finding
   * @param {number} rank
   * @param {LogResult} result
   */
  asMarkdown(finding, rank, result) {
    return [
      `### ${rank + 1}. ${finding.title}`,
      [`\`${finding.id}\``, this.where(finding), published(finding)].filter(Boolean).join(" · "),
      this.fenced(finding.masked), `**${this.words.fix}**`, markdown(finding.fix, result.frameworks, ownOf(finding, result)),
    ];
  }

  /** @param {string} text */
  fenced(text) {
    let fence = "```";
    while (text.includes(fence)) fence += "`";
    return `${fence}text\n${text}\n${fence}`;
  }
}
