"""tree-sitter's grammar of Bash, and what has to be written otherwise for it to be read right."""

import re
from collections.abc import Iterator

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

_LANGUAGE = Language(tree_sitter_bash.language())
_NAME = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
_EXPANSION = re.compile(r"\$\{[A-Za-z_0-9]+(?:\[[^\]\n]*\])?(?::[-=+?]|[-=+?])")
_HIDDEN = re.compile(r"fghidden([0-9a-f]+)end")
_HARD = re.compile(r"[$`'\"\s(\\]")
_CLOSING = {"{": "}", "(": ")"}
LONGEST = 1000  # characters of a word inside an expansion
_JOINED = re.compile(r"(?<=['\"])\\\r?\n(?=['\"])")  # a word that goes on in the next line, between two quotes
ROUNDS = 4


def root_of(text: str) -> Node:
    """The tree of a script.

    tree-sitter-bash 0.25.1 loses `$B` in `$A:$B/c`, an unquoted word with two variables; with braces it does not. It takes
    arithmetic and quotes inside `${A:-…}` for other things, and the rest of the script with them: such words are hidden.
    """
    source = _hidden(_JOINED.sub("", text)).encode("utf-8", "replace")
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


def _hidden(text: str) -> str:
    """The text with each word that stands behind `${A:-` and has a parser's work in it as one plain word."""
    made, at = [], 0
    while start := _EXPANSION.search(text, at):
        end = _end(text, start.end())
        word = text[start.end() : end]
        made.append(text[at : start.end()])
        made.append(f"fghidden{word.encode('utf-8', 'surrogatepass').hex()}end" if word and _HARD.search(word) else word)
        at = end
    return "".join(made) + text[at:]


def _end(text: str, start: int) -> int:
    """Where the brace closes that was open at `start`; `start` where it does not."""
    closing = ["}"]
    at, last = start, min(len(text), start + LONGEST)
    while at < last:
        if text[at] == "\\":
            at += 1
        elif text[at] == closing[-1]:
            closing.pop()
            if not closing:
                return at
        elif wanted := _opened(text[at - 1 : at], text[at:last], closing[-1]):
            closing.append(wanted)
        at += 1
    return start


def _opened(before: str, rest: str, inside: str) -> str | None:
    """What closes what opens here, if anything does."""
    one = rest[0]
    if inside == "'":
        return None
    if one == '"':
        return one
    if one == "'":  # an apostrophe closes nothing
        return one if inside != '"' and "'" in rest[1:].partition("\n")[0] else None
    return _CLOSING[one] if one in _CLOSING and (one == "(" or before == "$") else None


def shown(text: str) -> str:
    """The text with what `root_of` hid."""
    while "fghidden" in text and (found := _HIDDEN.search(text)):
        text = text[: found.start()] + bytes.fromhex(found[1]).decode("utf-8", "surrogatepass") + text[found.end() :]
    return text


def _is_lost(node: Node) -> bool:
    """Whether a dollar stands outside every expansion."""
    return node.type == "$" and node.parent is not None and node.parent.type != "simple_expansion"


def within(node: Node) -> Iterator[Node]:
    """A node and all below it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(one.children)
