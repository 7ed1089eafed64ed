/*
 * From what was dropped or chosen to the files of a run: what is no log is left out and counted. It is
 * fieldguide/runtime/run/collect.py in JavaScript, where a browser shows neither links nor devices.
 */
import { OTHER, kindByName } from "./kinds.js";
import { isPacked, packedAs } from "./names.js";
import { natural, sorted } from "./order.js";
import { Budget, asStream, piecesOf, plain } from "./pieces.js";

/** @typedef {{ path: string, name: string, file: File }} Given a file; `name`: its path below the folder that was given, if one was */
/** @typedef {{ path: string, reason: string }} Skipped */
/**
 * A file of a run: `path` as it is shown, `name` by which it is told what it is; `packed` for an archive, whose files are
 * members of their own.
 * @typedef {{
 *   path: string, name: string, size: number, modified: number, packed: "" | "tar" | "zip", blob: Blob,
 *   stream: () => ReadableStream<Uint8Array>,
 * }} Member
 */
/** @typedef {{ members: Member[], skipped: Skipped[], others: Record<string, number>, dumps: number }} Collected `dumps` of NCCL's flight recorder */
/** @typedef {import("./rules.js").RunRules} RunRules */
/** @typedef {{ limits: RunRules["limits"], ignored: (name: string) => string, progress: (size: number) => void }} Reading */

/**
 * How files are read by these rules.
 * @param {RunRules} rules
 * @param {(size: number) => void} progress told the size of each piece of a file that was read
 * @returns {Reading}
 */
export function readingOf({ limits, ignored }, progress) {
  return { limits, progress, ignored: (name) => ignored.find(({ named }) => named.read(name))?.kind ?? "" };
}

/**
 * The files of the last run, in the order of their names.
 * @param {Given[]} given
 * @param {Skipped[]} skipped what could not even be looked at
 * @param {RunRules} rules
 * @param {Reading} reading
 * @returns {Collected}
 */
export function collect(given, skipped, rules, reading) {
  /** @type {Member[]} */
  const found = [];
  const unread = [...skipped];
  for (const one of sorted(given, ({ path }) => [path])) {
    const reason = against(one, reading);
    if (reason) unread.push({ path: one.path, reason }); else found.push(memberOf(one, reading));
  }
  const { kept, others, older } = lastRun(found, rules), { read, many } = newest(kept, rules);
  const logs = read.filter((one) => one.packed || kindByName(one.name, rules).kind !== "flight");
  return {
    members: sorted(logs, ({ name }) => natural(name)),
    skipped: [...unread, ...older.map(({ path }) => ({ path, reason: "older" })), ...many.map(({ path }) => ({ path, reason: "many" }))],
    others,
    dumps: read.length - logs.length,
  };
}

/**
 * Why a file is not read; what was given by itself is, whatever its name.
 * @param {Given} given
 * @param {Reading} reading
 */
function against({ path, name, file }, { ignored }) {
  if (!file.size) return "empty";
  const isAlone = path === name;
  return (isAlone ? "" : ignored(name)) || (isPacked(name) && !packedAs(name) ? "packed" : "");
}

/**
 * @param {Given} given
 * @param {Reading} reading
 * @returns {Member}
 */
function memberOf({ path, name, file }, { limits, progress }) {
  const stream = () => asStream(new Budget(file.size, limits).bounded(plain(piecesOf(file, progress))));
  return { path, name, size: file.size, modified: file.lastModified, packed: packedAs(name), blob: file, stream };
}

/**
 * The files of the last run, and how many files each other one has. Runs are told by their folders, as Ray's sessions, or by
 * their names, as the jobs of Slurm; the last one has the highest name. What belongs to none stays.
 * @template {{ path: string }} File
 * @param {File[]} members
 * @param {Pick<RunRules, "runs">} rules
 */
export function lastRun(members, { runs }) {
  /** @type {Record<string, number>} */
  const others = {};
  /** @type {File[]} */
  const older = [];
  let kept = members;
  for (const { named: { regex } } of runs) {
    const named = kept.map((one) => ({ one, run: Array.from(one.path.matchAll(regex))[0]?.[1] }));
    const last = sorted(new Set(named.flatMap(({ run }) => run ?? [])), natural).at(-1);
    for (const { one, run } of named) {
      if (run === undefined || run === last) continue;
      others[run] = (others[run] ?? 0) + 1;
      older.push(one);
    }
    kept = named.filter(({ run }) => run === undefined || run === last).map(({ one }) => one);
  }
  return { kept, others, older };
}

/**
 * Of too many files those whose names say what they are, then the newest.
 * @param {Member[]} members
 * @param {RunRules} rules
 */
function newest(members, rules) {
  const most = rules.limits.members;
  if (members.length <= most) return { read: members, many: [] };
  const kept = sorted(members, ({ name, modified }) => [kindByName(name, rules).kind === OTHER, -modified, name]);
  return { read: kept.slice(0, most), many: kept.slice(most) };
}
