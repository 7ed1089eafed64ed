"""The compiled guide: what `fieldguide.content.compile` writes and everything here only interprets.

`guide.json` is what no language changes; `<language>.json` are the titles, answers and words of one language.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from packaging.version import Version

from fieldguide.runtime.calculate.definition import Definition, as_definition
from fieldguide.runtime.calculate.grammar import Grammar, as_grammar
from fieldguide.runtime.dialect import expression
from fieldguide.runtime.version import version_of

# Of the files' structure: another number is another structure.
FORMAT = 5
# Framework of an entry that is for every framework.
SHARED = "any"
GENERIC, OUTPUT, ECHO, FOREIGN, BUG = 1, 2, 4, 8, 16


class FormatError(ValueError):
    """The files were compiled by another version of the guide."""


# Characters before an echo's text in which the name of its error may stand.
_BEFORE_ECHO = 60
_LONGEST_NAME = 80


def _is_word(word: str, lower: str) -> bool:
    """Whether a word stands in a text, both in small letters."""
    return bool(re.search(rf"(?:^|[^a-z]){re.escape(word)}(?:[^a-z]|$)", lower))


def _name_before(text: str, end: int) -> str:
    """The name that ends there."""
    found = re.search("[A-Za-z0-9_]*$", text[max(0, end - _LONGEST_NAME) : end])
    return found[0] if found else ""


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
class Program:
    """A training program that logs and questions name: `hints` are texts in a log that tell it."""

    id: str
    name: str
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Framework(Program):
    """One that the guide answers for; `glossary` is the framework whose chip it shares."""

    glossary: str


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
        echo: only reports that something else failed, so that it counts only in a text without another error.
        foreign: a library prints it, and the entry is for one framework.
        bug: `entry` is a row of the bug ledger.
    """

    entry: str
    framework: str
    shown: str
    pattern: str
    weight: float
    anchor: str
    key: str
    words: tuple[str, ...]
    generic: bool
    output: bool
    echo: bool
    foreign: bool
    bug: bool = False

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return expression(self.pattern)


def _numbers(tag: str) -> Version:
    """The numbers of a release alone: what was built before it, or after it, has what it has."""
    numbers = re.search(r"[0-9]+(?:\.[0-9]+)*", tag)
    return Version(numbers[0]) if numbers else version_of(tag)


@dataclass(frozen=True)
class Affected:
    """The releases with a bug: from `since` to `until`; `fixed` is the first without it; "" is not known.

    Attributes:
        repository: that it is of; `package` is what the doctor calls that.
    """

    repository: str
    package: str
    since: str
    until: str
    fixed: str

    @property
    def span(self) -> dict[str, str | None]:
        """For programs: None where it is not known."""
        return {"since": self.since or None, "until": self.until or None, "fixed": self.fixed or None}

    def by(self, release: str) -> str:
        """What a release has: "fix", "bug", or "none" where it is older than the bug.

        >>> [Affected("verl", "verl", "v0.6.0", "v0.8.0", "v0.9.0").by(one) for one in ("0.5", "0.7.1", "0.9.0.dev")]
        ['none', 'bug', 'fix']
        """
        own = _numbers(release)
        if self.fixed and own >= _numbers(self.fixed):
            return "fix"
        return "none" if self.since and own < _numbers(self.since) else "bug"


