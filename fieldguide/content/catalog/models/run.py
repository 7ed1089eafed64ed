"""How the logs of a whole run are read: see `catalog/run.yml`."""

import re
from typing import Annotated, Literal

from pydantic import Field, model_validator

from fieldguide.content.catalog.models.base import Id, Model, Text
from fieldguide.content.catalog.models.text import Pattern
from fieldguide.content.dialect import keeps_a_repeated_group, portable

Role = Literal["fails", "reports", "echoes", "does", "tells"]
FieldName = Literal[
    "actor", "code", "command", "completed", "day", "device", "enqueued", "epoch", "fraction", "hour", "local", "minute",
    "month", "name", "node", "op", "phase", "pid", "rank", "second", "seq", "signal", "size", "step", "year", "zone",
]  # fmt: skip


class Named(Model):
    """A pattern whose groups have names.

    Attributes:
        fields: what the groups hold, in order; a name twice is the first of them that matched.
        example: a text that it finds.
    """

    pattern: Pattern
    fields: tuple[FieldName, ...] = ()
    example: Text

    @model_validator(mode="after")
    def _fits(self) -> "Named":
        compiled = re.compile(portable(self.pattern), re.ASCII)
        if compiled.groups != len(self.fields):
            raise ValueError(f"{compiled.groups} groups and {len(self.fields)} fields")
        if keeps_a_repeated_group(self.pattern):
            raise ValueError("a group in what is repeated: the two engines keep different rounds")
        if not compiled.search(self.example):
            raise ValueError("the pattern does not find its example")
        return self


class FileKind(Named):
    """What a file is, by its path."""

    kind: Id


class Ignored(FileKind):
    """A file that is no log; `harmless` is a name that looks alike."""

    harmless: Text

    @model_validator(mode="after")
    def _told_apart(self) -> "Ignored":
        if re.search(portable(self.pattern), self.harmless, re.ASCII):
            raise ValueError("the pattern finds the harmless name")
        return self


class Way(Model):
    """How something ended.

    Attributes:
        strength: of two that a rank shows, the larger is its cause; 0 never is a cause.
        method: page below docs/<language>/methods/ that leads on.
    """

    name: Id
    strength: Annotated[int, Field(ge=0, le=9)]
    method: Id


class Event(Named):
    """Something that happens, as a line tells it.

    Attributes:
        role: the speaker `fails`, or only `echoes` the end of another; it `reports` the end of somebody whom the line names;
            what it `does`; who is who (`tells`).
        how: a `Way`, for what ended.
        anchor: text that every such line holds, without which the pattern is not tried.
        lines: lines that the pattern is tried on, from that of the anchor on.
    """

    name: Id
    role: Role
    how: Id | None = None
    anchor: Annotated[str, Field(min_length=3)]
    lines: Annotated[int, Field(ge=1, le=12)] = 1
    does: Text | None = None

    @model_validator(mode="after")
    def _whole(self) -> "Event":
        if self.anchor not in self.example:
            raise ValueError("the example lacks the anchor")
        if (self.how is None) == (self.role in ("fails", "reports", "echoes")):
            raise ValueError("`how` belongs to what ended, and only there")
        return self


class RunReading(Model):
    """How the logs of a run are read."""

    limits: dict[str, Annotated[int, Field(gt=0)]]
    ignored: tuple[Ignored, ...]
    files: tuple[FileKind, ...]
    heads: tuple[FileKind, ...]
    nodes: tuple[Named, ...]
    runs: tuple[FileKind, ...]
    speakers: tuple[Named, ...]
    times: tuple[Named, ...]
    echoes: tuple[Text, ...]
    echoTexts: tuple[Text, ...]  # noqa: N815 (as the compiled guide names it)
    ways: tuple[Way, ...]
    events: tuple[Event, ...]

    @model_validator(mode="after")
    def _known(self) -> "RunReading":
        known = {one.name for one in self.ways}
        for one in self.events:
            if one.how and one.how not in known:
                raise ValueError(f"event {one.name}: no way {one.how!r}")
        return self
