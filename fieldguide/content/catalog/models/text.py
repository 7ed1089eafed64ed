"""How texts are read: what a log is cleaned of, what reports must not hold, how settings are written, what words mean."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from fieldguide.content.catalog.models.base import Id, Model, Text
from fieldguide.content.dialect import portable


def _pattern(text: str) -> str:
    portable(text)
    return text


# A regular expression that Python and JavaScript read alike: see `fieldguide.content.dialect`.
Pattern = Annotated[str, AfterValidator(_pattern)]


class Cleaning(Model):
    """One thing that is taken out of a log before signatures are looked for.

    Attributes:
        replace: what stands there instead; `$1` is what the first group of the pattern matched.
        example: text before and after, for the tests.
    """

    name: Text
    pattern: Pattern
    replace: str
    example: tuple[str, str]

    @property
    def parts(self) -> tuple[str | int, ...]:
        """The replacement as texts and numbers of groups."""
        return _parts(self.replace)


def _parts(replace: str) -> tuple[str | int, ...]:
    pieces = re.split(r"\$(\d)", replace)
    return tuple(int(piece) if at % 2 else piece for at, piece in enumerate(pieces) if piece)


class Shorthand(Model):
    """A piece of the patterns of masks, written `<name>` in them: a pattern, or texts of which one stands there."""

    name: Id
    pattern: Text | None = None
    alternatives: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _one(self) -> "Shorthand":
        if bool(self.pattern) == bool(self.alternatives):
            raise ValueError("give either a pattern or alternatives")
        return self


class Mask(Model):
    """One thing that nobody else should read in a report: a secret, a name, a machine, a private place.

    Attributes:
        pattern: regular expression that Python and JavaScript read alike, once its shorthand is written out.
        replace: what stands there instead; `$1` is what the first group of the pattern matched.
        fold: small and capital letters alike.
        example: text before and after all masks, for the tests.
    """

    name: Text
    pattern: Text
    replace: str
    fold: bool = False
    example: tuple[str, str]

    @property
    def parts(self) -> tuple[str | int, ...]:
        """The replacement as texts and numbers of groups."""
        return _parts(self.replace)


class Command(Model):
    """A kind of command that stops or deletes something.

    Attributes:
        pattern: regular expression for one line of a script.
        example, harmless: a line that it finds, and one that looks alike and it does not.
    """

    name: Text
    pattern: Pattern
    example: Text
    harmless: Text

    @model_validator(mode="after")
    def _told_apart(self) -> "Command":
        _tell_apart(portable(self.pattern), self.example, self.harmless)
        return self


def _tell_apart(pattern: str, example: str, harmless: str) -> None:
    if not re.search(pattern, example, re.ASCII):
        raise ValueError("the pattern does not find its example")
    if re.search(pattern, harmless, re.ASCII):
        raise ValueError("the pattern finds the harmless line")


class Phrase(Model):
    """A pattern with which settings are read.

    Attributes:
        fold: small and capital letters alike.
        example, harmless: a text that it finds, and one that looks alike and it does not.
    """

    name: Text
    pattern: Pattern
    fold: bool = False
    example: str
    harmless: str

    @property
    def compiled(self) -> str:
        """As Python and JavaScript read it."""
        return portable(self.pattern, self.fold)

    @model_validator(mode="after")
    def _told_apart(self) -> "Phrase":
        _tell_apart(self.compiled, self.example, self.harmless)
        return self


class Grammar(Model):
    """How settings are read: see `catalog/grammar.yml`."""

    patterns: tuple[Phrase, ...]
    separators: tuple[Text, ...]
    configFiles: tuple[Text, ...]  # noqa: N815 (as the compiled guide names it)
    configNames: tuple[tuple[Text, Text, bool], ...]  # noqa: N815
    limits: dict[str, int]
    largest: int


class Reading(Model):
    """How a log is read: see `catalog/scan.yml`."""

    limits: dict[str, Annotated[int, Field(gt=0)]]
    words: int
    gaps: tuple[str, ...]
    errorName: Pattern  # noqa: N815 (as the compiled guide names it)
    echoes: tuple[Text, ...]
    hintBonus: int  # noqa: N815
    genericWeight: int  # noqa: N815
    archives: dict[Id, Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2})+$")]]


class Synonyms(Model):
    """Words of either language that mean the same to the search: a query with one of them is asked with the others, too.

    Attributes:
        words: words or identifiers as people type them; Chinese ones are found anywhere in a query, the others as whole words.
    """

    words: Annotated[list[Annotated[str, StringConstraints(pattern=r"^\S+$")]], Field(min_length=2)]
