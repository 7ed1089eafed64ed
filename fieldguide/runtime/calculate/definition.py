"""The calculator of one framework, with everything looked up: what the engine interprets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fieldguide.runtime.calculate.expression import Node, Value


@dataclass(frozen=True)
class BoundChoice:
    """A value of a choice, with the versions that have it as positions in `Definition.versions`."""

    value: str
    since: int
    until: int
    found: tuple[str, ...]
    also: tuple[str, ...]


@dataclass(frozen=True)
class BoundInput:
    """A field: see `catalog.models.Input`; `key` is an id in the glossary and `shown` how the key is written."""

    name: str
    kind: str
    symbol: str
    shown: str | None
    role: str | None
    label: str | None
    key: str | None
    default: Value
    start: Value
    optional: bool
    required: bool
    least: int
    most: int
    choices: tuple[BoundChoice, ...]
    paths: tuple[str, ...]
    only: Node
    others: str | None


@dataclass(frozen=True)
class BoundQuantity:
    """A number to work out: see `catalog.models.Quantity`."""

    name: str
    symbol: str
    label: str | None
    value: Node
    only: Node


@dataclass(frozen=True)
class BoundCase:
    """A case of a rule.

    Attributes:
        since, until: the first and the last version that has it, as positions in `Definition.versions`.
        error: the literal pieces of the text, and None where a value of `show` belongs.
    """

    rule: str
    anchor: str
    entry: str
    when: str
    at: int
    since: int
    until: int
    only: Node
    check: Node
    show: tuple[Node, ...]
    error: tuple[str | None, ...]


@dataclass(frozen=True)
class BoundPlacement:
    """How a configuration says that training and generation share GPUs: see `catalog.models.Placement`."""

    listed: str | None
    model: str | None
    train: str | None
    infer: str | None


@dataclass(frozen=True)
class Definition:
    """Inputs, quantities and cases of a framework; `versions` are its releases, oldest first, then the commit checked."""

    framework: str
    name: str
    versions: tuple[str, ...]
    flags: bool
    inputs: tuple[BoundInput, ...]
    quantities: tuple[BoundQuantity, ...]
    cases: tuple[BoundCase, ...]
    placement: BoundPlacement | None
    programs: tuple[str, ...]
    others: tuple[str, ...]
    unless: tuple[str, ...]
    completed: tuple[str, ...]

    @property
    def latest(self) -> int:
        return len(self.versions) - 1


def as_definition(data: Mapping[str, Any]) -> Definition:
    """A definition as it stands in the compiled guide."""
    return Definition(
        framework=data["framework"],
        name=data["name"],
        versions=tuple(data["versions"]),
        flags=data["flags"],
        inputs=tuple(_input(one) for one in data["inputs"]),
        quantities=tuple(BoundQuantity(**one) for one in data["quantities"]),
        cases=tuple(BoundCase(**one | {"show": tuple(one["show"]), "error": tuple(one["error"])}) for one in data["cases"]),
        placement=BoundPlacement(**data["placement"]) if data["placement"] else None,
        programs=tuple(data["programs"]),
        others=tuple(data["others"]),
        unless=tuple(data["unless"]),
        completed=tuple(data["completed"]),
    )


def _input(data: Mapping[str, Any]) -> BoundInput:
    choices = tuple(
        BoundChoice(**choice | {"found": tuple(choice["found"]), "also": tuple(choice["also"])}) for choice in data["choices"]
    )
    return BoundInput(**{**data, "choices": choices, "paths": tuple(data["paths"])})
