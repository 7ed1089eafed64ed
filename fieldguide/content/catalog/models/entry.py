"""One question or error with its answer."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from fieldguide.content.catalog.models.base import Id, Model, NotFollowed, SignatureText, Span, Text
from fieldguide.content.catalog.models.upstream import Source


class Signature(Span):
    """An error text with placeholders, as a program prints it.

    Attributes:
        text: see `fieldguide.content.signature` for the placeholders.
        of: repository that prints it; the versions are that repository's.
        generic: many programs print it, so it counts only in a text that names the entry's framework (for an `any-` entry: one
            of ours), and any other match outranks it.
        ordinary: it stands in the log of an ordinary run, too, so it counts only in a text without an error.
        echo: it only reports that something else failed, so it counts only in a text without another error.
        since, until: written by `make verify FIX=1`.
        not_followed: why no release is looked at; else one must print it.
    """

    text: SignatureText
    of: Id
    generic: bool = False
    ordinary: bool = False
    echo: bool = False
    not_followed: NotFollowed | None = None


class Kind(StrEnum):
    """What a reader comes with."""

    ERROR = "error"
    HOWTO = "howto"
    CONCEPT = "concept"


class Status(StrEnum):
    """What the check against upstream found: the upstream answer holds, has changed since, or its subject is gone."""

    HOLDS = "holds"
    CHANGED = "changed"
    GONE = "gone"


class Origin(Model):
    """The upstream Q&A an entry grew from."""

    repo: Id
    path: Text
    question: Text
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-zA-Z._-]+$")] | None = None


class Entry(Model):
    """One question or error with its answer; the words are under the same id in both languages.

    Attributes:
        aliases: ids it had before; addresses with them go on working.
        group: heading of the topic's page that lists it, for a problem that several frameworks share.
    """

    id: Id
    aliases: tuple[Id, ...] = ()
    framework: Id
    group: Id | None = None
    kind: Kind
    status: Status
    versions: Span = Span()
    signatures: tuple[Signature, ...] = ()
    keys: tuple[Text, ...] = ()
    sources: Annotated[tuple[Source, ...], Field(min_length=1)]
    origins: tuple[Origin, ...] = ()
    see_also: tuple[Id, ...] = ()

    @model_validator(mode="after")
    def _errors_have_signatures(self) -> "Entry":
        if self.kind is Kind.ERROR and not self.signatures:
            raise ValueError("an entry of kind error needs at least one signature")
        return self
