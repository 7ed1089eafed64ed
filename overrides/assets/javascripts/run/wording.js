/* What is said of a process of a run, in the words of the interface; the terminal says the same, fieldguide/runtime/run/text.py. */

/** @typedef {{ rank: number | null, pid: number | null, node: string | null, actor: string | null, kind: string }} Who */
/** @typedef {Record<string, string>} Did phase, step, op, seq as far as they are known */
/** @typedef {Who & { how: string, file: string, line: number, time: string, text: string }} End */
/** @typedef {Who & { file: string, time: string, did: Did, text: string }} Last */

/** @param {unknown[]} parts */
function present(parts) { return parts.filter(Boolean); }

export class Wording {
  /**
   * @param {Record<string, string>} words
   * @param {(text: string, values: Record<string, unknown>) => string} fill
   */
  constructor(words, fill) {
    this.words = words;
    this.fill = fill;
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} [values]
   */
  say(name, values = {}) { return this.fill(this.words[name] ?? "", values); }

  /** @param {Who} one */
  who({ rank, pid, node, actor, kind }) {
    const { words } = this, named = rank === null ? actor ?? "" : this.say("run_rank", { rank });
    const name = named || pid !== null ? named : node ? words.run_host : words[`run_kind_${kind}`];
    return present([name, pid === null ? "" : `pid ${pid}`, node && this.say("run_node", { node })]).join(words.comma);
  }

  /** @param {{ how: string }} end */
  how({ how }) { return this.words[`run_how_${how}`]; }

  /** @param {{ file: string, line: number }} end */
  place({ file, line }) { return file && `${file}:${line}`; }

  /** @param {Did} did */
  did({ phase = "", step, op, seq = "" }) {
    return present([
      step === undefined ? "" : this.say("run_step", { step }),
      this.words[`run_phase_${phase}`] ?? phase,
      op === undefined ? "" : `${op} ${seq}`.trim(),
    ]).join(this.words.comma);
  }

  /** @param {Last} one */
  doing({ did, text }) { return this.did(did) || text; }

  /** @param {{ run: import("./shown.js").Record["run"] }} record */
  head({ run: { files, lines, kinds } }) {
    const { words } = this, said = Object.entries(kinds).map(([kind, count]) => `${words[`run_kind_${kind}`]} ${count}`);
    return this.say("run_head", { files, lines: lines.toLocaleString(words.language_tag), kinds: said.join(words.comma) });
  }

  /**
   * When, how many ranks, what else is there.
   * @param {{ run: import("./shown.js").Record["run"] }} record
   */
  facts({ run }) {
    const others = Object.keys(run.others).join(this.words.comma);
    return present([
      run.first ? this.say("run_span", run) : this.words.run_untimed,
      run.ranks.expected ? this.say("run_ranks", run.ranks) : "",
      others && this.say("run_others", { runs: others }),
    ]).map(String);
  }

  /** @param {string} reason */
  skipped(reason) { return this.words[`run_not_${reason}`] ?? this.words.run_not_other; }
}
