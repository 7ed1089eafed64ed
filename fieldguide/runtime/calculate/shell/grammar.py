"""tree-sitter's grammar of Bash, and what has to be written otherwise for it to be read right."""

import re
from collections.abc import Iterator

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

_LANGUAGE = Language(tree_sitter_bash.language())
_NAME = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
_JOINED = re.compile(r"(?<=['\"])\\\r?\n(?=['\"])")  # a word that goes on in the next line, between two quotes
ROUNDS = 4


def root_of(text: str) -> Node:
    """The tree of a script.

    tree-sitter-bash 0.25.1 loses `$B` in `$A:$B/c`, an unquoted word with two variables; with braces it does not.
    """
    source = _JOINED.sub("", text).encode("utf-8", "replace")
    parser = Parser(_LANGUAGE)
    root = parser.parse(source).root_node
    for _ in range(ROUNDS):
        lost = [match for one in within(root) if _is_lost(one) and (match := _NAME.match(source, one.end_byte))]
        if not lost:
            break
        for name in reversed(lost):
            source = b"%b{%b}%b" % (source[: name.start()], name[0], source[name.end() :])
        root = parser.parse(source).root_node
    return root


def _is_lost(node: Node) -> bool:
    """Whether a dollar stands outside every expansion."""
    return node.type == "$" and node.parent is not None and node.parent.type != "simple_expansion"


def within(node: Node) -> Iterator[Node]:
    """A node and all below it."""
    yield node
    for child in node.children:
        yield from within(child)
