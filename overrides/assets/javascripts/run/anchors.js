/* The texts by which events are found, for any number of logs. */
import { applyRules, compileRules } from "../match/expression.js";
import { Automaton } from "../scan/automaton.js";
import { Clock } from "./clock.js";

/** @typedef {import("./rules.js").Event} Event */

export const TRACEBACK = "Traceback (most recent call last)";

export class Anchors {
  /**
   * @param {import("./rules.js").RunRules} rules
   * @param {import("../match/guide.js").Guide} guide
   */
  constructor(rules, guide) {
    const cleaning = compileRules(guide.cleaning);
    this.rules = rules;
    this.guide = guide;
    this.clock = new Clock(rules);
    this.clean = (/** @type {string} */ text) => applyRules(text, cleaning);
    /** @type {Map<string, Event[]>} none for a traceback, which is read in its own way */
    const wanted = new Map([[TRACEBACK, []]]);
    for (const event of rules.events) wanted.set(event.anchor, [...wanted.get(event.anchor) ?? [], event]);
    this.events = Array.from(wanted.values());
    this.automaton = new Automaton(Array.from(wanted.keys()));
  }
}
