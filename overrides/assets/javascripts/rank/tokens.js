/* Words of a text as the full-text index files them. */

const CJK = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff";
/* A run of Chinese or Japanese characters, or a word or identifier. */
export const CHUNK = new RegExp(`[${CJK}]+|[A-Za-z0-9_][A-Za-z0-9_.\\-]*`, "g");
const IS_CJK = new RegExp(`[${CJK}]`);
const STOP = new Set((
  "a an the of to in on at by for from with and or is are was be it its this that as not no do does did can could how " +
  "what when why which who i my me we you your if then than there here have has had get gets got but into one so " +
  "的 了 是 在 和 与 或 有 吗 呢 么 也 就 都 要 会 我 你 它 这 那 把 被 给 用 时 个 怎 什 为 啊 吧 着"
).split(" "));
const PARTICLES = new Set("的了是在和与或吗呢么也就都这那把被给为啊吧着它我你"); // a pair with one of them tells no entry from another

/** @typedef {(text: string, field?: string) => string[]} Tokenizer */

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

/*
 * MiniSearch keeps terms in a tree and walks the branches of a node one by one. Thousands of Chinese characters at its
 * root made indexing twenty times slower, so each is filed under three letters of its code point: 训练 → ~i3xfk3.
 */
const FIRST = 0x3000;
const letters = remembered((/** @type {number} */ code) => `00${(code - FIRST).toString(36)}`.slice(-3));

/**
 * @param {string} text
 * @param {number} at
 * @param {number} length
 */
function filed(text, at, length) {
  const code = `~${letters(text.charCodeAt(at))}`;
  return length > 1 ? code + letters(text.charCodeAt(at + 1)) : code;
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
  if (run.length === 1) return STOP.has(run) ? [] : [filed(run, 0, 1)];
  const tokens = [];
  for (let i = 0; i + 1 < run.length; i++) {
    if (!PARTICLES.has(run[i]) && !PARTICLES.has(run[i + 1])) tokens.push(filed(run, i, 2));
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
  if (term[0] === "~") return term;
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
 * Titles, wordings and keys are found by parts of their identifiers; running text by whole ones, a fifth fewer terms to file.
 * @returns {Tokenizer}
 */
export function fieldTokens() {
  const parts = remembered((/** @type {string} */ piece) => tokenize(piece, false));
  const whole = remembered((/** @type {string} */ piece) => tokenize(piece, true));
  return (text, field) => {
    const pieceTokens = field === "text" ? whole : parts;
    const tokens = [];
    for (const piece of text.match(CHUNK) || []) tokens.push(...pieceTokens(piece));
    return tokens;
  };
}

/**
 * Neighbouring words, without Chinese, which is filed by pairs anyway.
 * @param {string[]} terms
 */
export function pairsOf(terms) {
  const pairs = [];
  for (let i = 0; i + 1 < terms.length; i++) {
    if (terms[i][0] !== "~" && terms[i + 1][0] !== "~") pairs.push(`${terms[i]} ${terms[i + 1]}`);
  }
  return pairs;
}
