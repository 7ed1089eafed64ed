"""Reads the files of a run, each once and as a stream, in two processes where there is much to read.

Memory: a chunk of text and the windows around its hits for each process, and a bounded record for each file.
"""

import multiprocessing
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import BinaryIO, cast

from fieldguide.runtime.encoding import LogError
from fieldguide.runtime.findings import Diagnosis
from fieldguide.runtime.guide import Guide, read_guide
from fieldguide.runtime.run.archive import opened
from fieldguide.runtime.run.clock import NO_YEAR, in_year, year_of
from fieldguide.runtime.run.collect import Member, Skipped
from fieldguide.runtime.run.events import Anchors, Doing, Seen, Watcher, Who
from fieldguide.runtime.run.kinds import OTHER, kind_by_head, kind_by_name
from fieldguide.runtime.run.rules import RunRules, read_rules
from fieldguide.runtime.scan import Scanner

CHUNK = 1024 * 1024  # bytes read at once, of each process
PARALLEL = 64 * 1024 * 1024  # bytes from which on a second process is worth its start
PROCESSES = 2
_HEAD = 4096
_ENDS = 4000  # characters of a log that names versions


@dataclass(frozen=True)
class FileRead:
    """What one file tells.

    Attributes:
        who: whose it is, by its name.
        first, last: times of its first and last lines, where they have any.
        diagnosis: the known errors in it; its `head` and `tail` are cut.
        ends: beginning and end, of a file that names versions.
        damaged: it breaks off.
    """

    member: Member
    kind: str
    who: Who
    lines: int
    first: int | None
    last: int | None
    last_line: str
    events: tuple[Seen, ...]
    doing: tuple[Doing, ...]
    diagnosis: Diagnosis
    ends: str = ""

    @property
    def damaged(self) -> bool:
        """Whether it breaks off."""
        return self.diagnosis.damaged


Numbered = tuple[int, FileRead | Skipped]  # with the position of its member


class _TooMuchError(Exception):
    """An archive unpacks to more than a log does."""


