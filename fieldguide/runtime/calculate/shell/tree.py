"""From tree-sitter's tree of a script to the shapes of `shapes.py`."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tree_sitter import Node

from fieldguide.runtime.calculate.shell.grammar import root_of, shown, within
from fieldguide.runtime.calculate.shell.shapes import Shape, Word

_EXPANSIONS = frozenset({"simple_expansion", "expansion", "command_substitution", "arithmetic_expansion"})
_HIDDEN = frozenset({"comment", "heredoc_start", "heredoc_end"})
_TESTED = frozenset({"=", "==", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "=~", "<", ">"})


def parse(text: str) -> list[Shape]:
    """The statements of a script; what the parser cannot make out is left out."""
    return [*_statements(root_of(text).children)]


def _text(node: Node) -> str:
    return shown((node.text or b"").decode("utf-8", "replace"))


def _named(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type not in _HIDDEN]


# ---- Statements -------------------------------------------------------------------------------------------------------


def _statements(nodes: Sequence[Node]) -> Iterator[Shape]:
    for node in nodes:
        if node.is_named and (made := _statement(node)):
            yield made


def _block(node: Node | None) -> list[Shape]:
    return [*_statements(node.children)] if node else []


def _statement(node: Node) -> Shape | None:
    make = _STATEMENTS.get(node.type)
    return make(node) if make else None


def _simple(node: Node) -> Shape:
    words = [word for child in node.children if (word := _argument(child)) is not None]
    return ("simple", _assigned(node), words, [_redirect(child) for child in node.children if child.type.endswith("redirect")])


def _argument(node: Node) -> Word | None:
    if node.type == "command_name":
        return _word(node.named_children[0]) if node.named_children else _literal(_text(node))
    if node.type in _HIDDEN or node.type == "variable_assignment" or node.type.endswith("redirect"):
        return None
    return _word(node) if node.is_named or _text(node) not in ("(", ")") else None


def _assigned(node: Node) -> list[Shape]:
    return [_assignment(child) for child in node.children if child.type == "variable_assignment"]


def _assignment(node: Node) -> Shape:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    index = None
    if name is not None and name.type == "subscript":
        index = _index(name)
        name = name.child_by_field_name("name")
    append = any(child.type == "+=" for child in node.children)
    made: Any = ("array", [_word(child) for child in _named(value)]) if value and value.type == "array" else None
    return (_text(name) if name else "", index, append, made or (_word(value) if value else []))


def _index(node: Node) -> Word:
    index = node.child_by_field_name("index")
    return _word(index) if index else []


def _redirected(node: Node) -> Shape | None:
    body = node.child_by_field_name("body")
    inner = _statement(body) if body else ("simple", [], [], [])
    redirects = [one for child in node.children if child.type.endswith("redirect") for one in _redirects(child)]
    rest = [made for child in node.children if (made := _piped(child))]
    if inner and inner[0] == "simple":
        inner = (*inner[:3], [*inner[3], *redirects])
    return ("block", [inner, *rest]) if inner and rest else inner


def _piped(node: Node) -> Shape | None:
    """A command behind a here-document's operator, which the parser keeps inside it."""
    if node.type != "heredoc_redirect":
        return None
    found = [made for child in node.named_children if child.type in _STATEMENTS and (made := _statement(child))]
    return ("block", found) if found else None


def _redirects(node: Node) -> Iterator[Shape]:
    yield _redirect(node)
    if node.type == "heredoc_redirect":
        yield from (_redirect(child) for child in node.children if child.type == "file_redirect")


def _redirect(node: Node) -> Shape:
    if node.type == "heredoc_redirect":
        start = next((_text(child) for child in node.children if child.type == "heredoc_start"), "")
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        quoted = start[:1] in ("'", '"', "\\")
        word = _literal(_text(body), True) if body and quoted else _between(body, True) if body else []
        return ("here", word, any(child.type == "<<-" for child in node.children))
    if node.type == "herestring_redirect":
        return ("here", _word(_named(node)[0]) if _named(node) else [], False)
    operator = next((child.type for child in node.children if not child.is_named), "")
    target = node.child_by_field_name("destination")
    return ("to" if operator in (">", ">>", ">|") else "other", _word(target) if target else [])


def _list(node: Node) -> Shape | None:
    operator = next((child.type for child in node.children if child.type in ("&&", "||")), "&&")
    parts = [*_statements(node.children)]
    if len(parts) < 2:
        return parts[0] if parts else None
    return ("and" if operator == "&&" else "or", parts[0], parts[1])


def _if(node: Node) -> Shape:
    branches: list[Shape] = [_branch(node)]
    otherwise: list[Shape] = []
    for child in node.children:
        if child.type == "elif_clause":
            branches.append(_branch(child))
        elif child.type == "else_clause":
            otherwise = _block(child)
    return ("if", branches, otherwise)


