"""How many of upstream's own example files set a key: YAML files by dotted place, scripts by flag, override or variable."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from fieldguide.content.catalog.models import Key, KeyKind
from fieldguide.upkeep.extract.classes import covers
from fieldguide.upkeep.extract.git import Tree

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FLAG = re.compile(r"(?<![\w-])--([A-Za-z][\w.-]*)")
_OVERRIDE = re.compile(r"(?<![\w.-])[+~]{0,2}([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)=")
_VARIABLE = re.compile(r"(?<![\w.-])[\"']?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)[\"']?\s*[=:]")
_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#.*$")


@dataclass(frozen=True)
class Example:
    """What one file sets."""

    paths: frozenset[str]
    flags: frozenset[str]
    variables: frozenset[str]


def used(tree: Tree, patterns: Iterable[str], keys: Iterable[Key]) -> tuple[dict[int, int], int]:
    """Count example files per key; a file counts once however often it sets the key.

    Returns:
        position of the key → files that set it (keys that none sets are left out), and how many files there are.
    """
    examples = [_example(path, tree.text(path)) for path in tree.matching(*patterns)]
    by_leaf: dict[str, list[tuple[int, str]]] = {}
    names: dict[tuple[KeyKind, str], int] = {}
    for position, key in enumerate(keys):
        for path in key.paths:
            by_leaf.setdefault(path.rpartition(".")[2], []).append((position, path))
        if key.kind is not KeyKind.YAML:
            names.setdefault((key.kind, key.name), position)
    counts: Counter[int] = Counter()
    for example in examples:
        counts.update({*_by_place(example, by_leaf), *_by_name(example, names)})
    return dict(counts), len(examples)


def _by_place(example: Example, by_leaf: Mapping[str, list[tuple[int, str]]]) -> Iterator[int]:
    for place in example.paths:
        found = (number for number, path in by_leaf.get(place.rpartition(".")[2], ()) if covers(path, place))
        if (first := next(found, None)) is not None:
            yield first


def _by_name(example: Example, names: Mapping[tuple[KeyKind, str], int]) -> Iterator[int]:
    for kind, written in ((KeyKind.FLAG, example.flags), (KeyKind.ENV, example.variables)):
        yield from (names[kind, name] for name in written if (kind, name) in names)


def _example(path: str, text: str) -> Example:
    if not path.endswith((".yaml", ".yml")):
        text = _COMMENT.sub("", text)
        flags = frozenset(flag.replace("-", "_") for flag in _FLAG.findall(text))
        return Example(frozenset(_OVERRIDE.findall(text)), flags, frozenset(_VARIABLE.findall(text)))
    try:
        places = frozenset(_places(yaml.load(text, Loader=_Loader), ""))
    except yaml.YAMLError:
        places = frozenset()  # a template that is no YAML before something fills it in
    return Example(places, frozenset(), frozenset(place.rpartition(".")[2] for place in places))


def _places(value: object, above: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            place = f"{above}.{name}" if above else str(name)
            yield place
            yield from _places(inner, place)
