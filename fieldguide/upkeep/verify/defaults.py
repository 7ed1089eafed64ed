"""The default that a declaration states: dataclass fields, argparse flags, environment look-ups, YAML.

Only what stands in the source is read; nothing is imported or run. Forms: Python's `ast` and argparse's rules for
`action` (a flag without value is off until it is given).
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import yaml

from fieldguide.upkeep.extract.arguments import SWITCHES

# ChatLearn's `${name:default}`: an environment variable with what holds without it.
_VARIABLE = re.compile(r"^\$\{\w+:([^}]*)\}$")


class UnparsableError(Exception):
    """The file is no valid Python or YAML.

    Attributes:
        line: where the parser gave up; 0 when it does not say.
    """

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        super().__init__(f"does not parse: {reason}")


@dataclass(frozen=True)
class Declared:
    """A default as its declaration states it.

    Attributes:
        default: source text in one form of writing; None when the declaration states no default.
        first, last: lines of the declaration.
    """

    default: str | None
    first: int
    last: int


def declared(path: str, text: str, line: int, name: str) -> Declared | None:
    """What the declaration of `name` around a line states; None when no known form stands there.

    Raises:
        UnparsableError: the file is broken.
    """
    if path.endswith(".py"):
        return _in_python(text, line, name)
    return _in_yaml(text, line, name) if path.endswith((".yaml", ".yml")) else None


def parse(path: str, text: str) -> None:
    """Nothing, if the file is sound or of no format that is read.

    Raises:
        UnparsableError: the file is broken.
    """
    if path.endswith(".py"):
        _declarations(text)
    elif path.endswith((".yaml", ".yml")):
        _pairs(text)


def same_default(one: str | None, other: str | None) -> bool:
    """Whether two source texts mean one value: quotes, spaces and `field(default_factory=…)` do not matter."""
    return _normal(one) == _normal(other)


def states(path: str, stated: str | None, claimed: str | None) -> bool:
    """Whether a declaration states the default that the catalog claims; YAML's strings need no quotes, nor do those in a list.

    >>> states("a.yaml", "'out/log'", "out/log"), states("a.py", "'out/log'", "out/log")
    (True, False)
    >>> states("a.yaml", "['a', 're:.*b$']", "[a, re:.*b$]"), states("a.yaml", "['a']", "[b]")
    (True, False)
    """
    if same_default(stated, claimed):
        return True
    if path.endswith(".py") or claimed is None:
        return False
    return same_default(stated, repr(claimed)) or same_default(stated, _list(claimed))


def _list(text: str) -> str | None:
    """Python's writing of a YAML list; None for anything else."""
    if not text.startswith("["):
        return None
    try:
        # An asterisk begins an alias in YAML unless it is quoted; upstream's patterns begin with one.
        value = yaml.safe_load(re.sub(r"(?<=[\[ ])\*[^,\]]*", lambda one: repr(one.group()), text))
    except yaml.YAMLError:
        return None
    return repr(value)


@lru_cache(maxsize=4096)
def _normal(text: str | None) -> str:
    """
    >>> _normal("field(default_factory=dict)"), _normal('"a"'), _normal("lambda: [0.5]"), _normal("field(default_factory=Role)")
    ('{}', "'a'", '[0.5]', 'Role()')
    """
    if text is None:
        return "None"
    try:
        return _factory(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError):
        return " ".join(text.split())


def _factory(node: ast.expr) -> str:
    """Source text; a factory is what it makes."""
    if isinstance(node, ast.Call) and _called(node) in ("field", "Field"):
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        if factory := given.get("default_factory"):
            return _made(factory)
        return _factory(given["default"]) if "default" in given else "None"
    if isinstance(node, ast.Lambda):
        return ast.unparse(node.body)
    if isinstance(node, ast.Name):
        return {"dict": "{}", "list": "[]", "null": "None", "true": "True", "false": "False"}.get(node.id, node.id)
    return ast.unparse(node)


def _made(factory: ast.expr) -> str:
    """What a factory makes: a class that is named is called."""
    if isinstance(factory, ast.Name) and factory.id not in ("dict", "list"):
        return f"{factory.id}()"
    return _factory(factory)


