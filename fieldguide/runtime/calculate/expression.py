"""Rules and quantities as nested lists, worked out and written as code.

`content/expression.py` makes the lists of source text. `overrides/assets/javascripts/calculate/expression.js` reads them, too;
one set of test vectors holds both to the same meaning.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

# A name is a plain text, so that the lists stay short; everything else that is no literal is [operator, operand …].
Node = Any
Value = int | bool | str | None

# Beyond it JavaScript's numbers are no longer whole.
LARGEST = 2**53 - 1

# How tightly an operator binds; what is not listed needs no parentheses.
_STRENGTH = {
    "if": 0,
    "or": 1,
    "and": 2,
    "not": 3,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "is", "is not"), 4),
    "+": 5,
    "-": 5,
    "*": 6,
    "//": 6,
    "%": 6,
}
ATOM = 9


class MissingError(Exception):
    """A name has no value: `name` says which."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class TooLargeError(ArithmeticError):
    """A result that the browser could not count exactly."""


def names_in(node: Node) -> Iterator[str]:
    """Every name, as often as it stands there."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list) and node[0] not in ("text", "since"):
        for operand in node[1:]:
            yield from names_in(operand)


def _whole(value: Value) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is no number")
    if abs(value) > LARGEST:
        raise TooLargeError
    return value


_OPERATIONS: dict[str, Callable[..., Value]] = {
    "+": lambda a, b: _whole(a + b),
    "-": lambda a, b: _whole(a - b),
    "*": lambda a, b: _whole(a * b),
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "is": lambda a, b: a is b,
    "is not": lambda a, b: a is not b,
    "not": lambda a: not a,
    "min": min,
    "max": max,
    "lcm": lambda *numbers: _whole(math.lcm(*numbers)),
    "ceildiv": lambda a, b: -(-a // b),
}


def evaluate(node: Node, values: Mapping[str, Value]) -> Value:
    """What an expression comes to.

    Raises:
        MissingError: a name without a value.
        ZeroDivisionError: division by zero.
        TooLargeError: a result beyond `LARGEST`.
    """
    if isinstance(node, str):
        if node not in values:
            raise MissingError(node)
        return values[node]
    if not isinstance(node, list):
        return node  # type: ignore[no-any-return]
    operator, *operands = node
    if operator == "text":
        return str(operands[0])
    if operator == "if":
        return evaluate(operands[1 if evaluate(operands[0], values) else 2], values)
    if operator == "and":
        return all(evaluate(operand, values) for operand in operands)
    if operator == "or":
        return any(evaluate(operand, values) for operand in operands)
    return _OPERATIONS[operator](*(evaluate(operand, values) for operand in operands))


def taken(node: Node, values: Mapping[str, Value]) -> Node:
    """The expression without the branches that these values do not take."""
    if not isinstance(node, list) or node[0] == "text":
        return node
    if node[0] == "if":
        return taken(node[2 if evaluate(node[1], values) else 3], values)
    return [node[0], *(taken(operand, values) for operand in node[1:])]


def render(node: Node, name: Callable[[str], str], outer: int = -1) -> str:
    """The expression as code, each name written as `name` says.

    >>> render(["==", ["%", ["*", ["+", "a", "b"], "c"], 2], 0], str.upper)
    '(A + B) * C % 2 == 0'
    """
    if isinstance(node, str):
        return name(node)
    if not isinstance(node, list):
        return str(node)
    operator, *operands = node
    strength = _STRENGTH.get(operator, ATOM)
    text = _rendered(operator, operands, name, strength)
    return f"({text})" if strength < outer else text


def _rendered(operator: str, operands: list[Node], name: Callable[[str], str], strength: int) -> str:
    if operator == "text":
        return str(operands[0])
    if operator == "if":
        test, then, other = (render(operand, name, strength + 1) for operand in operands)
        return f"{then} if {test} else {other}"
    if operator == "not":
        return f"not {render(operands[0], name, strength)}"
    if operator == "ceildiv":
        return f"ceil({render(operands[0], name, 6)} / {render(operands[1], name, 7)})"
    if strength == ATOM:
        return f"{operator}({', '.join(render(operand, name) for operand in operands)})"
    # The right side of - // % needs its parentheses even at equal strength.
    parts = [render(operand, name, strength + (index > 0)) for index, operand in enumerate(operands)]
    return f" {operator} ".join(parts)
