"""How settings are read: the patterns and limits of `catalog/grammar.yml`, compiled."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fieldguide.runtime.dialect import expression


@dataclass(frozen=True)
class Limits:
    """Where reading ends: steps of references, depth of nesting, settings, characters of a value."""

    depth: int
    nested: int
    most: int
    longest: int


@dataclass(frozen=True)
class Grammar:
    """Patterns by name, and what may follow a flag without a value.

    Attributes:
        config_files: flags that name a configuration file.
        config_names: flags of its folder and of its name, and whether the program looks into its own folder, too.
    """

    patterns: Mapping[str, str]
    separators: tuple[str, ...]
    limits: Limits
    config_files: tuple[str, ...]
    config_names: tuple[tuple[str, str, bool], ...]

    def search(self, name: str, text: str) -> re.Match[str] | None:
        """The first place of a text where the pattern of that name matches."""
        return expression(self.patterns[name]).search(text)

    def pattern(self, name: str) -> re.Pattern[str]:
        """The pattern of that name."""
        return expression(self.patterns[name])


def as_grammar(data: Mapping[str, Any]) -> Grammar:
    """A grammar as it stands in the compiled guide."""
    names = tuple((path, name, own) for path, name, own in data["configNames"])
    return Grammar(data["patterns"], tuple(data["separators"]), Limits(**data["limits"]), tuple(data["configFiles"]), names)
