"""Does the source still hold an error text? A signature's fixed parts, in order, in one string or on one line of code."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from fieldguide.content.signature import parse_signature

# What Python puts before the message; it stands in no string of the program.
_EXCEPTION = re.compile(r"^(?:[\w.]+\.)?\w*(?:Error|Exception|Warning|Exit): ")
# Fewer letters than this in all stand in every file.
LETTERS = 6
# Of the letters of a text, how many a string with holes must have for it to be taken for its source.
SHARE = 0.8
_HOLE = "\0"
# What `%` and `str.format` fill.
_CONVERSION = re.compile(r"%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[diouxXeEfFgGcrs]|\{[\w.\[\]]*(?:![rsa])?(?::[^{}]*)?\}")
_ROW = re.compile(r"[A-Za-z_]{4,}(?: [A-Za-z_]{2,}){0,2}")
ROWS = 8
# A row this long is in few files; shorter ones are searched for only where a text has no longer one.
TELLING = 12
COMPILED = frozenset({".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp"})
_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


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


def pieces(signature: str) -> tuple[str, ...]:
    """What of a signature one program prints at once: `{any}` stands between the lines of several.

    >>> pieces("in train.py{any}CUDA out of memory. Tried to allocate {num}")
    ('in train.py', 'CUDA out of memory. Tried to allocate {num}')
    """
    return tuple(piece for piece in re.split(r"\{any\}", signature) if sum(letter.isalpha() for letter in piece) >= LETTERS)


def printed_by(path: str, text: str, signature: str) -> bool:
    """Whether a file prints a text: a string has all its fixed parts, or gives it once its holes are filled.

    The second finds values that the signature has as they were and the source does not, as in `attempt 1/60`.
    """
    parts = fixed_parts(signature)
    if not parts:
        return False
    every, with_holes = _whole(path, text)
    if _in_order(parts).search(every):
        return True
    sample, rows = sample_of(signature), rows_of(signature)
    wanted = max(SHARE * _letters(sample), 2 * LETTERS)
    return any(
        any(row in unit for row in rows) and _letters(unit) >= wanted and _filled(unit).search(sample) for unit in with_holes
    )


@lru_cache(maxsize=64)
def _whole(path: str, text: str) -> tuple[str, tuple[str, ...]]:
    """All units of a file, a line each; and those with holes."""
    found = units(path, text)
    return "\n".join(dict.fromkeys(unit.text for unit in found)), tuple({unit.text for unit in found if _HOLE in unit.text})


@lru_cache(maxsize=4096)
def _in_order(parts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(".*?".join(re.escape(part) for part in parts))


@lru_cache(maxsize=4096)
def sample_of(signature: str) -> str:
    """A signature with each placeholder filled."""
    return _plain(_EXCEPTION.sub("", "".join("1" if piece.placeholder else piece.text for piece in parse_signature(signature))))


@lru_cache(maxsize=4096)
def rows_of(signature: str) -> tuple[str, ...]:
    """Rows of up to three words; at least one is in one piece in a source that prints the text, however it is wrapped."""
    found = sorted({row for part in fixed_parts(signature) for row in _ROW.findall(part)}, key=lambda row: (-len(row), row))
    long = [row for row in found if len(row) >= TELLING]
    return tuple((long or found)[:ROWS])


def _letters(text: str) -> int:
    return sum(letter.isalpha() for letter in text)


@lru_cache(maxsize=4096)
def _filled(template: str) -> re.Pattern[str]:
    return re.compile(".{0,200}?".join(re.escape(part) for part in template.split(_HOLE)))


def find_text(path: str, text: str, parts: tuple[str, ...]) -> Unit | None:
    """The first string or line of a file that has all parts in order."""
    pattern = _in_order(parts)
    return next((unit for unit in units(path, text) if parts[0] in unit.text and pattern.search(unit.text)), None)


@lru_cache(maxsize=64)
def units(path: str, text: str) -> tuple[Unit, ...]:
    """What a program may print from: strings, put together as the parser does, or as arguments of one call; and every line."""
    lines = tuple(Unit(_plain(line), number, number) for number, line in enumerate(text.splitlines(), 1))
    if path.endswith(".py"):
        return (*_strings(text), *lines)
    return (*_literals(text), *lines) if PurePosixPath(path).suffix in COMPILED else lines


def _strings(text: str) -> Iterator[Unit]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return  # the lines are still searched; the declarations report the file
    for node in ast.walk(tree):
        if isinstance(node, (ast.JoinedStr, ast.Constant, ast.BinOp, ast.Call)):
            found = _template(node)
            if found is not None:
                place = (node.lineno, node.end_lineno or node.lineno)
                yield Unit(_plain(found), *place)
                filled = _CONVERSION.sub(_HOLE, found)
                if filled != found:
                    yield Unit(_plain(filled), *place)


def _literals(text: str) -> Iterator[Unit]:
    """The strings of each statement of C and C++: side by side they are one, anything else between them is filled in."""
    line = 1
    for statement in re.split(r"(?<=;)", text):
        found, end = "", 0
        for literal in _LITERAL.finditer(statement):
            between = statement[end : literal.start()]
            found += (_HOLE if between.strip() and end else "") + literal[1]
            end = literal.end()
        last = line + statement.count("\n")
        if found:
            yield Unit(_plain(found.replace('\\"', '"').replace("\\n", " ")), line, last)
        line = last


def _template(node: ast.expr) -> str | None:
    """Text of a string expression with \\0 for what is filled in; None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_template(part) or _HOLE for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _joined((_template(node.left), _template(node.right)), "")
    if isinstance(node, ast.Call) and len(node.args) > 1:  # print("a", x, "b"), os.path.join, logger.error("%s", x)
        return _joined([_template(argument) for argument in node.args], " ")
    return None


def _joined(texts: Sequence[str | None], between: str) -> str | None:
    return between.join(_HOLE if text is None else text for text in texts) if any(text is not None for text in texts) else None


def _plain(text: str) -> str:
    return " ".join(text.split())
