/*
 * From the tree of unbash to the few shapes that `script.js` runs; fieldguide/runtime/calculate/shell/shapes.py describes them,
 * and tree.py makes the same of another parser's tree.
 */

/** @typedef {any[]} Shape */
/** @typedef {any} Node a node of unbash's tree */

const DECLARATIONS = new Set(["export", "local", "declare", "typeset", "readonly"]);
const COMPARED = new Set(["=", "==", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "=~", "<", ">"]);

/**
 * The statements of a script.
 * @param {Node} list a script or a list of commands
 * @returns {Shape[]}
 */
export function statements(list) {
  return list ? list.commands.map((/** @type {Node} */ one) => statement(one.command)).filter(Boolean) : [];
}

/** @type {Record<string, (node: Node) => Shape | null>} */
const STATEMENTS = {
  Command: simple,
  Redirected: ({ command, redirects }) => {
    const made = statement(command);
    return made?.[0] === "simple" ? [...made.slice(0, 3), redirects.map(redirect)] : made;
  },
  Pipeline: ({ prefixes, commands }) => {
    const made = commands.map(statement).filter(Boolean);
    const piped = commands.length > 1 ? ["pipe", made] : made[0] ?? null;
    return piped && prefixes.some((/** @type {Node} */ one) => one.type === "Negation") ? ["not", piped] : piped;
  },
  AndOr: ({ commands, operators }) => commands.map(statement).reduce((/** @type {Shape | null} */ made, /** @type {Shape | null} */ one, /** @type {number} */ at) =>
    (made && one ? [operators[at - 1] === "&&" ? "and" : "or", made, one] : made ?? one)),
  If: (node) => ["if", [node, ...node.elif].map((one) => [statements(one.clause), statements(one.then)]), statements(node.else)],
  While: ({ body }) => ["while", statements(body)],
  ArithmeticFor: ({ body }) => ["while", statements(body)],
  For: ({ name, wordlist, body }) => ["for", name.text, wordlist ? wordlist.map(word) : null, statements(body)],
  Case: ({ word: value, items }) => ["case", word(value), items.map((/** @type {Node} */ one) => [one.pattern.map(word), statements(one.body)])],
  Function: ({ name, body }) => {
    const made = body.type === "CompoundList" ? ["block", statements(body)] : statement(body);
    return ["function", name.text, made ? [made] : []];
  },
  BraceGroup: ({ body }) => ["block", statements(body)],
  Subshell: ({ body }) => ["block", statements(body)],
  TestCommand: ({ expression }) => ["test", test(expression)],
  ArithmeticCommand: ({ expression }) => ["math", counting(expression)],
};

/**
 * @param {Node} node
 * @returns {Shape | null}
 */
function statement(node) { return Object.hasOwn(STATEMENTS, node.type) ? STATEMENTS[node.type](node) : null; }

/**
 * @param {Node} node
 * @returns {Shape}
 */
function simple({ name, prefix, suffix }) {
  const parts = [...prefix, ...suffix], assigned = parts.filter(({ type }) => type === "Assignment").map(assignment);
  if (name && DECLARATIONS.has(name.text)) return ["simple", assigned, [], []];
  const words = suffix.filter((/** @type {Node} */ { type }) => type === "Word");
  if (name?.text === "[") return ["test", bracket(words.slice(0, -1))];
  const redirects = parts.filter(({ type }) => type === "Redirect" || type === "HereDoc" || type === "HereString");
  return ["simple", assigned, name ? [word(name), ...words.map(word)] : [], redirects.map(redirect)];
}

/**
 * @param {Node} node
 * @returns {Shape}
 */
function assignment({ name, index, append, value }) {
  const made = value?.type === "ArrayValue" ? ["array", value.elements.map(word)] : value ? word(value) : [];
  return [name, index ? word(index) : null, Boolean(append), made];
}

/**
 * @param {Node} node
 * @returns {Shape}
 */
function redirect(node) {
  if (node.type === "HereDoc") {
    const { body, delimiter } = node;
    const isPlain = delimiter?.quoted || !body.parts, parts = isPlain ? [["text", body.text, true]] : inside(body.parts, true);
    return ["here", delimiter?.quoted ? parts : parts.map(unescaped), node.operator === "<<-"];
  }
  const target = node.target ? word(node.target) : [];
  if (node.type === "HereString") return ["here", target, false];
  return [[">", ">>", ">|"].includes(node.operator) ? "to" : "other", target];
}

/**
 * The parser leaves what a backslash hides in a here-document as it is written.
 * @param {Shape} shape
 */
