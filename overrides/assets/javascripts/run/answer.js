/*
 * The answer for a run: what its files tell, as one record; the same as of `as_record` in fieldguide/runtime/run/answer.py, where
 * every field is described. What only the terminal reads is left out: `flight` is null.
 */
import { stripped } from "../match/expression.js";
import { shown } from "./clock.js";
import { EXAMPLES, entryOf, frameworkOf, toldOf } from "./entry.js";
import { judge } from "./failure.js";
import { largest, least, smallest, sorted } from "./order.js";
import { inOneYear } from "./read.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./failure.js").Failure} Failure */
/** @typedef {import("./failure.js").Verdict} Verdict */
/** @typedef {import("./processes.js").Process} Process */
/** @typedef {import("./read.js").FileRead} FileRead */
/** @typedef {import("./read.js").Skipped} Skipped */
/** @typedef {import("../scan/places.js").Finding} Finding */
/** @typedef {Awaited<ReturnType<typeof answerRun>>} RunRecord */
/** @typedef {ReturnType<typeof known>} Known */

/**
 * The answer to the logs of a run; `ends`, beginning and end of the logs that name versions, is for who compares them.
 * @param {FileRead[]} reads in the order of their files
 * @param {Skipped[]} skipped what was not read
 * @param {Record<string, number>} others runs that are not the last → files
 * @param {Context} context
 */
export async function answerRun(reads, skipped, others, context) {
  const files = inOneYear(reads), verdict = judge(files, context.rules), { first } = verdict;
  const entry = entryOf(files, verdict, context), seen = first?.placed?.seen;
  return {
    run: overview(files, verdict, others),
    failure: first && failed(first, verdict.sure, entry, context),
    missing: verdict.missing,
    followed: verdict.followed.map(ended),
    last: verdict.processes.filter((one) => one.files.length || one.doing.length).map(lastOf),
    findings: findings(files, entry, context),
    skipped: byReason(skipped),
    nearest: !entry && seen?.told ? await context.nearest(seen.text) : [],
    flight: null,
    report: first && !entry ? report(first, verdict.followed, context) : "",
    ends: files.map(({ ends }) => ends).join("\n"),
  };
}

/**
 * @param {FileRead[]} files
 * @param {Verdict} verdict
 * @param {Record<string, number>} others
 */
function overview(files, { processes, expected }, others) {
  const times = files.flatMap(({ first, last }) => [first, last]).filter((time) => time !== null);
  const ranks = new Set(processes.map(({ who }) => who.rank).filter((rank) => rank >= 0));
  return {
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    kinds: counted(files.map(({ kind }) => kind)),
    first: shown(smallest(times)),
    last: shown(largest(times)),
    ranks: { seen: ranks.size, expected },
    framework: frameworkOf(files),
    others,
  };
}

/**
 * How often each name is there, by name.
 * @param {string[]} names
 */
function counted(names) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** @param {Process} process */
function whoIs(process) {
  const { rank, pid, node, actor } = process.who;
  // The kind of its own log, or of the one that tells of it.
  const [told] = [...process.files, ...process.events.map(({ file }) => file), ...process.doing.map(({ file }) => file)];
  return { rank: rank >= 0 ? rank : null, pid: pid >= 0 ? pid : null, node: node || null, actor: actor || null, kind: told?.kind ?? "rank" };
}

/** @param {Failure} failure */
function ended({ process, placed, how, time }) {
  const log = process.last;
  const place = placed ? { file: placed.file.path, line: placed.seen.line, text: placed.seen.text }
    : { file: log?.path ?? "", line: log?.lines ?? 0, text: log?.lastLine ?? "" };
  return { ...whoIs(process), how, ...place, time: shown(time) };
}

/**
 * @param {Failure} first
 * @param {string} sure
 * @param {string | null} entry
 * @param {Context} context
 */
function failed(first, sure, entry, context) {
  return { ...ended(first), sure, did: first.process.did, entry, told: toldOf(first, context), method: context.methods[first.how] };
}

/** @param {Process} process */
function lastOf(process) {
  const log = process.last, latest = least(process.doing, ({ doing }) => [-(doing.time ?? 0)]);
  return {
    ...whoIs(process), file: (log ?? latest?.file)?.path ?? "", time: shown(process.quietSince ?? latest?.doing.time ?? null),
    did: process.did, text: log?.lastLine ?? "",
  };
}

/**
 * The known errors of all files: what answers the first failure, then by time, what only echoes at the end.
 * @param {FileRead[]} files
 * @param {string | null} cause
 * @param {Context} context
 */
function findings(files, cause, context) {
  /** @type {Map<string, { file: FileRead, finding: Finding }[]>} */
  const places = new Map();
  for (const file of files) {
    for (const finding of file.findings) {
      const own = places.get(finding.entry) ?? [];
      places.set(finding.entry, own);
      own.push({ file, finding });
    }
  }
  const made = sorted(places, ([entry, found]) => {
    const { first } = earliest(found).file;
    return [entry !== cause, isEcho(found), first === null, first ?? 0, entry];
  }).map(([entry, found]) => known(entry, found, context));
  return cause === null || places.has(cause) ? made : [known(cause, [], context), ...made];
}

/** @param {{ file: FileRead, finding: Finding }[]} found */
function earliest(found) {
  return least(found, ({ file: { first }, finding: { line } }) => [first === null, first ?? 0, line]) ?? found[0];
}

/** @param {{ file: FileRead, finding: Finding }[]} found */
function isEcho(found) { return found.length > 0 && found.every(({ finding }) => finding.echo); }

/**
 * A known error; without a place, one that is known by the text of the failure alone, put together from several files.
 * @param {string} id
 * @param {{ file: FileRead, finding: Finding }[]} found
 * @param {Context} context
 */
function known(id, found, { answers }) {
  const { title, page, fix } = answers(id), place = found.length ? earliest(found) : null;
  return {
    id, title, page, file: place?.file.path ?? "", line: place?.finding.line ?? 0,
    count: place ? found.reduce((sum, { finding }) => sum + finding.count, 0) : 1, files: Math.max(found.length, 1),
    text: place?.finding.text ?? "", echo: isEcho(found), fix,
  };
}

/** @param {Skipped[]} skipped */
function byReason(skipped) {
  const counts = counted(skipped.map(({ reason }) => reason));
  return Object.fromEntries(Object.entries(counts).map(([reason, count]) =>
    [reason, { count, examples: skipped.filter((one) => one.reason === reason).slice(0, EXAMPLES).map(({ path }) => path) }]));
}

/**
 * What to send of an unknown failure, without what names people, machines, places and secrets.
 * @param {Failure} first
 * @param {Failure[]} followed
 * @param {Context} context
 */
function report({ how, placed }, followed, { mask }) {
  const told = followed.slice(0, EXAMPLES).map((one) => `${one.how}: ${one.placed?.seen.text ?? ""}`).join("\n");
  return mask(stripped(`${how}\n${placed?.seen.block ?? ""}\n\n${told}`));
}
