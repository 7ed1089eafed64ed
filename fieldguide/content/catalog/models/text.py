"""How texts are read: what a log is cleaned of, which commands destroy, which words mean the same."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from fieldguide.content.catalog.models.base import Model, Text


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    return text


class Cleaning(Model):
    """One thing that is taken out of a log before signatures are looked for.

    Attributes:
        pattern: regular expression that Python and JavaScript read alike.
        example: text before and after, for the tests.
    """

    name: Text
    pattern: Annotated[str, AfterValidator(_pattern)]
    replace: str
    example: tuple[str, str]


class Command(Model):
    """A kind of command that stops or deletes something.

    Attributes:
        pattern: regular expression for one line of a script.
        example, harmless: a line that it finds, and one that looks alike and it does not.
    """

    name: Text
    pattern: Annotated[str, AfterValidator(_pattern)]
    example: Text
    harmless: Text

    @model_validator(mode="after")
    def _told_apart(self) -> "Command":
        if not re.search(self.pattern, self.example):
            raise ValueError("the pattern does not find its example")
        if re.search(self.pattern, self.harmless):
            raise ValueError("the pattern finds the harmless line")
        return self


class Synonyms(Model):
    """Words of either language that mean the same to the search: a query with one of them is asked with the others, too.

    Attributes:
        words: words or identifiers as people type them; Chinese ones are found anywhere in a query, the others as whole words.
    """

    words: Annotated[list[Annotated[str, StringConstraints(pattern=r"^\S+$")]], Field(min_length=2)]