def _branch(node: Node) -> Shape:
    """The statements before `then`, and those behind it."""
    then = next((at for at, child in enumerate(node.children) if child.type == "then"), len(node.children))
    tests, body = node.children[:then], node.children[then:]
    return ([*_statements(tests)], [*_statements([one for one in body if one.type not in ("elif_clause", "else_clause")])])


def _while(node: Node) -> Shape:
    return ("while", _block(node.child_by_field_name("body")))


def _for(node: Node) -> Shape:
    name = node.child_by_field_name("variable")
    words = [_word(child) for child in node.children_by_field_name("value")]
    given = any(child.type == "in" for child in node.children)
    return ("for", _text(name) if name else "", words if given else None, _block(node.child_by_field_name("body")))


def _case(node: Node) -> Shape:
    value = node.child_by_field_name("value")
    items = [child for child in node.children if child.type == "case_item"]
    return ("case", _word(value) if value else [], [_case_item(item) for item in items])


def _case_item(node: Node) -> Shape:
    patterns = node.children_by_field_name("value")
    body = [child for child in node.children if child not in patterns]
    return ([_word(pattern) for pattern in patterns], [*_statements(body)])


def _function(node: Node) -> Shape:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    made = _statement(body) if body else None
    return ("function", _text(name) if name else "", [made] if made else [])


def _compound(node: Node) -> Shape:
    if node.children and node.children[0].type == "((":
        return ("math", _expression(_named(node)[0]) if _named(node) else ("open",))
    return ("block", _block(node))


def _negated(node: Node) -> Shape | None:
    inner = [*_statements(node.children)]
    return ("not", inner[0]) if inner else None


def _test_command(node: Node) -> Shape:
    if node.children and node.children[0].type == "((":
        return _compound(node)
    return ("test", _test(_named(node)[0]) if _named(node) else ("open",))


_STATEMENTS: dict[str, Callable[[Node], Shape | None]] = {
    "command": _simple,
    "declaration_command": lambda node: ("simple", _assigned(node), [], []),
    "unset_command": lambda node: ("simple", [], [_literal(word) for word in _text(node).split()], []),
    "variable_assignment": lambda node: ("simple", [_assignment(node)], [], []),
    "variable_assignments": lambda node: ("simple", _assigned(node), [], []),
    "redirected_statement": _redirected,
    "pipeline": lambda node: ("pipe", _block(node)),
    "list": _list,
    "if_statement": _if,
    "while_statement": _while,
    "c_style_for_statement": _while,
    "for_statement": _for,
    "case_statement": _case,
    "function_definition": _function,
    "compound_statement": _compound,
    "subshell": lambda node: ("block", _block(node)),
    "do_group": lambda node: ("block", _block(node)),
    "negated_command": _negated,
    "test_command": _test_command,
    "ERROR": lambda node: ("block", _block(node)),
}

# ---- Tests ------------------------------------------------------------------------------------------------------------


def _test(node: Node) -> Shape:
    if node.type == "parenthesized_expression":
        return _test(_named(node)[0])
    if node.type == "unary_expression":
        operator, operand = _text(node.children[0]), node.children[-1]
        return ("not", _test(operand)) if operator == "!" else ("unary", operator, _word(operand))
    if node.type == "binary_expression":
        operator = next((_text(child) for child in node.children[1:-1] if child.type != "comment"), "")
        if operator in ("&&", "||"):
            return ("and" if operator == "&&" else "or", _test(node.children[0]), _test(node.children[-1]))
        if operator not in _TESTED:
            return ("open",)
        return ("binary", operator, _word(node.children[0]), _word(node.children[-1]))
    return ("unary", "-n", _word(node))


# ---- Words ------------------------------------------------------------------------------------------------------------


def _literal(text: str, quoted: bool = False) -> Word:
    return [("text", text, quoted)]


def _word(node: Node, quoted: bool = False) -> Word:
    kind = node.type
    if kind == "string":
        return _between(node, True)
    if kind in ("raw_string", "ansi_c_string"):
        return _literal(_text(node)[1 if kind == "raw_string" else 2 : -1], True)
    if kind == "translated_string":
        return _word(node.children[-1])
    if kind == "concatenation":
        return _between(node, quoted)
    if kind in _EXPANSIONS:
        return [_expansion(node, quoted)]
    if kind == "process_substitution":
        return [("open", _text(node), quoted)]
    return _between(node, quoted) if node.named_child_count else _literal(_unescaped(_text(node), quoted))


