/* Words of a text as the index files them; fieldguide/runtime/rank/tokens.py is the same in Python. */

export const CJK = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff";
/* A run of Chinese or Japanese characters, a word or identifier, or what a broken model prints. */
export const CHUNK = new RegExp(`[${CJK}]+|[A-Za-z0-9_][A-Za-z0-9_.\\-]*|!!!+`, "g");
const IS_CJK = new RegExp(`[${CJK}]`);
const STOP = new Set((
  "a an the of to in on at by for from with and or is are was be it its this that as not no do does did can could how " +
  "what when why which who i my me we you your if then than there here have has had get gets got but into one so " +
  "的 了 是 在 和 与 或 有 吗 呢 么 也 就 都 要 会 我 你 它 这 那 把 被 给 用 时 个 怎 什 为 啊 吧 着"
).split(" "));
const PARTICLES = new Set("的了是在和与或吗呢么也就都这那把被给为啊吧着它我你"); // a pair with one of them tells no entry from another

/**
 * The same words come again and again: what a piece of text, or a word, becomes is worked out once.
 * @template Key, Value
 * @param {(key: Key) => Value} work
 * @returns {(key: Key) => Value}
 */
export function remembered(work) {
  /** @type {Map<Key, Value>} */
  const known = new Map();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, value = work(key));
    return value;
  };
}

/**
 * Identifiers whole and in parts: max_tokens_per_gpu → itself, max, tokens, per, gpu; camelCase likewise.
 * @param {string} word
 */
export function identifierParts(word) {
  const parts = word.split(/[_.-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return parts.length > 1 ? parts : [];
}

/**
 * Whether a text has Chinese or Japanese characters.
 * @param {string} text
 */
export function isCjk(text) { return IS_CJK.test(text); }

/** @param {string} run */
function cjkTokens(run) {
  if (run.length === 1) return STOP.has(run) ? [] : [run];
  const tokens = [];
  for (let i = 0; i + 1 < run.length; i++) {
    if (!PARTICLES.has(run[i]) && !PARTICLES.has(run[i + 1])) tokens.push(run.slice(i, i + 2));
  }
  return tokens;
}

/**
 * @param {string} text
 * @param {boolean} [whole] only words with hyphens in parts, off-policy but not off_policy
 */
export function tokenize(text, whole) {
  const tokens = [];
  for (const run of text.match(CHUNK) || []) {
    if (run[0] === "!") {
      tokens.push("!!!");
      continue;
    }
    if (isCjk(run)) {
      tokens.push(...cjkTokens(run));
      continue;
    }
    const chunk = run.replace(/[.-]+$/, "");
    if (/^\d{5,}$/.test(chunk) || chunk.length > 80) continue;
    tokens.push(chunk.replace(/-/g, "_"));
    if (whole && !/^[A-Za-z]+-/.test(chunk)) continue;
    for (const part of identifierParts(chunk)) if (part.length > 1) tokens.push(part);
  }
  return tokens;
}

/**
 * A token as it is filed; null for a word that says nothing.
 * @param {string} term
 */
export function processTerm(term) {
  const lower = term.toLowerCase();
  if (STOP.has(lower)) return null;
  // The plural of plain English words only: identifiers and acronyms stay as they are.
  return /^[a-z]{4,}s$/.test(lower) && !/(ss|us|is)$/.test(lower) ? lower.slice(0, -1) : lower;
}

/**
 * The terms of some tokens, those left out that say nothing.
 * @param {string[]} tokens
 */
export function processed(tokens) {
  return tokens.map(processTerm).filter((term) => term !== null);
}

/**
 * Neighbouring words, without Chinese, which is filed by pairs anyway.
 * @param {string[]} terms
 */
export function pairsOf(terms) {
  const pairs = [];
  for (let i = 0; i + 1 < terms.length; i++) {
    if (!isCjk(terms[i]) && !isCjk(terms[i + 1])) pairs.push(`${terms[i]} ${terms[i + 1]}`);
  }
  return pairs;
}
