"""Hydra's YAML as declarations of dotted keys: verl.

The generated file lists every key with its value; the files it is composed of say where a key is written and, in the
comment above it, what upstream says about it; the dataclass that `_target_` names gives the type.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import Any

import yaml

from fieldguide.content.catalog.models import KeyKind
from fieldguide.upkeep.extract.classes import Classes, read_classes
from fieldguide.upkeep.extract.declared import Declared, Extraction, one_line, shown
from fieldguide.upkeep.extract.git import GitError, Tree

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TARGET = "_target_"
_KINDS = {"int": "int", "float": "float", "bool": "bool", "str": "str", "null": "", "seq": "list", "map": "dict"}


@dataclass(frozen=True)
class Leaf:
    """A key of one YAML file with its value, where it stands and the comment above it."""

    key: str
    value: str
    kind: str
    comment: str
    path: str
    line: int
    contains: str


@dataclass(frozen=True)
class File:
    """One YAML file.

    Attributes:
        parts: its defaults list in order: (group and file, where they go); `_self_` stands for the file itself.
        targets: dotted place → class that is built there.
    """

    path: str
    leaves: tuple[Leaf, ...]
    parts: tuple[tuple[str, str], ...]
    targets: Mapping[str, str] = field(hash=False)


def composed(tree: Tree, folder: str, generated: Mapping[str, Mapping[str, str]], typed: Sequence[str]) -> Extraction:
    """Every key of the generated files, one record for each line that writes it, however many places include that line.

    Args:
        folder: where the configuration files are.
        generated: generated file → the primary file it was made from and the choices made on the command line.
        typed: Python files with the dataclasses that `_target_` names.
    """
    reader = _Reader(tree, folder)
    classes, problems = read_classes(tree, typed)
    merged: dict[tuple[str, int], list[tuple[str, Leaf]]] = {}
    seen: set[str] = set()
    for name, choices in generated.items():
        leaves, targets = reader.generated(name)
        written = reader.compose(choices)
        for key, value in leaves.items():
            if key in seen:
                continue
            seen.add(key)
            places = written.get(key) or [value]
            merged.setdefault((places[-1].path, places[-1].line), []).append((key, value))
            reader.remember(key, places, targets)
    declared = [reader.declared(paths, classes) for paths in merged.values()]
    files = (*reader.files, *dict.fromkeys(one.path for one in classes.all))
    return Extraction(tuple(declared), tuple(files), (*reader.problems, *problems))


class _Reader:
    """Reads the files of one revision and keeps what went wrong."""

    def __init__(self, tree: Tree, folder: str) -> None:
        self.tree, self.folder = tree, folder
        self.files: dict[str, File] = {}
        self.problems: list[str] = []
        self._places: dict[str, list[Leaf]] = {}
        self._types: dict[str, tuple[str, str]] = {}

    def file(self, path: str) -> File | None:
        """A parsed file; None when it is not there or does not parse, which is remembered once."""
        if path in self.files:
            return self.files[path]
        try:
            self.files[path] = parsed(path, self.tree.text(path))
        except GitError as error:
            self._fail(str(error))
            return None
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            self._fail(f"{path}:{mark.line + 1 if mark else 0}: not valid YAML: {getattr(error, 'problem', error)}")
            return None
        return self.files[path]

    def _fail(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def generated(self, name: str) -> tuple[dict[str, Leaf], Mapping[str, str]]:
        """Keys and classes of a generated file."""
        file = self.file(f"{self.folder}/{name}")
        return ({leaf.key: leaf for leaf in file.leaves}, file.targets) if file else ({}, {})

    def compose(self, choices: Mapping[str, str]) -> dict[str, list[Leaf]]:
        """Dotted key → the lines that write it, the one that counts last."""
        found: dict[str, list[Leaf]] = {}
        for key, leaf in self._walk(f"{self.folder}/{choices['primary']}", "", choices, ()):
            found.setdefault(key, []).append(leaf)
        return found

    def _walk(self, path: str, package: str, choices: Mapping[str, str], above: tuple[str, ...]) -> Iterator[tuple[str, Leaf]]:
        file = self.file(path) if path not in above else None
        if file is None:
            return
        parts = file.parts if any(name == "_self_" for name, _ in file.parts) else (*file.parts, ("_self_", ""))
        for name, where in parts:
            if name == "_self_":
                for leaf in file.leaves:
                    yield _dotted(package, leaf.key), leaf
            elif name.startswith(("override ", "model_engine/")):
                continue
            else:
                for variable, value in choices.items():
                    name = name.replace("${" + variable + "}", value)
                base = self.folder if name.startswith("/") or not above else dirname(path)
                yield from self._walk(
                    normpath(join(base, name.lstrip("/"))) + ".yaml", _dotted(package, where), choices, (*above, path)
                )

    def remember(self, key: str, places: list[Leaf], targets: Mapping[str, str]) -> None:
        """Keep what `declared` needs of one key."""
        self._places[key] = places
        above = key
        while above and above not in targets:
            above = above.rpartition(".")[0]
        owner = targets.get(above, "").rpartition(".")[2]
        rest = key[len(above) :].lstrip(".") if above else ""
        self._types[key] = (owner, rest)

    def declared(self, paths: Sequence[tuple[str, Leaf]], classes: Classes) -> Declared:
        """The record of one line and of all places that include it."""
        key, value = paths[0]
        places = self._places[key]
        last = places[-1]
        comments = [leaf.comment for leaf in reversed(places) if leaf.comment and not leaf.comment.startswith("TODO")]
        type_, choices = _type(classes, *self._types[key])
        required = value.value == "???"
        return Declared(
            name=key.rpartition(".")[2],
            kind=KeyKind.YAML,
            type=type_ or value.kind or last.kind,
            default=None if required else value.value,
            required=required,
            choices=choices,
            help=comments[0] if comments else None,
            declared=last.path.removeprefix(self.folder + "/"),
            paths=tuple(path for path, _ in paths),
            spellings=(),
            path=last.path,
            line=last.line,
            contains=last.contains,
        )


def _type(classes: Classes, owner: str, rest: str) -> tuple[str, tuple[str, ...]]:
    """Type and choices of a field, followed through nested dataclasses."""
    one = classes.find(owner) if owner else None
    for step, name in enumerate(parts := rest.split(".")):
        if one is None:
            return "", ()
        _, found = classes.fields(one).get(name, (one, None))
        if found is None:
            return "", ()
        if step == len(parts) - 1:
            return found.type, found.choices
        one = next((inner for inner in map(classes.find, found.classes) if inner), None)
    return "", ()


def _dotted(package: str, key: str) -> str:
    return f"{package}.{key}" if package and key else package or key


@lru_cache(maxsize=2048)
def parsed(path: str, text: str) -> File:
    """The keys of one YAML file.

    Raises:
        yaml.YAMLError: it is none, or no mapping.
    """
    node = yaml.compose(text, Loader=_Loader)
    if node is None:
        return File(path, (), (), {})
    if not isinstance(node, yaml.MappingNode):
        raise yaml.MarkedYAMLError(problem="must be a mapping at the top", problem_mark=node.start_mark)
    lines = text.splitlines()
    targets: dict[str, str] = {}
    leaves = tuple(_leaves(node, "", path, lines, targets))
    return File(path, leaves, tuple(_parts(node)), targets)


def _leaves(node: yaml.MappingNode, package: str, path: str, lines: Sequence[str], targets: dict[str, str]) -> Iterator[Leaf]:
    for key, value in node.value:
        name = _dotted(package, str(key.value))
        if not package and key.value == "defaults":
            continue
        if key.value == _TARGET:
            targets[package] = str(value.value)
        elif isinstance(value, yaml.MappingNode) and value.value:
            yield from _leaves(value, name, path, lines, targets)
        else:
            row = key.start_mark.line
            kind = _KINDS.get(value.tag.rpartition(":")[2], "")
            yield Leaf(name, _value(value), kind, _comment(lines, row), path, row + 1, shown(lines[row]))


def _value(node: yaml.Node) -> str:
    """The value as one line of YAML."""
    if isinstance(node, yaml.ScalarNode):
        return node.value if node.style is None or node.value else '""'
    if isinstance(node, yaml.SequenceNode):
        return "[" + ", ".join(_value(item) for item in node.value) + "]"
    return "{" + ", ".join(f"{key.value}: {_value(value)}" for key, value in node.value) + "}"


def _comment(lines: Sequence[str], row: int) -> str:
    """The comment lines right above a key."""
    found: list[str] = []
    while row > 0 and (text := lines[row - 1].strip()).startswith("#"):
        found.insert(0, text.lstrip("# "))
        row -= 1
    return one_line(" ".join(found))


def _parts(node: yaml.MappingNode) -> Iterator[tuple[str, str]]:
    """The defaults list: `actor@actor_rollout_ref.actor: dp_actor` is file actor/dp_actor at actor_rollout_ref.actor."""
    listed = next((value for key, value in node.value if key.value == "defaults"), None)
    for item in listed.value if isinstance(listed, yaml.SequenceNode) else ():
        if isinstance(item, yaml.ScalarNode):
            name, _, package = item.value.partition("@")
            yield name.removesuffix(".yaml"), package.removesuffix(".yaml")
        elif isinstance(item, yaml.MappingNode):
            for key, value in item.value:
                group, _, package = str(key.value).partition("@")
                yield f"{group}/{value.value}", re.sub(r"^_here_\.?", "", package)
