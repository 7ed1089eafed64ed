"""Does the source still hold an error text? A signature's fixed parts, in order, in one string or on one line of code."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fieldguide.content.signature import parse_signature

# What Python puts before the message; it stands in no string of the program.
_EXCEPTION = re.compile(r"^(?:[\w.]+\.)?\w*(?:Error|Exception|Warning|Exit): ")
# Fewer letters than this in all stand in every file.
LETTERS = 6
_HOLE = "\0"


@dataclass(frozen=True)
class Unit:
    """A string with its holes (\\0), or a line of code; white space is single spaces."""

    text: str
    first: int
    last: int


def fixed_parts(signature: str) -> tuple[str, ...]:
    """The literal parts of a signature that source can be searched for; empty when too little of it is fixed.

    >>> fixed_parts("AssertionError: batch_size {int} < chunks {int}")
    ('batch_size', '< chunks')
    """
    literal = "".join(_HOLE if piece.placeholder else piece.text for piece in parse_signature(signature))
    parts = tuple(filter(None, (_plain(part) for part in _EXCEPTION.sub("", literal).split(_HOLE))))
    return parts if sum(letter.isalpha() for part in parts for letter in part) >= LETTERS else ()


def find_text(path: str, text: str, parts: tuple[str, ...]) -> Unit | None:
    """The first string or line of a file that has all parts in order."""
    pattern = re.compile(".*?".join(re.escape(part) for part in parts))
    return next((unit for unit in units(path, text) if parts[0] in unit.text and pattern.search(unit.text)), None)


@lru_cache(maxsize=512)
def units(path: str, text: str) -> tuple[Unit, ...]:
    """What a program may print from: the strings of Python, put together as the parser does, and every line."""
    lines = tuple(Unit(_plain(line), number, number) for number, line in enumerate(text.splitlines(), 1))
    return (*_strings(text), *lines) if path.endswith(".py") else lines


def _strings(text: str) -> Iterator[Unit]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return  # the lines are still searched; the declarations report the file
    for node in ast.walk(tree):
        if isinstance(node, (ast.JoinedStr, ast.Constant, ast.BinOp)):
            found = _template(node)
            if found is not None:
                yield Unit(_plain(found), node.lineno, node.end_lineno or node.lineno)


def _template(node: ast.expr) -> str | None:
    """Text of a string expression with \\0 for what is filled in; None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_template(part) or _HOLE for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = (_template(node.left), _template(node.right))
        return None if sides == (None, None) else "".join(_HOLE if side is None else side for side in sides)
    return None


def _plain(text: str) -> str:
    return " ".join(text.split())
