"""The small language in which rules and quantities are written: source text to nested lists.

Whole numbers, true and false, `None` (not set), texts; `+ - * // %`, comparisons, `and or not`, `a if c else b`; the
functions `min`, `max`, `lcm`, `ceildiv` and `since('v0.3.0')`. `fieldguide.runtime.calculate.expression` and the browser read
the lists.
"""

import ast

from fieldguide.runtime.calculate.expression import Node

_BINARY: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
_FUNCTIONS = ("min", "max", "lcm", "ceildiv", "since")


class ExpressionError(ValueError):
    """The text is not in the language."""


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
