"""What a change needs that is not there: a name that it uses and nobody has, one that it takes away and somebody still uses.

A change that git takes over to an older release without a conflict may still rely on what came between the two, or on a later
change that completes it. Only Python is looked at, by its syntax tree.
"""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field

from fieldguide.upkeep.ledger.files import is_beside

# Shorter names are everywhere.
_TELLING = 4
_HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_DEFINED = re.compile(r"\s*(?:async )?(?:def|class) (\w+)")


@dataclass
class Change:
    """What a change does to one file: the numbers of the lines that are new in it, and the text of those that went."""

    added: set[int] = field(default_factory=set)
    gone: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Names:
    """Names in lines of a file.

    Attributes:
        used: attributes and names that are read; of them `own` is what `self` has.
        made: that the lines bind or define.
        imported: (module, name) of what is imported from elsewhere.
    """

    used: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    imported: frozenset[tuple[str, str]] = frozenset()

    def __or__(self, other: "Names") -> "Names":
        return Names(
            self.used | other.used,
            self.own | other.own,
            self.made | other.made,
            self.imported | other.imported,
        )

    @property
    def telling(self) -> frozenset[str]:
        """Names that must be somewhere else."""
        return frozenset(name for name in self.used - self.made - _BUILT_IN if len(name) >= _TELLING)


_BUILT_IN = frozenset([*dir(builtins), "__file__", "__path__"])


def changes(diff: str) -> dict[str, Change]:
    """What `git diff -U0 --no-renames` says, by the file as it is afterwards; what no program runs is left out."""
    found: dict[str, Change] = {}
    old = path = ""
    for row in diff.split("\n"):
        if row.startswith("--- "):
            old = row[4:].partition("/")[2]
        elif row.startswith("+++ "):
            path = old if row.endswith("/dev/null") else row[4:].partition("/")[2]
        elif hunk := _HUNK.match(row):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            found.setdefault(path, Change()).added.update(range(first, first + count))
        elif row.startswith("-"):
            found[path].gone.append(row[1:])
    return {path: change for path, change in found.items() if path.endswith(".py") and not is_beside(path)}


def names_in(source: str, lines: Set[int]) -> Names:
    """Names in some lines of a Python file; none where it cannot be parsed.

    >>> names = names_in("import os\\ndef f(self):\\n    self.go(os.sep, where)\\n", {3})
    >>> sorted(names.used), sorted(names.own)
    (['go', 'os', 'self', 'sep', 'where'], ['go'])
    """
    nodes = _nodes(source)
    here = [node for node in nodes if getattr(node, "lineno", None) in lines]
    attributes = [node for node in here if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)]
    read = [node for node in here if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    froms = [node for node in here if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return Names(
        used=frozenset({node.attr for node in attributes} | {node.id for node in read}),
        own=frozenset(node.attr for node in attributes if isinstance(node.value, ast.Name) and node.value.id == "self"),
        made=frozenset(name for node in here for name in _bound(node)),
        imported=frozenset((node.module or "", one.name) for node in froms for one in node.names),
    )


def unbound(source: str) -> frozenset[str]:
    """Names that a Python file reads and binds nowhere; none where it cannot be parsed or imports everything of a module.

    >>> sorted(unbound("import os\\ndef f(self):\\n    self.go(os.sep, where)\\n"))
    ['where']
    """
    nodes = _nodes(source)
    bound = {name for node in nodes for name in _bound(node)}
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return frozenset() if "*" in bound else frozenset(read - bound - _BUILT_IN)


def _nodes(source: str) -> list[ast.AST]:
    try:
        return list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return []


def _bound(node: ast.AST) -> Iterator[str]:
    """What a node gives a name to, attributes too."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((one.asname or one.name).partition(".")[0] for one in names)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name


def taken_away(change: Change) -> Iterator[str]:
    """Functions and classes whose definition goes, but for what Python itself calls."""
    for line in change.gone:
        if (found := _DEFINED.match(line)) and not found[1].startswith("__"):
            yield found[1]


def still_used(name: str, rows: Iterable[str]) -> bool:
    """Whether lines use a name that none of them defines, binds or imports."""
    rows = list(rows)
    defines = re.compile(rf"(?:def|class) {name}\b|\b{name}\s*=[^=]|import .*\b{name}\b")
    return bool(rows) and not any(map(defines.search, rows))


def module_files(module: str, name: str) -> tuple[str, str, frozenset[str]]:
    """Where `from module import name` finds it: the module as a file, as a package, and the name as a module of its own."""
    place = module.replace(".", "/")
    return f"{place}.py", f"{place}/__init__.py", frozenset((f"{place}/{name}.py", f"{place}/{name}/__init__.py"))