def _in_python(text: str, line: int, name: str) -> Declared | None:
    nodes = [node for node in _declarations(text) if node.lineno <= line <= (node.end_lineno or node.lineno)]
    for read in (_lookup, _argument, _field, _keyword):
        for node in sorted(nodes, key=lambda node: (node.end_lineno or 0) - node.lineno):
            found = read(node, name)
            if found is not None:
                return Declared(found or None, node.lineno, node.end_lineno or node.lineno)
    return None


@lru_cache(maxsize=256)
def _declarations(text: str) -> Sequence[ast.AnnAssign | ast.Assign | ast.Call]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise UnparsableError(getattr(error, "lineno", 0) or 0, getattr(error, "msg", str(error))) from error
    return [node for node in ast.walk(tree) if isinstance(node, (ast.AnnAssign, ast.Assign, ast.Call))]


# Each reader: None when the node is of another form, "" when it is but states no default.
def _lookup(node: ast.stmt | ast.expr, name: str) -> str | None:
    """`os.getenv("NAME", default)`, `config.get("name", default)` and their kin."""
    if not isinstance(node, ast.Call) or not node.args or _constant(node.args[0]) != name:
        return None
    if _called(node) not in ("getenv", "get", "pop", "setdefault"):
        return None
    return _factory(node.args[1]) if len(node.args) > 1 else ""


def _argument(node: ast.stmt | ast.expr, name: str) -> str | None:
    """`parser.add_argument("--name", default=…)`; slime's `reset_arg(parser, "--name", default=…)` resets one."""
    if not isinstance(node, ast.Call) or _called(node) not in ("add_argument", "reset_arg"):
        return None
    flags = {str(_constant(value)).lstrip("-").replace("-", "_") for value in node.args}
    if name.replace("-", "_") not in flags:
        return None
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    action = _constant(given.get("action"))
    if "default" in given and action != "store_false":
        return _factory(given["default"])
    return "False" if action in SWITCHES else "None"


def _field(node: ast.stmt | ast.expr, name: str) -> str | None:
    """`name: type = field(default=…)`, `name: type = default`, `name = default`."""
    targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets if isinstance(node, ast.Assign) else []
    names = {target.id if isinstance(target, ast.Name) else getattr(target, "attr", "") for target in targets}
    if name not in names or not isinstance(node, (ast.AnnAssign, ast.Assign)):
        return None
    value = node.value
    if isinstance(value, ast.Call) and _called(value) in ("field", "Field"):
        stated = any(keyword.arg in ("default", "default_factory") for keyword in value.keywords)
        return _factory(value) if stated else ""
    return "" if value is None else _factory(value)


def _keyword(node: ast.stmt | ast.expr, name: str) -> str | None:
    """`call(…, name=default)`."""
    if not isinstance(node, ast.Call):
        return None
    return next((_factory(keyword.value) for keyword in node.keywords if keyword.arg == name), None)


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _constant(node: ast.expr | None) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _in_yaml(text: str, line: int, name: str) -> Declared | None:
    for key, value in _pairs(text):
        if key.start_mark.line + 1 == line and key.value == name:
            last = value.end_mark.line + 1
            return Declared(_yaml_text(value), line, max(line, last if isinstance(value, yaml.ScalarNode) else last - 1))
    return None


def _yaml_text(value: yaml.Node) -> str | None:
    if isinstance(value, yaml.ScalarNode):
        if fallback := _VARIABLE.match(value.value):
            return _normal(fallback.group(1))
        return _normal(repr(value.value) if value.style in ("'", '"') else str(value.value) or "null")
    plain = yaml.constructor.SafeConstructor().construct_document(value)
    return _normal(repr(plain))


@lru_cache(maxsize=256)
def _pairs(text: str) -> Sequence[tuple[yaml.Node, yaml.Node]]:
    try:
        roots = list(yaml.compose_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise UnparsableError(mark.line + 1 if mark else 0, getattr(error, "problem", None) or str(error)) from error
    return [pair for root in roots for pair in _walk(root)]


def _walk(node: yaml.Node) -> Iterator[tuple[yaml.Node, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key, value
            yield from _walk(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _walk(value)