function unescaped(shape) { return shape[0] === "text" ? ["text", shape[1].replace(/\\([$`\\]|\n)/g, (/** @type {string} */ _, /** @type {string} */ hidden) => (hidden === "\n" ? "" : hidden)), true] : shape; }

/* ---- Tests ----------------------------------------------------------------------------------------------------------- */

/**
 * @param {Node} node
 * @returns {Shape}
 */
function test(node) {
  switch (node.type) {
    case "TestUnary": return ["unary", node.operator || "-n", word(node.operand)];
    case "TestBinary": return compared(node.operator, node.left, node.right);
    case "TestLogical": return node.operands.map(test).reduce((/** @type {Shape} */ a, /** @type {Shape} */ b) => [node.operator === "&&" ? "and" : "or", a, b]);
    case "TestNot": return node.negations.length % 2 ? ["not", test(node.operand)] : test(node.operand);
    case "TestGroup": return test(node.expression);
    default: return ["open"];
  }
}

/**
 * @param {string} operator
 * @param {Node} left
 * @param {Node} right
 * @returns {Shape}
 */
function compared(operator, left, right) { return COMPARED.has(operator) ? ["binary", operator, word(left), word(right)] : ["open"]; }

/**
 * The words of `[ … ]`.
 * @param {Node[]} words
 * @returns {Shape}
 */
function bracket(words) {
  if (words[0]?.text === "!") return ["not", bracket(words.slice(1))];
  if (words.length === 1) return ["unary", "-n", word(words[0])];
  if (words.length === 2) return ["unary", words[0].text, word(words[1])];
  return words.length === 3 ? compared(words[1].text, words[0], words[2]) : ["open"];
}

/* ---- Words ----------------------------------------------------------------------------------------------------------- */

/**
 * @param {Node} node
 * @returns {Shape[]}
 */
function word(node) { return node.parts ? inside(node.parts, false) : [["text", node.value, false]]; }

/**
 * @param {Node[]} parts
 * @param {boolean} quoted
 * @returns {Shape[]}
 */
function inside(parts, quoted) { return parts.flatMap((one) => part(one, quoted)); }

/**
 * @param {Node} node
 * @param {boolean} quoted
 * @returns {Shape[]}
 */
function part(node, quoted) {
  switch (node.type) {
    case "SingleQuoted": case "AnsiCQuoted": return [["text", node.value, true]];
    case "DoubleQuoted": case "LocaleString": return node.parts.length ? inside(node.parts, true) : [["text", "", true]];
    case "SimpleExpansion": return [["param", node.text.slice(1), null, "", null, [], quoted, node.text]];
    case "ParameterExpansion": return [parameter(node, quoted)];
    case "CommandExpansion": return [node.script ? ["run", statements(node.script), quoted, node.text] : ["open", node.text, quoted]];
    case "ArithmeticExpansion": return [["math", counting(node.expression), quoted, node.text]];
    case "ProcessSubstitution": return [["open", node.text, quoted]];
    default: return [["text", node.value ?? node.text, quoted]];
  }
}

/**
 * @param {Node} node
 * @param {boolean} quoted
 * @returns {Shape}
 */
function parameter({ parameter: name, index, prefix, operation, text }, quoted) {
  const words = operation ? [operation.operand, operation.pattern, operation.replacement, operation.offset, operation.length] : [];
  if (operation && (operation.type === "Names" || operation.type === "Unknown")) return ["open", text, quoted];
  const operands = words.filter((one) => one && one.type === "Word").map(word);
  const shown = index || prefix || operation ? text : `$${name}`; // as without braces
  return ["param", name, index ? word(index) : null, prefix ?? "", operation?.operator ?? null, operands, quoted, shown];
}

/* ---- Arithmetic ------------------------------------------------------------------------------------------------------ */

/**
 * A number, a name, or a name behind a dollar, which the parser leaves as it is.
 * @param {string} text
 * @returns {Shape}
 */
function counted(text) { return /^\$\w+$/.test(text) ? ["param", text.slice(1), null, "", null, [], true, text] : ["text", text, true]; }

/**
 * @param {Node | undefined} node
 * @returns {Shape}
 */
function counting(node) {
  switch (node?.type) {
    case "ArithmeticBinary": return ["binary", node.operator, counting(node.left), counting(node.right)];
    case "ArithmeticUnary": return node.prefix ? ["unary", node.operator, counting(node.operand)] : ["open"];
    case "ArithmeticTernary": return ["choice", counting(node.test), counting(node.consequent), counting(node.alternate)];
    case "ArithmeticGroup": return counting(node.expression);
    case "ArithmeticWord": return ["word", node.parts ? inside(node.parts, true) : [counted(node.value)]];
    case "ArithmeticCommandExpansion": return ["word", node.script ? [["run", statements(node.script), true, node.text]] : [["open", node.text, true]]];
    default: return ["open"];
  }
}
