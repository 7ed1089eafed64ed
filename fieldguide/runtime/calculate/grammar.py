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
    """Patterns by name, and what may follow a flag without a value."""

    patterns: Mapping[str, str]
    separators: tuple[str, ...]
    limits: Limits

    def search(self, name: str, text: str) -> re.Match[str] | None:
        """The first place of a text where the pattern of that name matches."""
        return expression(self.patterns[name]).search(text)

    def pattern(self, name: str) -> re.Pattern[str]:
        """The pattern of that name."""
        return expression(self.patterns[name])


def as_grammar(data: Mapping[str, Any]) -> Grammar:
    """A grammar as it stands in the compiled guide."""
    return Grammar(data["patterns"], tuple(data["separators"]), Limits(**data["limits"]))
