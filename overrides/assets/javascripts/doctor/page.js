/* The doctor's page: a list of packages in, what is known against it out. Nothing pasted is part of a request. */
import { address, load } from "../ui/address.js";
import { language } from "../ui/config.js";
import { element, fill, find } from "../ui/dom.js";
import { LISTED, keep, kept } from "../ui/session.js";
import { Tool } from "../ui/tool.js";
import { platform, readEnvironment } from "./environment.js";
import { DATA, Facts, HARMS } from "./facts.js";
import { certain, judge, recommended } from "./judge.js";
import { installLine } from "./repair.js";

/** @typedef {import("./judge.js").Verdict} Verdict */
/** @typedef {import("./judge.js").Trouble} Trouble */

class DoctorPage extends Tool {
  /** @param {HTMLElement} box */
  constructor(box) {
    super(box);
    this.input = this.part("input", HTMLTextAreaElement);
    this.part("form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.run();
    });
    const given = kept(LISTED);
    keep(LISTED, null);
    if (given) {
      this.input.value = given;
      void this.run();
    }
  }

  async run() {
    const text = this.input.value;
    this.say(this.words.doctor_reading);
    try {
      await load(DATA);
    } catch {
      this.say(this.words.doctor_unread);
      return;
    }
    this.facts = this.facts ?? new Facts(fieldguideData.versions);
    this.show(this.facts, judge(this.facts, readEnvironment(this.facts, text)));
  }

  /** @param {string} text */
  say(text) { this.part("status").textContent = text; }

  /**
   * @param {Facts} facts
   * @param {Verdict} verdict
   */
  show(facts, verdict) {
    const { environment, framework, release, isExact, installed } = verdict, words = this.words;
    if (!environment.packages.size) {
      this.say(words.doctor_nothing.replaceAll("`", ""));
      this.put("results", []);
      return;
    }
    this.say(framework
      ? isExact
        ? `${framework.name} ${release?.tag}`
        : fill(words.doctor_not_exact, { framework: framework.name, installed: installed || "?", release: release?.tag ?? "?" })
      : words.doctor_no_framework);
    this.put("results", [...this.troubles(facts, verdict), ...this.outside(facts, verdict), ...this.rest(facts, verdict)]);
  }

  /**
   * @param {Facts} facts
   * @param {Verdict} verdict
   */
  troubles(facts, { troubles, environment }) {
    const slow = HARMS.at(-1), minor = troubles.filter((one) => one.harm === slow);
    const always = certain(troubles);
    const some = troubles.filter((one) => one.harm !== slow && one.isConditional);
    const cut = environment.cut ? [element("p", { textContent: this.words.doctor_cut })] : [];
    return [
      ...cut,
      ...(always.length ? always.map((one) => this.trouble(facts, one)) : [element("p", { textContent: this.words.doctor_no_trouble })]),
      ...this.group(facts, some, this.words.doctor_some),
      ...this.group(facts, minor, this.words.doctor_minor),
    ];
  }

  /**
   * @param {Facts} facts
   * @param {Trouble[]} troubles
   * @param {string} head
   */
  group(facts, troubles, head) {
    if (!troubles.length) return [];
    return [element("details", {}, [element("summary", { textContent: `${head} ${troubles.length}` }), ...troubles.map((one) => this.trouble(facts, one))])];
  }

  /**
   * @param {Facts} facts
   * @param {Trouble} trouble
   */
  trouble(facts, { harm, packages, pair, needs, repair }) {
    const words = this.words, versions = Object.entries(packages).map(([name, text]) => `${facts.name(name)} ${text}`).join(words.doctor_comma);
    const made = element("section", { className: "fg-doctor__trouble" });
    made.append(element("p", {}, [element("strong", { textContent: versions }), ` ${words[`doctor_harm_${harm}`]}`]));
    if (needs) made.append(element("p", { textContent: fill(words.doctor_needs, { of: facts.name(needs[0]), version: packages[needs[0]], name: facts.name(needs[1]), spec: needs[2] }) }));
    const [what, when, act] = pair?.words[language] ?? ["", "", ""];
    if (what) made.append(element("p", {}, coded(when ? `${when}${words.doctor_colon}${what}` : what)));
    if (pair?.error) made.append(element("p", {}, [`${words.doctor_error} `, element("code", { textContent: pair.error })]));
    const line = repair?.line ?? act;
    if (line) {
      made.append(element("p", { textContent: repair && !repair.isSound ? words.doctor_repair_alone : words.doctor_repair }));
      made.append(element("pre", {}, [element("code", { textContent: line })]));
    }
    const page = pair?.pages[language];
    if (page) made.append(element("p", {}, [element("a", { href: address(page), textContent: pair?.entry ?? "" })]));
    return made;
  }

  /**
   * @param {Facts} facts
   * @param {Verdict} verdict
   */
  outside(facts, { stack, outside, release, environment }) {
    if (!stack) return [];
    const words = this.words, path = stack.extra ? `${stack.path}[${stack.extra}]` : stack.path;
    const head = fill(stack.tested ? words.doctor_set_tested : words.doctor_set, { path, place: stack.tested });
    const rows = outside.map((one) => {
      const parts = [
        ...(one.tested ? [fill(words.doctor_tested, { spec: one.tested[0], place: one.tested[1] })] : []),
        ...(one.required ? [fill(words.doctor_required, { spec: one.required[0], place: one.required[1] })] : []),
      ];
      return element("li", { textContent: `${facts.name(one.package)} ${one.version}${words.doctor_colon}${parts.join(words.doctor_comma)}` });
    });
    const set = release && outside.length ? recommended(release, platform(environment)) : null, line = set ? installLine(set) : "";
    return [
      element("p", { textContent: head }),
      rows.length ? element("ul", {}, rows) : element("p", { textContent: words.doctor_all_inside }),
      ...(line ? [element("p", { textContent: fill(words.doctor_take, { release: release?.tag }) }), element("pre", {}, [element("code", { textContent: line })])] : []),
    ];
  }

  /**
   * @param {Facts} facts
   * @param {Verdict} verdict
   */
  rest(facts, { unknown, environment, fitting }) {
    const words = this.words, lines = unknown.map((name) => {
      const one = environment.packages.get(name);
      return fill(words.doctor_unknown, { name: facts.name(name), said: one?.version || one?.asked || "?" });
    });
    for (const [name, one] of environment.packages) {
      if (one.other) lines.push(fill(words.doctor_twice, { name: facts.name(name), first: one.version, other: one.other }));
    }
    if (fitting.length) {
      const releases = fitting.map((one) => `${facts.name(one.framework)} ${one.release}`).join(words.doctor_comma);
      lines.push(fill(words.doctor_fitting, { releases }));
    }
    return lines.map((text) => element("p", { textContent: text }));
  }
}

/**
 * A sentence with its code in backticks.
 * @param {string} text
 */
function coded(text) { return text.split("`").map((part, at) => (at % 2 ? element("code", { textContent: part }) : part)); }

new DoctorPage(find(document, "[data-fg=doctor]"));
