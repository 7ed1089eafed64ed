"""What every record of the catalog is made of: names, versions, texts, and the closed record itself."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from fieldguide.content.expression import ExpressionError, compile_expression
from fieldguide.content.signature import parse_signature

ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
# "v0.2.0", "core_v0.8.0", "2.7.1", "436a5275 (2025-08-10)": a tag, a package version, or a commit with its date.
VERSION_PATTERN = r"^(core_)?v?\d+(\.\d+)*(\.?(post|rc)\d+)?$|^[0-9a-f]{7,12} \(\d{4}-\d\d-\d\d\)$"

Id = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
Version = Annotated[str, StringConstraints(pattern=VERSION_PATTERN)]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\d$")]
# A commit with its date.
Stamp = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{7,40} \(\d{4}-\d\d-\d\d\)$")]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


def _signature(text: str) -> str:
    parse_signature(text)
    return text


def _expression(text: str) -> str:
    try:
        compile_expression(text)
    except ExpressionError as error:
        raise ValueError(str(error)) from error
    return text


# Source text in the language of `fieldguide.content.expression`.
Expression = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True), AfterValidator(_expression)]

SignatureText = Annotated[str, StringConstraints(min_length=3), AfterValidator(_signature)]


class Model(BaseModel):
    """Immutable, closed record."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class Span(Model):
    """Versions for which something holds; an open end is left out."""

    since: Version | None = None
    until: Version | None = None

    @property
    def bounded(self) -> bool:
        return bool(self.since or self.until)


class NotFollowed(StrEnum):
    """Why an error text is looked for in no release of the program that prints it."""

    PYTHON = "python"  # Python or its library prints it, of a name that the program gives
    ASSEMBLED = "assembled"  # it is put together at run time: of several strings, names, values, the lines of several programs
    OLDER = "older"  # of releases older than those that are looked at
    CLOSED = "closed"  # the source is not published
    OUTSIDE = "outside"  # of a program that no package holds: a shell, an installer, a console
