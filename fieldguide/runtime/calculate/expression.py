"""The small language in which rules and quantities are written, as Python and JavaScript read it alike.

Whole numbers, true and false, `None` (not set), texts; `+ - * // %`, comparisons, `and or not`, `a if c else b`; the
functions `min`, `max`, `lcm`, `ceildiv` and `since('v0.3.0')`. `compile_expression` turns the source text into nested lists,
`evaluate` and `render` below and `overrides/assets/javascripts/calculate/expression.js` read them; one set of test vectors
holds both to the same meaning.
"""

import ast
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

# A name is a plain text, so that the lists stay short; everything else that is no literal is [operator, operand …].
Node = Any
Value = int | bool | str | None

# Beyond it JavaScript's numbers are no longer whole.
LARGEST = 2**53 - 1

_BINARY: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
_FUNCTIONS = ("min", "max", "lcm", "ceildiv", "since")
# How tightly an operator binds; what is not listed needs no parentheses.
_STRENGTH = {
    "if": 0,
    "or": 1,
    "and": 2,
    "not": 3,
    **dict.fromkeys(_COMPARE.values(), 4),
    "+": 5,
    "-": 5,
    "*": 6,
    "//": 6,
    "%": 6,
}
ATOM = 9


class ExpressionError(ValueError):
    """The text is not in the language."""


class MissingError(Exception):
    """A name has no value: `name` says which."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class TooLargeError(ArithmeticError):
    """A result that the browser could not count exactly."""


def compile_expression(text: str) -> Node:
    """Source text to nested lists.

    Raises:
        ExpressionError: not Python, or something the language does not have.

    >>> compile_expression("samples % (tp * 2) == 0")
    ['==', ['%', 'samples', ['*', 'tp', 2]], 0]
    """
    try:
        return _compiled(ast.parse(text, mode="eval").body)
    except SyntaxError as error:
        raise ExpressionError(f"not an expression: {text!r}") from error


def _compiled(node: ast.expr) -> Node:
    match node:
        case ast.Constant(value=str()):
            return ["text", node.value]
        case ast.Constant(value=int() | None):
            return node.value
        case ast.Name():
            return node.id
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case ast.IfExp():
            return ["if", _compiled(node.test), _compiled(node.body), _compiled(node.orelse)]
        case _:
            operator, operands = _operation(node)
            return [operator, *map(_compiled, operands)]


def _operation(node: ast.expr) -> tuple[str, list[ast.expr]]:
    """Operator and operands, as the language names them."""
    match node:
        case ast.BinOp() if type(node.op) in _BINARY:
            return _BINARY[type(node.op)], [node.left, node.right]
        case ast.Compare(ops=[operator], comparators=[right]) if type(operator) in _COMPARE:
            return _COMPARE[type(operator)], [node.left, right]
        case ast.BoolOp():
            return "and" if isinstance(node.op, ast.And) else "or", node.values
        case ast.UnaryOp(op=ast.Not()):
            return "not", [node.operand]
        case ast.Call(func=ast.Name(id=name), keywords=[]) if name in _FUNCTIONS and node.args:
            return name, node.args
    raise ExpressionError(f"not in the language of rules: {ast.unparse(node)}")


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

    >>> render(compile_expression("(a + b) * c % 2 == 0"), str.upper)
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
