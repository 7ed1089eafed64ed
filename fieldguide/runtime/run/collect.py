"""From paths to the files of a run: folders, globs and links are followed, what is no log is left out and counted.

Nothing here raises for bad input: what cannot be read is `Skipped` with its reason.
"""

import glob
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fieldguide.runtime.run.kinds import OTHER, kind_by_name
from fieldguide.runtime.run.rules import RunRules

ARCHIVES = {".tar": "tar", ".tar.gz": "tar", ".tgz": "tar", ".tar.bz2": "tar", ".tar.xz": "tar", ".zip": "zip"}
_SHORT = 10_000  # bytes of a text that is called an archive and is none
_DIGITS = re.compile("([0-9]+)")


@dataclass(frozen=True)
class Member:
    """A file of a run.

    Attributes:
        path: as it is shown; for a file of an archive `logs.zip/a/b.log`.
        name: its path below what was given, by which it is told what it is.
        file: where it is read from.
        size, modified: bytes and seconds, when it was listed.
        packed: "tar" or "zip" for an archive, whose files are members of their own.
    """

    path: str
    name: str
    file: Path
    size: int
    modified: float
    packed: str = ""


@dataclass(frozen=True)
class Skipped:
    """What was not read.

    Attributes:
        reason: "missing", "unreadable", "loop", "special", "empty", "binary", "nested", "damaged", "bomb", "many", "older", or
            the kind of a file that is no log.
    """

    path: str
    reason: str


@dataclass
class Collected:
    """What was found below the paths; `others` are runs that are not the last: name → files."""

    members: list[Member] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    others: dict[str, int] = field(default_factory=dict)


class _Walk:
    """One look at the paths."""

    def __init__(self, rules: RunRules) -> None:
        self._rules = rules
        self._seen: set[tuple[int, int]] = set()
        self._left = rules.limits["walked"]
        self.found = Collected()

    def give(self, given: str) -> None:
        """A path or glob of the command line."""
        if not os.path.lexists(given) and (several := sorted(glob.glob(given, recursive=True))):  # noqa: PTH207 (absolute globs)
            for one in several:
                self._path(Path(one), Path(one).name)
        else:
            self._path(Path(given), Path(given).name)

    def _path(self, path: Path, name: str) -> None:
        try:
            status = path.stat()
        except FileNotFoundError:
            self._skip(path, "missing")
        except OSError as error:
            self._skip(path, "loop" if error.errno == 40 else "unreadable")  # ELOOP
        else:
            if stat.S_ISDIR(status.st_mode):
                self._folder(path, "", status)
            else:
                self._file(path, name, status, named=True)

    def _folder(self, path: Path, below: str, status: os.stat_result) -> None:
        """Files of a folder and of those in it; without recursion, which a deep tree would exhaust."""
        folders = [(path, below, status)]
        while folders:
            folder, name, status = folders.pop()
            if not self._is_new(status):
                continue
            try:
                with os.scandir(folder) as entries:
                    inside = sorted(entries, key=lambda one: one.name)
            except OSError:
                self._skip(folder, "unreadable")
                continue
            for entry in inside:
                self._left -= 1
                if self._left < 0:
                    self._skip(folder, "many")
                    return
                folders.extend(self._entry(entry, f"{name}{entry.name}"))

    def _entry(self, entry: "os.DirEntry[str]", name: str) -> Iterator[tuple[Path, str, os.stat_result]]:
        path = Path(entry.path)
        if kind := self._ignored(name):
            self._skip(path, kind)
            return
        try:
            status = entry.stat()
        except FileNotFoundError:
            self._skip(path, "missing")
        except OSError as error:
            self._skip(path, "loop" if error.errno == 40 else "unreadable")
        else:
            if not stat.S_ISDIR(status.st_mode):
                self._file(path, name, status)
            elif (status.st_dev, status.st_ino) in self._seen:
                self._skip(path, "loop")
            else:
                yield path, f"{name}/", status

    def _file(self, path: Path, name: str, status: os.stat_result, *, named: bool = False) -> None:
        packed = next((kind for end, kind in ARCHIVES.items() if name.lower().endswith(end)), "")
        if not stat.S_ISREG(status.st_mode):
            self._skip(path, "special")
        elif status.st_size == 0:
            self._skip(path, "empty")
        elif (kind := self._ignored(name)) and not named:
            self._skip(path, kind)
        elif self._is_new(status):
            shown = path.as_posix()
            self.found.members.append(Member(shown, name, path, status.st_size, status.st_mtime, packed))

    def _ignored(self, name: str) -> str:
        return ignored(name, self._rules)

    def _is_new(self, status: os.stat_result) -> bool:
        """A file or folder that two names lead to counts once."""
        own = status.st_dev, status.st_ino
        new = own not in self._seen
        self._seen.add(own)
        return new

    def _skip(self, path: Path, reason: str) -> None:
        self.found.skipped.append(Skipped(path.as_posix(), reason))


