/*
 * From settings that fail to the nearest that pass, or to what each rule needs when no small change is enough. The meaning is
 * defined in fieldguide/runtime/calculate/nearest.py.
 */
import { applies, movable, nearby, nearest, reached } from "./candidates.js";
import { calculate, verdict, workedOut } from "./engine.js";

/** @typedef {import("./engine.js").Case} Case */
/** @typedef {import("./engine.js").Definition} Definition */
/** @typedef {import("./expression.js").Values} Values */
/** @typedef {import("./candidates.js").Change} Change */
/** @typedef {import("./candidates.js").Candidate} Candidate */
/** @typedef {{ rule: string, at: number, change: Change | null, inputs: string[], hardest: boolean }} Need */

// The search: settings tried at most, values of each input where two are changed, and proposals that are enough.
const TRIED = 2000, PAIRED = 12, SHOWN = 4;
// Where two changes are not enough: settings tried before each further change, and changes at most.
const STEP_TRIED = 400, STEPS = 6;

/** @param {string | null} kind */
function fails(kind) { return kind === "error" || kind === "zero"; }

/**
 * @param {Values} settings
 * @param {Change[]} changes
 * @returns {Values}
 */
function withChanges(settings, changes) { return { ...settings, ...Object.fromEntries(changes) }; }

/**
 * Small changes of one input, else of two, else of several, after which no assertion fires.
 * @param {Definition} definition
 * @param {Values} settings
 */
export function proposals(definition, settings) {
  const { failing, silent, values } = standing(definition, settings);
  const near = movable(definition, failing, values).map((one) => nearby(failing, one, values));
  for (const candidates of [() => near.flat(), () => paired(near)]) {
    const found = passing(definition, settings, silent, candidates());
    if (found.length) return found;
  }
  return stepByStep(definition, settings, silent);
}

/**
 * What each cause alone needs, in the order in which the program comes to them.
 * @param {Definition} definition
 * @param {Values} settings
 * @returns {Need[]}
 */
export function needs(definition, settings) {
  const { values } = workedOut(definition, settings);
  const causes = calculate(definition, settings).causes.filter(([head]) => head.kind !== "silent");
  let farthest = -1, hardest = 0;
  const found = causes.map(([head], index) => {
    const item = /** @type {Case} */ (definition.cases.find(({ at }) => at === head.at));
    const near = satisfying(definition, settings, item, values), distance = near ? near.distance : Infinity;
    if (distance > farthest) { farthest = distance; hardest = index; }
    return { rule: item.rule, at: item.at, change: near ? near.changes[0] : null, inputs: bearing(definition, item, values) };
  });
  return found.map((need, index) => ({ ...need, hardest: index === hardest }));
}

/**
 * @param {Definition} definition
 * @param {Values} settings
 */
function standing(definition, settings) {
  const state = workedOut(definition, settings), kinds = definition.cases.map((item) => verdict(item, state));
  return {
    failing: definition.cases.filter((_, index) => fails(kinds[index])),
    silent: new Set(definition.cases.filter((_, index) => kinds[index] === "silent").map(({ rule }) => rule)),
    values: state.values,
  };
}

/**
 * @param {Definition} definition
 * @param {Values} settings
 * @param {Case} item
 * @param {Values} values
 */
function satisfying(definition, settings, item, values) {
  return nearest(definition, [item], values)
    .find(({ changes }) => verdict(item, workedOut(definition, withChanges(settings, changes))) === null) || null;
}

/**
 * @param {Definition} definition
 * @param {Case} item
 * @param {Values} values
 */
function bearing(definition, item, values) {
  const names = reached(definition, [item]);
  return definition.inputs.filter((one) => names.has(one.name) && applies(one, values)).map(({ name }) => name);
}

/* ---- Trying ---------------------------------------------------------------------------------------------------------- */

/**
 * How many cases fire, or go wrong in silence where they did not before; counted up to `most`.
 * @param {Definition} definition
 * @param {Values} settings
 * @param {Set<string>} silent
 * @param {number} most
 */
function faults(definition, settings, silent, most) {
  const state = workedOut(definition, settings);
  let count = 0;
  for (const item of definition.cases) {
    const kind = verdict(item, state);
    if (fails(kind) || (kind === "silent" && !silent.has(item.rule))) count++;
    if (count === most) break;
  }
  return count;
}

/**
 * The nearest candidates after which nothing fires, one for each set of inputs, among the nearest TRIED.
 * @param {Definition} definition
 * @param {Values} settings
 * @param {Set<string>} silent
 * @param {Candidate[]} candidates
 */
function passing(definition, settings, silent, candidates) {
  /** @type {Map<string, Candidate>} */
  const found = new Map();
  for (const candidate of candidates.sort((a, b) => a.distance - b.distance).slice(0, TRIED)) {
    const inputs = candidate.changes.map(([name]) => name).join(" ");
    if (found.has(inputs) || faults(definition, withChanges(settings, candidate.changes), silent, 1)) continue;
    found.set(inputs, candidate);
    if (found.size === SHOWN) break;
  }
  return Array.from(found.values());
}

/** @param {Candidate[][]} near */
function paired(near) {
  const few = near.map((candidates) => candidates.slice(0, PAIRED));
  return few.flatMap((first, index) => few.slice(index + 1).flatMap((second) => first.flatMap((a) => second.map((b) =>
    ({ distance: a.distance * b.distance, changes: [...a.changes, ...b.changes] })))));
}

/**
 * Change after change, each the one that leaves the fewest faults; nothing when that does not end well.
 * @param {Definition} definition
 * @param {Values} settings
 * @param {Set<string>} silent
 * @returns {Candidate[]}
 */
function stepByStep(definition, settings, silent) {
  const changed = new Map();
  let distance = 1, least = faults(definition, settings, silent, definition.cases.length);
  for (let step = 0; step < STEPS; step++) {
    const now = withChanges(settings, Array.from(changed)), { failing, values } = standing(definition, now);
    let best = null;
    for (const candidate of nearest(definition, failing, values).slice(0, STEP_TRIED)) {
      const left = faults(definition, withChanges(now, candidate.changes), silent, least);
      if (left < least) { least = left; best = candidate; }
      if (!least) break;
    }
    if (!best) return [];
    changed.set(...best.changes[0]);
    distance *= best.distance;
    if (!least) return [{ distance, changes: Array.from(changed) }];
  }
  return [];
}
