"""The compiled guide: what `fieldguide.content.compile` writes and everything here only interprets.

`guide.json` is what no language changes; `<language>.json` are the titles, answers and words of one language.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fieldguide.runtime.calculate.definition import Definition, as_definition
from fieldguide.runtime.calculate.grammar import Grammar, as_grammar
from fieldguide.runtime.dialect import expression

# Of the files' structure: another number is another structure.
FORMAT = 1
# Framework of an entry that is for every framework.
SHARED = "any"
GENERIC, OUTPUT = 1, 2


class FormatError(ValueError):
    """The files were compiled by another version of the guide."""


@dataclass(frozen=True)
class Rule:
    """Something to replace in a text; `replace` is made of texts and of numbers of groups."""

    pattern: str
    replace: tuple[str | int, ...]

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return expression(self.pattern)

    def apply(self, text: str) -> str:
        """The text with every match replaced."""
        return self.compiled.sub(lambda m: "".join(p if isinstance(p, str) else m[p] or "" for p in self.replace), text)


@dataclass(frozen=True)
class Framework:
    """A training framework: `hints` are texts in a log that tell it, `glossary` the framework whose chip it shares."""

    id: str
    name: str
    glossary: str
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Signature:
    """A text that is an error of an entry.

    Attributes:
        shown: as readers see it, with … for what changes from run to run.
        pattern: regular expression.
        weight: literal characters, white space aside; the more, the more specific. Little for a generic text.
        anchor: longest run of literal text without white space; a text without it cannot match.
        key, words: what to look for first in a log (a word, or two with a space between), and further words of it.
        generic: counts only when the text names the entry's framework, or another signature of the entry stands in it.
        output: stands in the log of an ordinary run, too, so that it counts only in a text that names no error.
    """

    entry: str
    framework: str
    shown: str
    pattern: str
    weight: int
    anchor: str
    key: str
    words: tuple[str, ...]
    generic: bool
    output: bool

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return expression(self.pattern)


@dataclass(frozen=True)
class Guide:
    """What no language changes.

    Attributes:
        error_name: finds the name of an error in a text.
        hint_bonus: a log that names the framework of an entry counts like this many more characters of error text.
        scan: limits of the log scanner by name; see `catalog/scan.yml`.
        grammar: how settings are read.
    """

    cleaning: tuple[Rule, ...]
    frameworks: tuple[Framework, ...]
    signatures: tuple[Signature, ...]
    error_name: str
    hint_bonus: int
    scan: Mapping[str, Any]
    grammar: Grammar
    definitions: Mapping[str, Definition]

    def cleaned(self, text: str) -> str:
        """The text without what differs from run to run."""
        for rule in self.cleaning:
            text = rule.apply(text)
        return text

    def frameworks_named(self, text: str) -> set[str]:
        """Ids of the frameworks whose hints stand in the text."""
        return {one.id for one in self.frameworks if any(hint in text for hint in one.hints)}


@dataclass(frozen=True)
class Answer:
    """An entry in one language: `page` is its address below the root of the site, `fix` Markdown."""

    title: str
    short: str
    page: str
    fix: str


@dataclass(frozen=True)
class Answers:
    """One language: the entries by id, and the words of the interface by name."""

    language: str
    entries: Mapping[str, Answer]
    words: Mapping[str, str]


def read_guide(folder: Path) -> Guide:
    """Read `guide.json`.

    Raises:
        FormatError: it has another structure.
        OSError: there is none.
    """
    return as_guide(json.loads((folder / "guide.json").read_text(encoding="utf-8")))


def as_guide(data: Mapping[str, Any]) -> Guide:
    """The guide of what `guide.json` holds."""
    if data.get("format") != FORMAT:
        raise FormatError(f"guide of format {data.get('format')!r}, {FORMAT} is read here")
    entries = data["entries"]
    return Guide(
        cleaning=tuple(Rule(pattern, tuple(replace)) for pattern, replace in data["cleaning"]),
        frameworks=tuple(Framework(one["id"], one["name"], one["glossary"], tuple(one["hints"])) for one in data["frameworks"]),
        signatures=tuple(_signature(row, *entries[row[0]]) for row in data["signatures"]),
        error_name=data["errorName"],
        hint_bonus=data["hintBonus"],
        scan=data["scan"],
        grammar=as_grammar(data["grammar"]),
        definitions={name: as_definition(one) for name, one in data["calculators"].items()},
    )


def _signature(row: list[Any], entry: str, framework: str) -> Signature:
    _, shown, pattern, weight, kind, anchor, key, words = row
    generic, output = bool(kind & GENERIC), bool(kind & OUTPUT)
    return Signature(entry, framework, shown, pattern, weight, anchor, key, tuple(words), generic, output)


def read_answers(folder: Path, language: str) -> Answers:
    """Read `<language>.json`.

    Raises:
        FormatError: it has another structure.
        OSError: there is none.
    """
    data = json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))
    if data.get("format") != FORMAT:
        raise FormatError(f"answers of format {data.get('format')!r}, {FORMAT} is read here")
    return Answers(language, {id_: Answer(**one) for id_, one in data["entries"].items()}, data["words"])