def is_glob(path: str) -> bool:
    """Whether a path that is not there is a pattern of several."""
    return glob.has_magic(path)


def ignored(name: str, rules: RunRules) -> str:
    """The kind of a file that is no log, by its name; "" for one that may be."""
    return next((kind for kind, named in rules.ignored if named.compiled.search(name)), "")


def collect(paths: Sequence[str], rules: RunRules) -> Collected:
    """The files of the last run below the paths, in the order of their names."""
    walk = _Walk(rules)
    for one in paths:
        walk.give(one)
    found = walk.found
    found.members, found.others, older = last_run(found.members, rules)
    found.skipped += older
    most = rules.limits["members"]
    if len(found.members) > most:
        kept = sorted(found.members, key=lambda one: (kind_by_name(one.name, rules)[0] == OTHER, -one.modified, one.name))
        found.skipped += [Skipped(one.path, "many") for one in kept[most:]]
        found.members = kept[:most]
    found.members = sorted(found.members, key=lambda one: natural(one.name))
    return found


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """Names in the order of their numbers.

    >>> sorted(["rank10.log", "rank9.log"], key=natural)
    ['rank9.log', 'rank10.log']
    """
    return tuple((int(piece), "") if at % 2 else (-1, piece) for at, piece in enumerate(_DIGITS.split(name)))


def last_run(members: Sequence[Member], rules: RunRules) -> tuple[list[Member], dict[str, int], list[Skipped]]:
    """The files of the last run, how many files each other one has, and what is left out for that.

    Runs are told by their folders, as Ray's sessions, or by their names, as the jobs of Slurm; the last one has the highest
    name. What belongs to none stays.
    """
    others: dict[str, int] = {}
    skipped: list[Skipped] = []
    kept = list(members)
    for _, named in rules.runs:
        runs = {one.path: match[1] for one in kept if (match := named.compiled.search(one.path))}
        if len(set(runs.values())) < 2:
            continue
        last = max(set(runs.values()), key=natural)
        for one in kept:
            if (run := runs.get(one.path, last)) != last:
                others[run] = others.get(run, 0) + 1
                skipped.append(Skipped(one.path, "older"))
        kept = [one for one in kept if runs.get(one.path, last) == last]
    return kept, others, skipped


def inside(archive: Member, name: str, size: int) -> Member:
    """A file of an archive."""
    name = name.removeprefix("./").lstrip("/")
    return replace(archive, path=f"{archive.path}/{name}", name=name, size=size, packed="")


def is_one_log(path: Path) -> bool:
    """Whether a path is one log, or nothing at all; a folder, an archive, a glob are a run."""
    if not path.exists():
        return not is_glob(str(path))
    return not path.is_dir() and not (path.is_file() and path.name.lower().endswith(tuple(ARCHIVES)) and _is_archive(path))


def _is_archive(path: Path) -> bool:
    """Whether a file that is called an archive may be one; a short text of that name is told what to do, as ever."""
    import tarfile
    import zipfile

    try:
        return zipfile.is_zipfile(path) or tarfile.is_tarfile(path) or path.stat().st_size > _SHORT
    except OSError:
        return False
