"""How the logs of a run are read, as `fieldguide.content.run` compiled it from `catalog/run.yml`."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fieldguide.runtime.dialect import expression


@dataclass(frozen=True)
class Named:
    """A pattern whose groups have names; a name twice is the first of them that matched."""

    pattern: str
    fields: tuple[str, ...]

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return expression(self.pattern)

    def read(self, text: str) -> dict[str, str] | None:
        """What the first match says; None where there is none."""
        match = self.compiled.search(text)
        return None if match is None else self.values(match)

    def values(self, match: re.Match[str]) -> dict[str, str]:
        """What a match says."""
        said: dict[str, str] = {}
        for name, value in zip(self.fields, match.groups(), strict=True):
            if value is not None:
                said.setdefault(name, value)
        return said


def number(digits: str) -> int:
    """The number that digits of a log make: nobody has one of more than fifteen."""
    return int(digits[:15])


@dataclass(frozen=True)
class Event:
    """Something that a line may tell; see `Event` in `fieldguide.content.catalog.models.run`."""

    name: str
    role: str
    how: str
    anchor: str
    lines: int
    does: str
    named: Named


@dataclass(frozen=True)
class RunRules:
    """All of them.

    Attributes:
        ignored, files, heads, runs: by kind, in order; the first that fits counts.
        ways: way to end → its strength.
    """

    limits: Mapping[str, int]
    ignored: tuple[tuple[str, Named], ...]
    files: tuple[tuple[str, Named], ...]
    heads: tuple[tuple[str, Named], ...]
    nodes: tuple[Named, ...]
    runs: tuple[tuple[str, Named], ...]
    speakers: tuple[Named, ...]
    times: tuple[Named, ...]
    echoes: frozenset[str]
    echo_texts: tuple[str, ...]
    ways: Mapping[str, int]
    events: tuple[Event, ...]


def as_rules(data: Mapping[str, Any]) -> RunRules:
    """The rules of what `run.json` holds."""
    return RunRules(
        data["limits"],
        _by_kind(data["ignored"]),
        tuple((kind, Named(pattern, tuple(fields))) for kind, pattern, fields in data["files"]),
        _by_kind(data["heads"]),
        tuple(Named(pattern, tuple(fields)) for pattern, fields in data["nodes"]),
        _by_kind(data["runs"]),
        tuple(Named(pattern, tuple(fields)) for pattern, fields in data["speakers"]),
        tuple(Named(pattern, tuple(fields)) for pattern, fields in data["times"]),
        frozenset(data["echoes"]),
        tuple(data["echoTexts"]),
        data["ways"],
        tuple(_event(*row) for row in data["events"]),
    )


def read_rules(folder: Path) -> RunRules:
    """Read `run.json` of the compiled guide.

    Raises:
        OSError: there is none.
    """
    return as_rules(json.loads((folder / "run.json").read_text(encoding="utf-8")))


def _by_kind(rows: Iterable[tuple[str, str]]) -> tuple[tuple[str, Named], ...]:
    return tuple((kind, Named(pattern, ())) for kind, pattern in rows)


def _event(
    name: str, role: str, how: str | None, anchor: str, lines: int, does: str | None, pattern: str, fields: list[str]
) -> Event:
    return Event(name, role, how or "", anchor, lines, does or "", Named(pattern, tuple(fields)))
