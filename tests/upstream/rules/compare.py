"""What upstream's own checks say of random settings, beside what the calculator says of them for the same release."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol

from fieldguide.content.catalog.models import Framework
from fieldguide.runtime.calculate.definition import Definition
from fieldguide.runtime.calculate.engine import calculate
from fieldguide.runtime.calculate.expression import Value
from tests.upstream.rules import chatlearn, openrlhf, roll, slime, verl


class Checks(Protocol):
    """The checks of one release."""

    def draw(self, random: Random) -> dict[str, Any]: ...

    def first_error(self, s: dict[str, Any]) -> str | None: ...


class Load(Protocol):
    """Clones and revision → the checks."""

    def __call__(self, clones: Path, commit: str) -> Checks: ...


CHECKS: dict[str, Load] = {
    "chatlearn": chatlearn.ChatLearn,
    "openrlhf": openrlhf.OpenRLHF,
    "roll": roll.Roll,
    "slime": slime.Slime,
    "verl": verl.Verl,
}


@dataclass(frozen=True)
class Version:
    """A release of a framework, or the commit that the guide was checked at.

    Attributes:
        tag: None for that commit.
        position: in the versions of the calculator.
    """

    framework: str
    tag: str | None
    revision: str
    position: int

    @property
    def name(self) -> str:
        return self.tag or self.revision[:7]


@dataclass(frozen=True)
class Draw:
    """Settings, the first error upstream (None: it runs), and whether the calculator says the same."""

    settings: dict[str, Any]
    error: str | None
    agrees: bool


def versions(framework: Framework) -> list[Version]:
    """Releases, oldest first, then the commit."""
    tags = [release.tag for release in framework.releases]
    made = [Version(framework.id, tag, tag, position) for position, tag in enumerate(tags)]
    return [*made, Version(framework.id, None, framework.commit or "", len(tags))]


def compared(clones: Path, version: Version, definition: Definition, seed: str, draws: int) -> Iterator[Draw]:
    """So many draws; the same seed gives the same."""
    checks, random = CHECKS[version.framework](clones, version.revision), Random(f"{seed} {version.revision}")
    for _ in range(draws):
        settings = checks.draw(random)
        error = checks.first_error(settings)
        first = calculate(definition, asked(definition, settings) | {"version": version.position}).first
        yield Draw(settings, error, agree(first.kind if first else None, first.text if first else "", error))


def asked(definition: Definition, settings: dict[str, Any]) -> dict[str, Value]:
    """Settings for the calculator: what is not set and may not be is left out."""
    optional = {one.name for one in definition.inputs if one.optional}
    return {name: value for name, value in settings.items() if value is not None or name in optional}


def agree(kind: str | None, text: str, error: str | None) -> bool:
    """Whether the calculator's first finding is the error that upstream stops with."""
    if kind is None or error is None:
        return kind is None and error is None
    return error.startswith("ZeroDivisionError") if kind == "zero" else bool(text) and text in error