def _between(node: Node, quoted: bool) -> Word:
    """Everything inside a node: its parts, and the text between them, which has no nodes of its own."""
    source = node.text or b""
    at, end = 0, len(source)
    if node.type == "string":
        at, end = 1, end - 1
    made: Word = []
    for child in node.named_children:
        if child.type == "string_content" or child.type == "heredoc_content" or child.type in _HIDDEN:
            continue
        # A brace that opens takes the spaces before it.
        written = child.text or b""
        start = child.start_byte - node.start_byte + len(written) - len(written.lstrip())
        if start > at:
            made += _literal(_unescaped(shown(source[at:start].decode("utf-8", "replace")), quoted), quoted)
        made += _word(child, quoted)
        at = child.end_byte - node.start_byte
    if at < end or (quoted and not made):
        made += _literal(_unescaped(shown(source[at:end].decode("utf-8", "replace")), quoted), quoted)
    return made


def _unescaped(text: str, quoted: bool) -> str:
    if "\\" not in text:
        return text
    made, at = "", 0
    while at < len(text):
        following = text[at + 1 : at + 2]
        if text[at] == "\\" and following and (not quoted or following in '$`"\\\n'):
            made += "" if following == "\n" else following
            at += 2
        else:
            made += text[at]
            at += 1
    return made


def _expansion(node: Node, quoted: bool) -> Shape:
    source = _text(node).lstrip()
    if node.type == "arithmetic_expansion":
        inner = _named(node)
        return ("math", _expression(inner[0]), quoted, source) if len(inner) == 1 else ("open", source, quoted)
    if node.type == "command_substitution":
        if source.startswith("$((") and source.endswith("))"):  # inside ${…} the parser takes it for a subshell
            return _reparsed(source, quoted)
        return ("run", _block(node), quoted, source)
    if node.type == "simple_expansion":
        return ("param", source[1:], None, "", None, [], quoted, source)
    return _parameter(node, quoted, source)


def _reparsed(source: str, quoted: bool) -> Shape:
    """Arithmetic parsed by itself."""
    alone = root_of(f"x={source}\n")
    node = next((child for child in within(alone) if child.type == "arithmetic_expansion"), None)
    return _expansion(node, quoted) if node is not None and _text(node) == source else ("open", source, quoted)


def _parameter(node: Node, quoted: bool, source: str) -> Shape:
    prefix = operator = ""
    name, index, seen = "", None, False
    words: list[Word] = []
    start = 0
    for child in node.children[1:-1]:
        kind = child.type
        if not seen:
            if kind in ("#", "!") and not child.is_named:
                prefix = kind
            elif kind in ("variable_name", "special_variable_name", "subscript"):
                seen = True
                inner = child.child_by_field_name("name") if kind == "subscript" else child
                name = _text(inner) if inner else ""
                index = _index(child) if kind == "subscript" else None
        elif not operator and not child.is_named:
            operator, start = kind, child.end_byte
    if not seen:
        return ("open", source, quoted)
    if operator:
        words = _operands(node, operator, start)
    shown = f"${name}" if index is None and not prefix and not operator else source  # as without braces
    return ("param", name, index, prefix, operator or None, words, quoted, shown)


def _operands(node: Node, operator: str, start: int) -> list[Word]:
    """What stands behind the operator, in parts where its separator divides it."""
    source, end = node.text or b"", node.end_byte - node.start_byte - 1
    divider = {"/": "/", "//": "/", "/#": "/", "/%": "/", ":": ":"}.get(operator)
    behind = [child for child in node.children[1:-1] if child.start_byte >= start]
    at = next((child for child in behind if divider and child.type == divider), None)
    first = start - node.start_byte
    if at is None:
        return [_operand(shown(source[first:end].decode("utf-8", "replace")))]
    middle = at.start_byte - node.start_byte
    return [_operand(shown(one.decode("utf-8", "replace"))) for one in (source[first:middle], source[middle + 1 : end])]


def _operand(text: str) -> Word:
    """A word inside an expansion, parsed by itself: within it the parser takes arithmetic for a subshell."""
    if not text.strip():
        return _literal(text)
    is_quoted = any(one in text for one in "\"'")
    root = root_of(f"x={text}\n" if is_quoted else f'x="{text}"\n')
    value = root.named_children[0].child_by_field_name("value") if len(root.named_children) == 1 else None
    return _literal(text) if value is None or root.has_error else _word(value)


# ---- Arithmetic -------------------------------------------------------------------------------------------------------


def _expression(node: Node) -> Shape:
    kind, inner = node.type, _named(node)
    if kind == "parenthesized_expression":
        return _expression(inner[0]) if inner else ("open",)
    if kind == "binary_expression" and len(inner) == 2:
        operator = next((_text(child) for child in node.children if not child.is_named), "")
        return ("binary", operator, _expression(inner[0]), _expression(inner[1]))
    if kind == "unary_expression" and inner:
        return ("unary", _text(node.children[0]), _expression(inner[-1]))
    if kind == "ternary_expression" and len(inner) == 3:
        return ("choice", *(_expression(one) for one in inner))
    if kind in ("number", "variable_name", "word", "concatenation", "string") or kind in _EXPANSIONS:
        return ("word", _word(node, True))
    return ("open",)