@dataclass(frozen=True)
class Guide:
    """What no language changes.

    Attributes:
        bugs: rows of the bug ledger → the releases with each.
        error_name: finds the name of an error in a text.
        echoes: names of errors that only report another one.
        hint_bonus: a log that names the framework of an entry counts like this many more characters of error text.
        scan: limits of the log scanner by name; see `catalog/scan.yml`.
        grammar: how settings are read.
    """

    cleaning: tuple[Rule, ...]
    masks: tuple[Rule, ...]
    places: tuple[Rule, ...]
    settings: tuple[Rule, ...]
    synonyms: tuple[tuple[str, ...], ...]
    frameworks: tuple[Framework, ...]
    programs: tuple[Program, ...]
    signatures: tuple[Signature, ...]
    bugs: Mapping[str, Affected]
    error_name: str
    echoes: frozenset[str]
    hint_bonus: int
    scan: Mapping[str, Any]
    grammar: Grammar
    definitions: Mapping[str, Definition]

    def cleaned(self, text: str) -> str:
        """The text without what differs from run to run."""
        return _applied(self.cleaning, text)

    def masked(self, text: str) -> str:
        """The text without what names people, machines, places and secrets."""
        return _applied(self.masks, text)

    @property
    def known(self) -> tuple[Program, ...]:
        """Every training program that is known by name."""
        return *self.frameworks, *self.programs

    def without_places(self, text: str) -> str:
        """The text without the files and lines of a traceback."""
        return _applied(self.places, text)

    def without_settings(self, text: str) -> str:
        """The text without what it sets and measures."""
        return _applied(self.settings, text)

    def frameworks_named(self, text: str) -> set[str]:
        """Ids of the frameworks, and of other training programs, that the text names or whose hints stand in it."""
        lower = text.lower()
        return {one.id for one in self.known if any(hint in text for hint in one.hints) or _is_word(one.name.lower(), lower)}

    def family(self, framework: str) -> set[str]:
        """Frameworks that share the glossary of one."""
        return {one.id for one in self.frameworks if one.glossary == framework}

    def errors_in(self, cleaned: str, echoes: Sequence[tuple[int, int]]) -> tuple[bool, bool]:
        """Whether the text names an error, and whether it names one that is not only the report of another.

        Args:
            cleaned: the text.
            echoes: places where texts stand that report others; an error's name right before one belongs to it.
        """
        ends = [match.end() for match in expression(self.error_name).finditer(cleaned)]
        ours = [(max(0, start - _BEFORE_ECHO), end) for start, end in echoes]
        return bool(ends), any(
            all(not start <= at <= end for start, end in ours) and _name_before(cleaned, at) not in self.echoes for at in ends
        )


def _applied(rules: Iterable[Rule], text: str) -> str:
    for rule in rules:
        text = rule.apply(text)
    return text


def _rules(rows: Iterable[Sequence[Any]]) -> tuple[Rule, ...]:
    return tuple(Rule(pattern, tuple(replace)) for pattern, replace in rows)


@dataclass(frozen=True)
class Answer:
    """An entry or a known bug in one language: `page` is its address below the root of the site, `fix` Markdown."""

    title: str
    short: str
    page: str
    fix: str


@dataclass(frozen=True)
class Method:
    """A page that finds a cause step by step, in one language: `page` is its address below the root of the site."""

    title: str
    page: str


@dataclass(frozen=True)
class Answers:
    """One language: the entries and bugs by id, the words of the interface by name, and what leads on from a way to end."""

    language: str
    entries: Mapping[str, Answer]
    words: Mapping[str, str]
    methods: Mapping[str, Method] = field(default_factory=dict)


def read_piece(folder: Path, name: str, format_: int = FORMAT) -> dict[str, Any]:
    """What a file of the compiled guide holds.

    Args:
        name: without its suffix.

    Raises:
        FormatError: it has another structure.
        OSError: there is none.
    """
    data: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    if data.get("format") != format_:
        raise FormatError(f"{name} of format {data.get('format')!r}, {format_} is read here")
    return data


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
    entries = [*data["entries"], *(row[:2] for row in data["bugs"])]
    return Guide(
        cleaning=_rules(data["cleaning"]),
        masks=_rules(data["masks"]),
        places=_rules(data["places"]),
        settings=_rules(data["settings"]),
        synonyms=tuple(map(tuple, data["synonyms"])),
        frameworks=tuple(Framework(one["id"], one["name"], tuple(one["hints"]), one["glossary"]) for one in data["frameworks"]),
        programs=tuple(Program(one["id"], one["name"], tuple(one["hints"])) for one in data["programs"]),
        signatures=tuple(_signature(row, *entries[row[0]]) for row in data["signatures"]),
        bugs={id_: Affected(*releases) for id_, _, *releases in data["bugs"]},
        error_name=data["errorName"],
        echoes=frozenset(data["echoes"]),
        hint_bonus=data["hintBonus"],
        scan=data["scan"],
        grammar=as_grammar(data["grammar"]),
        definitions={name: as_definition(one) for name, one in data["calculators"].items()},
    )


def _signature(row: list[Any], entry: str, framework: str) -> Signature:
    _, shown, pattern, weight, kind, anchor, key, words = row
    kinds = (bool(kind & bit) for bit in (GENERIC, OUTPUT, ECHO, FOREIGN, BUG))
    return Signature(entry, framework, shown, pattern, weight, anchor, key, tuple(words), *kinds)


def read_answers(folder: Path, language: str) -> Answers:
    """Read `<language>.json`.

    Raises:
        FormatError: it has another structure.
        OSError: there is none.
    """
    data = read_piece(folder, language)
    both = {**data["entries"], **data["bugs"]}
    methods = {way: Method(**one) for way, one in data["methods"].items()}
    return Answers(language, {id_: Answer(**one) for id_, one in both.items()}, data["words"], methods)
