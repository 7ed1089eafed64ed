"""`add_argument` calls as declarations of flags: slime, and any other program built on argparse."""

import ast
import copy
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from fieldguide.content.catalog.models import KeyKind
from fieldguide.upkeep.extract.classes import source, text_of
from fieldguide.upkeep.extract.declared import Declared, Extraction, one_line, shown
from fieldguide.upkeep.extract.git import GitError, Tree

SWITCHES = frozenset({"store_true", "store_false"})  # actions of a flag that takes no value


def flags(tree: Tree, paths: Iterable[str], leave_out: Collection[str] = ()) -> Extraction:
    """Every literal flag of these files, the last of equal ones.

    Args:
        leave_out: functions whose flags are no settings of their own (a first pass over the command line).
    """
    found: dict[str, Declared] = {}
    read, problems = [], []
    for path in paths:
        try:
            for one in _parsed(path, tree.text(path)):
                if one.declared not in leave_out:
                    found[one.name] = one
            read.append(path)
        except SyntaxError as error:
            problems.append(f"{path}:{error.lineno}: not valid Python: {error.msg}")
        except GitError as error:
            problems.append(str(error))
    return Extraction(tuple(found.values()), tuple(read), tuple(problems))


@lru_cache(maxsize=1024)
def _parsed(path: str, text: str) -> tuple[Declared, ...]:
    return tuple(_calls(unrolled(ast.parse(text)), "", path, text.splitlines()))


def unrolled(tree: ast.Module) -> ast.Module:
    """The tree with its loops over literal names as their rounds."""
    made: ast.Module = _Unrolled().visit(tree)
    return made


class _Unrolled(ast.NodeTransformer):
    """A loop over literal names becomes its rounds: OpenRLHF declares `--{prefix}.optim` for actor and critic at once."""

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        items = node.iter.elts if isinstance(node.iter, ast.Tuple | ast.List) else []
        names = [one.value for one in items if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if not isinstance(node.target, ast.Name) or not names or len(names) < len(items):
            return node
        rounds = [_Round(node.target.id, name) for name in names]
        return [one.visit(copy.deepcopy(statement)) for one in rounds for statement in node.body]


class _Round(ast.NodeTransformer):
    """One round of such a loop: its variable has a value, and what follows from that value alone is worked out."""

    def __init__(self, variable: str, value: str) -> None:
        self._variable, self._value = variable, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Constant(self._value), node) if node.id == self._variable else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.generic_visit(node)
        parts = [one.value if isinstance(one, ast.FormattedValue) else one for one in node.values]
        if not all(isinstance(one, ast.Constant) for one in parts):
            return node
        return ast.copy_location(ast.Constant("".join(str(one.value) for one in parts if isinstance(one, ast.Constant))), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        match node.test:
            case ast.Compare(left=ast.Constant(value=left), ops=[ast.Eq()], comparators=[ast.Constant(value=right)]):
                return node.body if left == right else node.orelse
        return node


def _calls(node: ast.AST, function: str, path: str, lines: Sequence[str]) -> Iterator[Declared]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and declares(child):
            yield from _flag(child, function, path, lines)
        inner = child.name if isinstance(child, ast.FunctionDef) else function
        yield from _calls(child, inner, path, lines)


def declares(call: ast.Call) -> bool:
    """`parser.add_argument(…)`, or slime's `reset_arg(parser, …)`, which adds a flag or changes Megatron's default."""
    return (isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument") or _is_reset(call)


def _is_reset(call: ast.Call) -> bool:
    """Whether it is `reset_arg`, which leaves type and help of a flag that Megatron has as they are."""
    return isinstance(call.func, ast.Name) and call.func.id == "reset_arg"


def _flag(call: ast.Call, function: str, path: str, lines: Sequence[str]) -> Iterator[Declared]:
    literal = spelled(call)
    long = [one for one in literal if str(one.value).startswith("--")]
    if not long:
        return
    options = _options(call)
    name = str(long[0].value).lstrip("-").replace("-", "_")
    usual = "--" + (name if "." in name else name.replace("_", "-"))
    action = str(text_of(options.get("action")) or "")
    yield Declared(
        name=name,
        kind=KeyKind.FLAG,
        type=_type(options, action, lines),
        default=flag_default(call, lines),
        required=_is_true(options.get("required")),
        choices=_choices(options.get("choices")),
        help=one_line(text_of(options.get("help")) or "") or None,
        declared=function,
        paths=(),
        spellings=tuple(str(one.value) for one in literal if one.value != usual),
        path=path,
        line=long[0].lineno,
        contains=shown(lines[long[0].lineno - 1]),
        reset=_is_reset(call),
    )


def _type(options: dict[str, ast.expr], action: str, lines: Sequence[str]) -> str:
    if action in SWITCHES or "BooleanOptionalAction" in ast.unparse(options.get("action", ast.Constant(""))):
        return "flag"
    given = options.get("type")
    name = {"json.loads": "json"}.get(source(lines, given), source(lines, given)) if given else "str"
    many = options.get("nargs")
    return f"list of {name}" if many is not None and source(lines, many) != '"?"' else name


def spelled(call: ast.Call) -> list[ast.Constant]:
    """The literal names of a flag, dashes included."""
    return [one for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _options(call: ast.Call) -> dict[str, ast.expr]:
    return {one.arg: one.value for one in call.keywords if one.arg}


def flag_default(call: ast.Call, lines: Sequence[str]) -> str | None:
    """Source text of what a flag is without being given; None when it must be given."""
    options = _options(call)
    action = text_of(options.get("action"))
    # A flag is off until it is given, also where the program keeps the opposite.
    if "default" in options and action != "store_false":
        return source(lines, options["default"])
    if action in SWITCHES:
        return "False"
    return None if _is_true(options.get("required")) else "None"


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _choices(node: ast.expr | None) -> tuple[str, ...]:
    items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
    return tuple(str(item.value) for item in items if isinstance(item, ast.Constant))
