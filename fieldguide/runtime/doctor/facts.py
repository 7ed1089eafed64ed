"""What an environment is compared with: `versions.json`, which `fieldguide.content.versions` writes.

A stack is what one file puts together, a need what a release of a library asks of another, a pair what does not go together.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from fieldguide.runtime.doctor.vocabulary import Found, Vocabulary, as_cell, as_vocabulary
from fieldguide.runtime.guide import FormatError
from fieldguide.runtime.version import version_of

FORMAT = 1
# How bad, the worst first.
HARMS = ("start", "wrong", "dies", "slow")
REQUIRES = "requires"


@dataclass(frozen=True)
class Stack:
    """Versions that one file puts together: see `fieldguide.content.catalog.models.versions.Stack`."""

    path: str
    kind: str
    platform: str
    extra: str
    image: str
    tested: str
    uses: int
    cells: tuple[Found, ...]

    @cached_property
    def by_package(self) -> Mapping[str, Found]:
        return {one.package: one for one in self.cells}

    def place(self, cell: Found) -> str:
        """Where a cell stands."""
        return f"{self.path}:{cell.line}"


@dataclass(frozen=True)
class Release:
    """A release, or the newest commit (`tag` is then its id with its date), and what its files name."""

    tag: str
    stacks: tuple[Stack, ...]

    @cached_property
    def version(self) -> Version | None:
        """None for a commit."""
        return None if self.tag.endswith(")") else version_of(self.tag)


@dataclass(frozen=True)
class Framework:
    """A framework: `names` is what pip calls it, `releases` are oldest first."""

    id: str
    name: str
    names: tuple[str, ...]
    repository: str
    releases: tuple[Release, ...]


@dataclass(frozen=True)
class Pair:
    """Versions that do not go together: see `fieldguide.content.catalog.models.versions.Pair`. `words` are what, when, do."""

    id: str
    packages: Mapping[str, SpecifierSet]
    absent: tuple[str, ...]
    harm: str
    error: str
    entry: str
    pages: Mapping[str, str]
    repair: Mapping[str, SpecifierSet]
    words: Mapping[str, Sequence[str]]
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """Everything; `needs` is package → its releases with what they need, `known` package → its releases."""

    vocabulary: Vocabulary
    frameworks: tuple[Framework, ...]
    needs: Mapping[str, Sequence[tuple[Version, Mapping[str, SpecifierSet]]]]
    known: Mapping[str, Sequence[Version]]
    pairs: tuple[Pair, ...]

    def name(self, package: str) -> str:
        """As its makers write it."""
        named = {one.id: one.name for one in self.frameworks}
        return self.vocabulary.name.get(package) or named.get(package, package)

    def needs_of(self, package: str, version: Version) -> Mapping[str, SpecifierSet]:
        """What a release needs; of one that is not recorded, what the ones before and after it both need."""
        rows = self.needs.get(package, ())
        base = Version(version.base_version)  # a post release needs what the release needs
        before = next((needs for known, needs in reversed(rows) if Version(known.base_version) <= base), None)
        after = next((needs for known, needs in rows if Version(known.base_version) >= base), None)
        if before is None or after is None:
            return {}
        return {name: spec for name, spec in before.items() if after.get(name) == spec}


def read_facts(folder: Path) -> Facts:
    """Read `versions.json`.

    Raises:
        FormatError: it has another structure.
        OSError: there is none.
    """
    return as_facts(json.loads((folder / "versions.json").read_text(encoding="utf-8")))


def as_facts(data: Mapping[str, Any]) -> Facts:
    """The facts of what `versions.json` holds."""
    if data.get("format") != FORMAT:
        raise FormatError(f"versions of format {data.get('format')!r}, {FORMAT} is read here")
    return Facts(
        vocabulary=as_vocabulary(data["packages"]),
        frameworks=tuple(_framework(one) for one in data["frameworks"]),
        needs={
            name: [
                (Version(version), {cell.package: SpecifierSet(cell.spec) for cell in _cells(needs)}) for version, needs in rows
            ]
            for name, rows in data["needs"].items()
        },
        known={name: [Version(one) for one in versions] for name, versions in data["known"].items()},
        pairs=tuple(_pair(one) for one in data["pairs"]),
    )


def _cells(needs: Sequence[str]) -> list[Found]:
    return [as_cell(f"0 {one}") for one in needs]


def _framework(one: Mapping[str, Any]) -> Framework:
    releases = tuple(Release(tag, tuple(_stack(row) for row in stacks)) for tag, stacks in one["releases"])
    return Framework(one["id"], one["name"], tuple(one["names"]), one["repository"] or "", releases)


def _stack(row: Sequence[Any]) -> Stack:
    path, kind, platform, extra, image, place, uses, cells = row
    return Stack(path, kind, platform, extra, image, place, uses, tuple(as_cell(cell) for cell in cells))


def _pair(one: Mapping[str, Any]) -> Pair:
    versions = {name: SpecifierSet(spec) for name, spec in one["packages"].items()}
    repair = {name: SpecifierSet(spec) for name, spec in one["repair"].items()}
    rest = (one["absent"], one["harm"], one["error"], one["entry"], one["pages"], repair, one["words"], one["sources"])
    return Pair(one["id"], versions, *rest)
