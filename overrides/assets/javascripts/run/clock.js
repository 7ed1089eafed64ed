/*
 * When a line was written, in the formats that occur in logs; in milliseconds since 1970, as its own clock says it.
 * fieldguide/runtime/run/clock.py does the same in Python.
 */
import { firstOf, number } from "./text.js";

/** @typedef {import("./rules.js").Said} Said */

const HEAD = 160; // a time stamp stands at the head of a line, behind the name of who speaks and a level
const QUICK = /[0-9]{2}:[0-9]{2}:[0-9]{2}|1[4-9][0-9]{8}/;
const ZONE = /^([+-])([0-9]{2}):?([0-9]{2})/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
// The year of a line that names none, where no other line of the run does: a leap year, never shown.
export const NO_YEAR = 1972;
const DAY = 86_400_000, MINUTE = 60_000;
/** @type {[name: string, low: number, high: number][]} */
const RANGES = [["year", 1, 9999], ["month", 1, 12], ["day", 1, 31], ["hour", 0, 23], ["minute", 0, 59], ["second", 0, 60]];

/** Reads time stamps. */
export class Clock {
  /** @param {import("./rules.js").RunRules} rules */
  constructor({ times }) { this.times = times; }

  /**
   * Milliseconds of the first time stamp at the head of a line; null where there is none.
   * @param {string} line
   * @returns {number | null}
   */
  read(line) {
    const head = firstOf(line, HEAD);
    if (!QUICK.test(head)) return null;
    for (const form of this.times) {
      const said = form.read(head), time = said && timeOf(said);
      if (time !== null) return time;
    }
    return null;
  }
}

/**
 * @param {Said} said
 * @returns {number | null}
 */
function timeOf(said) {
  const part = Number((said.fraction ?? "0").slice(0, 3).padEnd(3, "0"));
  if (said.epoch !== undefined) return number(said.epoch) * 1000 + part;
  const month = said.name === undefined ? Number(said.month) : MONTHS.indexOf(said.name) + 1;
  /** @type {Record<string, number>} */
  const given = { year: Number(said.year ?? NO_YEAR), month };
  for (const name of ["day", "hour", "minute", "second"]) given[name] = Number(said[name]);
  if (RANGES.some(([name, low, high]) => given[name] < low || given[name] > high)) return null;
  const seconds = given.hour * 3600 + given.minute * 60 + given.second;
  return startOf(given.year, month, given.day) + seconds * 1000 + part - offset(said.zone ?? "");
}

/**
 * Milliseconds that a zone is ahead of UTC.
 * @param {string} zone
 */
function offset(zone) {
  const match = ZONE.exec(zone);
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === "-" ? -minutes : minutes) * MINUTE;
}

/**
 * The first millisecond of a day; that of the next month where the month has no such day. `Date.UTC` takes the year 26 for 1926.
 * @param {number} year
 * @param {number} month
 * @param {number} day
 */
function startOf(year, month, day) { return new Date(0).setUTCFullYear(year, month - 1, day); }

/**
 * A time of a line that named no year, in that of the run; another time as it is.
 * @param {number} time
 * @param {number} year
 */
export function inYear(time, year) {
  const [own, month, day] = dateOf(time);
  if (own !== NO_YEAR || year === NO_YEAR) return time;
  const last = new Date(startOf(year, month + 1, 0)).getUTCDate();
  return startOf(year, month, Math.min(day, last)) + time - Math.floor(time / DAY) * DAY;
}

/**
 * The year of a time.
 * @param {number} time
 */
export function yearOf(time) { return dateOf(time)[0]; }

/**
 * A time for readers, to the millisecond; without the year that nobody named.
 * @param {number | null} time
 */
export function shown(time) {
  if (time === null) return "";
  const [year, month, day] = dateOf(time), pad = (/** @type {number} */ one, size = 2) => String(one).padStart(size, "0");
  const of = time - Math.floor(time / DAY) * DAY, head = year === NO_YEAR ? "" : `${year}-`;
  const clock = [of / 3_600_000, of / MINUTE % 60, of / 1000 % 60].map((one) => pad(Math.floor(one))).join(":");
  return `${head}${pad(month)}-${pad(day)} ${clock}.${pad(of % 1000, 3)}`;
}

/**
 * Year, month and day; those of 1970 where a year has no four digits.
 * @param {number} time
 * @returns {[year: number, month: number, day: number]}
 */
function dateOf(time) {
  const date = new Date(time), year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? [year, date.getUTCMonth() + 1, date.getUTCDate()] : [1970, 1, 1];
}
