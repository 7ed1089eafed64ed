"""Whole numbers as Bash counts with them; None for what nobody can say without running the script."""

from collections.abc import Callable
from typing import Any

from fieldguide.runtime.calculate.shell.shapes import Shape

LARGEST = 2**53 - 1  # beyond it JavaScript's numbers are no longer whole


def _quotient(a: int, b: int) -> int | None:
    """Division that drops what is behind the point, as Bash does below zero, too."""
    if not b:
        return None
    whole = abs(a) // abs(b)
    return whole if (a < 0) == (b < 0) else -whole


def _rest(a: int, b: int) -> int | None:
    whole = _quotient(a, b)
    return None if whole is None else a - whole * b


def _power(a: int, b: int) -> int | None:
    made = 1
    for _ in range(b if 0 <= b <= 64 else 0):
        made *= a
        if abs(made) > LARGEST:
            return None
    return made if 0 <= b <= 64 else None


_BINARY: dict[str, Callable[[int, int], int | None]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": _rest,
    "**": _power,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}
_UNARY: dict[str, Callable[[int], int]] = {"-": lambda a: -a, "+": lambda a: a, "!": lambda a: int(not a)}


def counted(expression: Shape, number: Callable[[Any], int | None]) -> int | None:
    """The value of an expression.

    Args:
        expression: see `shapes.py`.
        number: what a word of it stands for.
    """
    kind = expression[0]
    if kind == "word":
        return number(expression[1])
    if kind == "choice":
        test = counted(expression[1], number)
        return None if test is None else counted(expression[2 if test else 3], number)
    if kind == "unary" and expression[1] in _UNARY:
        value = counted(expression[2], number)
        return None if value is None else _UNARY[expression[1]](value)
    if kind == "binary" and expression[1] in _BINARY:
        a, b = counted(expression[2], number), counted(expression[3], number)
        made = None if a is None or b is None else _BINARY[expression[1]](a, b)
        return made if made is not None and abs(made) <= LARGEST else None
    return None
