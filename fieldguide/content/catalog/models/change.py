"""What `make verify` has looked at and what had changed there."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from fieldguide.content.catalog.models.base import Day, Id, Model, Stamp, Text


class Newest(Model):
    """The newest commit of a repository that `make verify` has looked at."""

    id: Id
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
    date: Day


class ChangeKind(StrEnum):
    """What upstream did to something that the guide cites."""

    UNREAD = "unread"  # the file no longer parses
    FILE = "file"  # the file is gone
    MOVED = "moved"  # the file has another path
    DEFAULT = "default"
    TEXT = "text"  # the cited line reads otherwise
    LOST = "lost"  # the cited line is gone
    ERROR = "error"  # the error text is no longer printed


class Change(Model):
    """One change upstream and what in the guide rests on it.

    Attributes:
        path: file, and `line` in it, as cited.
        since: commit at which the guide's version stood last.
        was: the path, default, line or error text as the guide has it.
        now: what stands there instead; None when nothing does.
        entries, keys, rules: ids of what cites it.
    """

    repo: Id
    kind: ChangeKind
    path: Text
    line: Annotated[int, Field(ge=1)] | None = None
    since: Stamp
    was: Text
    now: Text | None = None
    entries: tuple[Id, ...] = ()
    keys: tuple[Id, ...] = ()
    rules: tuple[str, ...] = ()
