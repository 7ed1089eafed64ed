"""The default that a declaration states around a cited line.

Fields, flags and YAML are read as the extraction of keys reads them; look-ups and arguments of calls besides.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import yaml

from fieldguide.upkeep.extract.arguments import declares, flag_default, spelled, unrolled
from fieldguide.upkeep.extract.classes import field_default, last_name, source
from fieldguide.upkeep.extract.hydra import Leaf, parsed

YAML = (".yaml", ".yml")
# Functions that look a name up and take what holds without it.
LOOKUPS = ("getenv", "get", "pop", "setdefault", "env_bool", "env_float", "env_integer")
# ChatLearn's `${name:default}`: an environment variable with what holds without it.
_VARIABLE = re.compile(r"^\$\{\w+:([^}]*)\}$")
Declaration = ast.AnnAssign | ast.Assign | ast.Call


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
    return _in_yaml(text, line, name) if path.endswith(YAML) else None


def parse(path: str, text: str) -> None:
    """Nothing, if the file is sound or of no format that is read.

    Raises:
        UnparsableError: the file is broken.
    """
    if path.endswith(".py"):
        _declarations(text)
    elif path.endswith(YAML):
        _leaves(text)


def same_default(one: str | None, other: str | None) -> bool:
    """Whether two source texts mean one value: quotes and spaces do not matter, nor whether Python or YAML is written."""
    return _normal(one) == _normal(other)


@lru_cache(maxsize=4096)
def _normal(text: str | None) -> str:
    """
    >>> _normal('"a"'), _normal("null"), _normal("a  b")
    ("'a'", 'None', 'a b')
    """
    if text is None:
        return "None"
    plain = {"null": "None", "true": "True", "false": "False"}.get(text.strip(), text.strip())
    try:
        return ast.unparse(ast.parse(plain, mode="eval"))
    except (SyntaxError, ValueError):
        return " ".join(plain.split())


def _in_python(text: str, line: int, name: str) -> Declared | None:
    lines = text.splitlines()
    around = [node for node in _declarations(text) if node.lineno <= line <= (node.end_lineno or node.lineno)]
    around.sort(key=lambda node: (node.end_lineno or 0) - node.lineno)
    for read in (_lookup, _flag, _field, _keyword):
        for node in around:
            for default in read(node, name, lines):
                return Declared(default and _normal(default), node.lineno, node.end_lineno or node.lineno)
    return None


@lru_cache(maxsize=256)
def _declarations(text: str) -> Sequence[Declaration]:
    try:
        tree = unrolled(ast.parse(text))
    except (SyntaxError, ValueError) as error:
        raise UnparsableError(getattr(error, "lineno", 0) or 0, getattr(error, "msg", str(error))) from error
    return [node for node in ast.walk(tree) if isinstance(node, Declaration)]


# Each reader: nothing when the node is of another form, else the default as written, None when none is stated.
def _lookup(node: Declaration, name: str, lines: Sequence[str]) -> Iterator[str | None]:
    """`os.getenv("NAME", default)`, `config.get("name", default)` and their kin."""
    match node:
        case ast.Call(args=[ast.Constant(value=said), *rest]) if said == name and last_name(node.func) in LOOKUPS:
            yield source(lines, rest[0]) if rest else None


def _flag(node: Declaration, name: str, lines: Sequence[str]) -> Iterator[str | None]:
    """`parser.add_argument("--name", default=…)`."""
    if isinstance(node, ast.Call) and declares(node):
        names = {str(one.value).lstrip("-").replace("-", "_") for one in spelled(node)}
        if name.replace("-", "_") in names:
            yield flag_default(node, lines)


def _field(node: Declaration, name: str, lines: Sequence[str]) -> Iterator[str | None]:
    """`name: type = field(default=…)`, `name: type = default`, `self.name = default`."""
    if not isinstance(node, ast.Call):
        targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
        if name in map(last_name, targets):
            yield field_default(lines, node.value)


def _keyword(node: Declaration, name: str, lines: Sequence[str]) -> Iterator[str | None]:
    """`call(…, name=default)`."""
    for keyword in node.keywords if isinstance(node, ast.Call) else ():
        if keyword.arg == name:
            yield source(lines, keyword.value)


def _in_yaml(text: str, line: int, name: str) -> Declared | None:
    for leaf in _leaves(text):
        if leaf.line == line and leaf.key.rpartition(".")[2] == name:
            fallback = _VARIABLE.match(leaf.value)
            return Declared(fallback[1] if fallback else leaf.value, line, line)
    return None


def _leaves(text: str) -> Sequence[Leaf]:
    try:
        return parsed("", text).leaves
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise UnparsableError(mark.line + 1 if mark else 0, getattr(error, "problem", None) or str(error)) from error
