/* Versions and specifiers of Python packages (PEP 440), as far as `packaging` reads them for the doctor: pre-releases count. */

const PATTERN = new RegExp(
  [
    "^\\s*v?(?:(\\d+)!)?(\\d+(?:\\.\\d+)*)", // epoch, release
    "(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\\d*))?",
    "(?:-(\\d+)|[-_.]?(?:post|rev|r)[-_.]?(\\d*))?",
    "(?:[-_.]?dev[-_.]?(\\d*))?",
    "(?:\\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?\\s*$",
  ].join(""),
  "i",
);
/** @type {Record<string, [number, string]>} */
const PRE = { a: [0, "a"], alpha: [0, "a"], b: [1, "b"], beta: [1, "b"], c: [2, "rc"], rc: [2, "rc"], pre: [2, "rc"], preview: [2, "rc"] };
const NONE = 3, DEV_ONLY = -1;

/** A version, without what was added for one build. */
export class Version {
  /** @param {RegExpExecArray} match */
  constructor(match) {
    const [, epoch, release, pre, preNumber, implicit, post, dev] = match;
    this.epoch = Number(epoch || 0);
    this.release = release.split(".").map(Number);
    this.pre = pre ? { rank: PRE[pre.toLowerCase()], number: Number(preNumber || 0) } : null;
    this.post = implicit !== undefined ? Number(implicit) : post !== undefined ? Number(post || 0) : null;
    this.dev = dev !== undefined ? Number(dev || 0) : null;
  }

  get isPre() { return this.pre !== null || this.dev !== null; }

  get base() { return (this.epoch ? `${this.epoch}!` : "") + this.release.join("."); }

  /** @returns {number[]} what two versions are compared by */
  get key() {
    const release = [...this.release];
    while (release.length > 1 && release.at(-1) === 0) release.pop();
    const padded = Array.from({ length: 8 }, (_, at) => release[at] ?? 0);
    const rank = this.pre ? this.pre.rank[0] : this.post === null && this.dev !== null ? DEV_ONLY : NONE;
    return [this.epoch, ...padded, rank, this.pre?.number ?? 0, this.post ?? -1, this.dev ?? Infinity];
  }

  toString() {
    const pre = this.pre ? `${this.pre.rank[1]}${this.pre.number}` : "";
    return this.base + pre + (this.post === null ? "" : `.post${this.post}`) + (this.dev === null ? "" : `.dev${this.dev}`);
  }
}

/**
 * The version that a text is; null if it is none.
 * @param {string} text
 */
export function version(text) {
  const match = PATTERN.exec(text);
  return match ? new Version(match) : null;
}

/**
 * @param {Version} one
 * @param {Version} other
 */
export function compare(one, other) {
  const left = one.key, right = other.key;
  const at = left.findIndex((part, place) => part !== right[place]);
  return at < 0 ? 0 : left[at] - right[at] || (left[at] < right[at] ? -1 : 1);
}

const CLAUSE = /^(===|==|!=|<=|>=|~=|<|>)\s*(\S+)$/;

/** Which versions are meant: `>=0.8.5,<=0.12.0`. */
export class Specifier {
  /** @param {{ operator: string, text: string }[]} clauses */
  constructor(clauses) { this.clauses = clauses; }

  /** @param {Version} one */
  contains(one) { return this.clauses.every((clause) => meets(one, clause.operator, clause.text)); }

  /** The versions that are pinned. */
  get exact() { return this.clauses.filter((one) => one.operator === "==" && !one.text.includes("*")).map((one) => one.text); }

  toString() { return this.clauses.map((one) => one.operator + one.text).sort().join(","); }
}

/**
 * The specifier that a text is; null if it is none.
 * @param {string} text
 */
export function specifier(text) {
  const clauses = [];
  for (const part of text.split(",").map((one) => one.trim()).filter(Boolean)) {
    const match = CLAUSE.exec(part);
    if (!match || (match[1] !== "===" && !version(match[2].replace(/\.\*$/, "")))) return null;
    clauses.push({ operator: match[1], text: match[2] });
  }
  return new Specifier(clauses);
}

/**
 * @param {Version} one
 * @param {string} operator
 * @param {string} text
 * @returns {boolean}
 */
function meets(one, operator, text) {
  const wanted = version(text.replace(/\.\*$/, ""));
  if (!wanted) return false;
  const order = compare(one, wanted);
  switch (operator) {
    case "==": return text.endsWith(".*") ? startsWith(one, wanted.release) : order === 0;
    case "!=": return !meets(one, "==", text);
    case ">=": return order >= 0;
    case "<=": return order <= 0;
    case "<": return order < 0 && !(one.isPre && !wanted.isPre && one.base === wanted.base);
    case ">": return order > 0 && !(one.post !== null && wanted.post === null && sameRelease(one, wanted));
    case "~=": return order >= 0 && startsWith(one, wanted.release.slice(0, -1));
    default: return String(one) === text;
  }
}

/**
 * @param {Version} one
 * @param {number[]} release
 */
function startsWith(one, release) { return release.every((part, at) => (one.release[at] ?? 0) === part); }

/**
 * @param {Version} one
 * @param {Version} other
 */
function sameRelease(one, other) {
  return startsWith(one, other.release) && startsWith(other, one.release);
}
