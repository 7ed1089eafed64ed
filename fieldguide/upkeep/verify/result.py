"""What a look at upstream found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fieldguide.content.catalog.models import Change, ChangeKind, Source
from fieldguide.content.catalog.store import Located
from fieldguide.content.problems import Problem
from fieldguide.upkeep.extract.command import Versions
from fieldguide.upkeep.ledger.judge import LedgerReport
from fieldguide.upkeep.verify.commits import Commit
from fieldguide.upkeep.verify.spans import Spans
from fieldguide.upkeep.versions.renew import Versions as BuiltWith


@dataclass(frozen=True)
class Citation:
    """A source in the catalog.

    Attributes:
        owner: kind of record that cites it (entries, keys, rules) and its id.
        record: the record and where it stands in the catalog; `position` is its number in the file.
        index: which of the record's sources it is.
        entry: the entry whose card shows it, if any.
    """

    owner: tuple[str, str]
    record: Located[Any]
    position: int
    index: int
    source: Source
    entry: str | None = None


@dataclass(frozen=True)
class Finding:
    """One way in which a record no longer agrees with upstream; several may come from one change.

    Attributes:
        lines: first and last line of what changed, at `since`.
    """

    owner: tuple[str, str]
    entry: str | None
    repo: str
    since: Commit
    kind: ChangeKind
    path: str
    lines: tuple[int, int]
    was: str
    now: str | None = None


@dataclass(frozen=True)
class Move:
    """A cited line that stands elsewhere now, unchanged."""

    citation: Citation
    path: str
    line: int | None


@dataclass(frozen=True)
class Unchecked:
    """Something that could not be looked at, and why.

    Attributes:
        owner: id of the entry or key.
        what: `default` or `error text`, and the `text` of the latter.
    """

    repo: str
    owner: str
    what: str
    reason: str
    text: str = ""


@dataclass
class Tally:
    """What was looked at in one repository.

    Attributes:
        lines: cited lines; `shifted` of them have another number now.
        defaults: defaults in the catalog that were compared with the declaration.
        errors: error texts found in the source; `past` ones are said of older versions and not looked for.
    """

    lines: int = 0
    shifted: int = 0
    defaults: int = 0
    errors: int = 0
    past: int = 0


@dataclass(frozen=True)
class Looked:
    """One repository: from which commit to which, and how much."""

    id: str
    name: str
    pinned: Commit
    newest: Commit | None
    tally: Tally


@dataclass(frozen=True)
class ReleaseReport:
    """What a look at all releases found.

    Attributes:
        spans: one for each repository that has releases.
        missing: what could not be had or renewed.
        moved: releases that are not what they were, or cannot be read.
        keys: the versions of the keys of each framework.
        ledgers: the rows of the bug ledger, one for each repository that has some.
        built: what the releases of each framework were built with, and which of them the catalog records otherwise.
    """

    spans: tuple[Spans, ...] = ()
    missing: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    keys: tuple[Versions, ...] = ()
    built: tuple[tuple[BuiltWith, tuple[str, ...]], ...] = ()
    ledgers: tuple[LedgerReport, ...] = ()

    @property
    def wrong(self) -> list[str]:
        """Where the catalog contradicts the releases."""
        texts = [line for one in self.spans for line in (*map(str, one.boundaries), *map(str, one.problems), *one.nowhere)]
        texts += [line for one in self.ledgers for line in (*map(str, one.boundaries), *one.faults)]
        texts += [f"key {name} of {one.framework}: its versions are others" for one in self.keys for name in one.differing]
        return texts + [
            f"{one.framework} {tag}: catalog/versions does not have what its files say"
            for one, tags in self.built
            for tag in tags
        ]


@dataclass(frozen=True)
class Report:
    """Everything found.

    Attributes:
        changes: upstream's changes, each once.
        problems: citations and defaults that are wrong at their own commit.
        faults: repository id → why it, or a part of it, could not be read.
        absent: repository id → how much of it was not looked at for want of a clone.
        moves: cited lines that only need another number or path.
        findings: the changes as seen from each record.
    """

    looked: tuple[Looked, ...] = ()
    changes: tuple[Change, ...] = ()
    problems: tuple[Problem, ...] = ()
    faults: tuple[str, ...] = ()
    absent: Mapping[str, Tally] = field(default_factory=dict)
    unchecked: tuple[Unchecked, ...] = ()
    moves: tuple[Move, ...] = ()
    findings: tuple[Finding, ...] = ()
    releases: ReleaseReport = ReleaseReport()

    @property
    def exit_code(self) -> int:
        """0 all holds, 1 something changed, 2 something could not be read."""
        if self.faults or self.releases.moved:
            return 2
        return 1 if self.changes or self.problems or self.releases.wrong else 0
