/* How settings are read: the patterns and limits of catalog/grammar.yml, compiled. */
import { expression } from "../match/expression.js";

/** @typedef {{ patterns: Record<string, string>, separators: string[], limits: Record<string, number>, configFiles: string[], configNames: [path: string, name: string, own: boolean][] }} GrammarData */

export class Grammar {
  /** @param {GrammarData} data */
  constructor({ patterns, separators, limits, configFiles, configNames }) {
    this.separators = separators;
    this.limits = limits;
    this.configFiles = configFiles;
    this.configNames = configNames;
    this.patterns = Object.fromEntries(Object.entries(patterns).map(([name, pattern]) => [name, expression(pattern)]));
    this.everywhere = Object.fromEntries(Object.entries(patterns).map(([name, pattern]) => [name, expression(pattern, "g")]));
  }

  /**
   * The first match of the pattern of that name.
   * @param {string} name
   * @param {string} text
   */
  search(name, text) { return this.patterns[name].exec(text); }

  /**
   * The pattern of that name, for every match.
   * @param {string} name
   */
  all(name) { return this.everywhere[name]; }
}