class _Stream:
    """A file up to the size that it had when it was listed: one that grows is read to there. It breaks off and never raises."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream, self._left, self.broken = stream, size, False

    def read(self, size: int) -> bytes:
        """At most `size` bytes."""
        try:
            block = self._stream.read(min(size, self._left))
        except Exception:  # of whatever kind a broken archive or disk makes it
            self.broken, block = True, b""
        self._left -= len(block)
        return block


class Reader:
    """Reads files with the guide of a folder."""

    def __init__(self, guide: Guide, rules: RunRules) -> None:
        self._guide, self._rules = guide, rules
        self._scanner, self._anchors = Scanner(guide, CHUNK), Anchors(rules, guide)

    def read(self, member: Member) -> Iterator[FileRead | Skipped]:
        """What a file tells, or each file of an archive."""
        budget = self._budget(member)
        if not member.packed:
            try:
                with member.file.open("rb") as stream:
                    yield self._one(member, stream, budget)
            except OSError:
                yield Skipped(member.path, "unreadable")
            return
        for found in opened(member, self._rules):
            if isinstance(found, Skipped):
                yield found
                continue
            one = self._one(*found, budget)
            yield one
            if isinstance(one, Skipped) and one.reason == "bomb":
                return

    def _budget(self, member: Member) -> "_Budget":
        limits = self._rules.limits
        most = min(limits["unpacked"], max(member.size, _HEAD) * limits["ratio"])
        return _Budget(max(most, 2 * member.size))  # text that is not packed may be of any size

    def _one(self, member: Member, stream: BinaryIO, budget: "_Budget") -> FileRead | Skipped:
        kind, who = kind_by_name(member.name.removesuffix(".gz"), self._rules)
        watcher = Watcher(self._anchors, who)
        source = _Stream(stream, member.size)

        def watch(chunk: bytes) -> None:
            budget.take(len(chunk))
            watcher.feed(chunk)

        try:
            diagnosis = self._scanner.scan(cast(BinaryIO, source), watch)
        except LogError as error:
            return Skipped(member.path, {"binary": "binary", "damaged": "damaged"}.get(error.kind, "packed"))
        except _TooMuchError:
            return Skipped(member.path, "bomb")
        if not diagnosis.lines:
            return Skipped(member.path, "damaged" if source.broken else "empty")
        if kind == OTHER:
            kind = kind_by_head(diagnosis.head[:_HEAD], self._rules)
        from fieldguide.runtime.doctor.environment import names_versions

        ends = diagnosis.ends if names_versions(diagnosis.ends) else ""
        cut = replace(diagnosis, head="", tail="", damaged=diagnosis.damaged or source.broken)
        return FileRead(
            member, kind, who, diagnosis.lines, watcher.first_time, watcher.last_time, watcher.last_line, watcher.events,
            tuple(watcher.doing.values()), cut, ends[-_ENDS:],
        )  # fmt: skip


@dataclass
class _Budget:
    """Bytes that a file or an archive may still unpack to."""

    left: int

    def take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise _TooMuchError


def read_all(
    members: Sequence[Member], guide: Guide, rules: RunRules, folder: Path, processes: int = PROCESSES
) -> tuple[list[FileRead], list[Skipped]]:
    """What the files tell, in their order, and what could not be read.

    Args:
        folder: where the compiled guide is, for the other processes.
    """
    if processes < 2 or sum(one.size for one in members) < PARALLEL:
        results = _each(Reader(guide, rules).read, members)
    else:
        results = _together(members, folder, processes)
    read: list[FileRead] = []
    skipped: list[Skipped] = []
    for _, found in sorted(_lean(results, rules.limits), key=lambda one: one[0]):
        (read if isinstance(found, FileRead) else skipped).append(found)  # type: ignore[arg-type]
    return read, skipped


def _each(read: Callable[[Member], Iterator[FileRead | Skipped]], members: Sequence[Member]) -> Iterator[Numbered]:
    return ((at, found) for at, member in enumerate(members) for found in read(member))


def _together(members: Sequence[Member], folder: Path, processes: int) -> Iterator[Numbered]:
    """The large files first, so that no process waits long for the other."""
    order = sorted(range(len(members)), key=lambda at: -members[at].size)
    forks = sys.platform == "linux"
    if forks:
        _reader(folder)  # what the processes then share
    context = multiprocessing.get_context("fork" if forks else "spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        jobs = deque((at, pool.submit(_in_process, folder, members[at])) for at in order)
        while jobs:
            at, job = jobs.popleft()
            found: list[FileRead | Skipped] = [Skipped(members[at].path, "unreadable")]
            with suppress(Exception):  # a process that was killed takes what it read along, and nothing else
                found = job.result()
            yield from ((at, one) for one in found)


def _lean(results: Iterable[Numbered], limits: Mapping[str, int]) -> Iterator[Numbered]:
    """The same, with less of each file once there is very much of all: texts go first, then all but the ends of a file."""
    texts, events, doings = limits["texts"], limits["events"], limits["doings"]
    for at, found in results:
        if not isinstance(found, FileRead):
            yield at, found
            continue
        kept = found.events if events > 0 else (*found.events[:2], *found.events[2:][-2:])
        texts -= sum(len(one.block) for one in kept)
        if texts < 0:
            kept = tuple(replace(one, block="") for one in kept)
        doing = found.doing[: max(doings, 1)]
        events, doings = events - len(kept), doings - len(doing)
        yield at, replace(found, events=kept, doing=doing)


@cache
def _reader(folder: Path) -> Reader:
    return Reader(read_guide(folder), read_rules(folder))


def _in_process(folder: Path, member: Member) -> list[FileRead | Skipped]:
    return list(_reader(folder).read(member))


def in_one_year(files: Sequence[FileRead]) -> list[FileRead]:
    """The files with the year of the run where their lines name none."""
    times = [time for file in files for time in (file.first, file.last) if time is not None]
    year = max(map(year_of, times), default=NO_YEAR)

    def dated(time: int | None) -> int | None:
        return time if time is None else in_year(time, year)

    return [
        replace(
            file,
            first=dated(file.first),
            last=dated(file.last),
            events=tuple(replace(one, time=dated(one.time)) for one in file.events),
            doing=tuple(replace(one, time=dated(one.time)) for one in file.doing),
        )
        for file in files
    ]
