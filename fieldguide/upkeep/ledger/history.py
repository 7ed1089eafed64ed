"""What the history of a clone says of commits: in which release they came, what they change, what reverts them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fieldguide.content.catalog.models import Line
from fieldguide.runtime.version import version_of
from fieldguide.upkeep.extract.git import Clone, GitError, Tree
from fieldguide.upkeep.ledger.files import is_beside
from fieldguide.upkeep.ledger.pick import lacking
from fieldguide.upkeep.releases.known import ReleaseTree
from fieldguide.upkeep.verify.presence import Memory

_REVERTED = re.compile(r"This reverts commit ([0-9a-f]{7,40})")
_NUMBER = re.compile(r"\(#(\d+)\)\s*$")
# Lines shorter than this are everywhere.
_TELLING = 12
# Where a faulty line may stand.
_SOURCES = ("*.py", "*.sh", "*.yaml", "*.yml", "*.toml", "*.json", "*.txt", "*.cu", "*.cpp", "*.h", "*.patch", "Dockerfile*")
_DATA = ("data",)  # sets of data, which may be too large for a clone to hold


@dataclass(frozen=True)
class Made:
    """A commit: its 12 digits, its day, and its message."""

    id: str
    day: str
    message: str

    @property
    def subject(self) -> str:
        return self.message.partition("\n")[0]

    @property
    def number(self) -> int | None:
        """Of the pull request, as the subject of a squashed one ends."""
        found = _NUMBER.search(self.subject)
        return int(found[1]) if found else None


class Ledger:
    """The history of one repository, with its releases in the order of their versions. Every answer is kept."""

    def __init__(self, clone: Clone | None, releases: Sequence[ReleaseTree], memory: Memory) -> None:
        """`clone` is None for a library, of which only the archives of its releases are at hand."""
        self._clone = clone
        self._memory = memory
        self.releases = tuple(sorted(releases, key=lambda one: version_of(one.release.tag)))
        self.tags = tuple(one.release.tag for one in releases)

    @cached_property
    def commits(self) -> Mapping[str, Made]:
        """Every commit of the main branch and of every tag, the newest first."""
        if self._clone is None:
            return {}
        rows = self._clone.git("log", "HEAD", "--tags", "--no-merges", "--format=%H%x1f%cs%x1f%B%x1e").split("\x1e")
        parts = [row.strip("\n").split("\x1f") for row in rows if row.strip()]
        return {id_[:12]: Made(id_[:12], day, message) for id_, day, message in parts}

    @cached_property
    def reverted(self) -> Mapping[str, str]:
        """Commit → the one that takes it back, if that is not taken back itself."""
        found = {match[1][:12]: one.id for one in self.commits.values() for match in _REVERTED.finditer(one.message)}
        return {id_: by for id_, by in found.items() if by not in found}

    @cached_property
    def _release_of(self) -> Mapping[str, str]:
        """Commit → the first release that has it; what came after the newest is left out."""
        found: dict[str, str] = {}
        for one in self.releases:
            if one.release.commit and self._clone is not None:
                for id_ in self._clone.git("rev-list", one.release.commit).split():
                    found.setdefault(id_[:12], one.release.tag)
        return found

    def first_with(self, commits: Iterable[str]) -> str | None:
        """The first release that has one of these commits.

        A release that is only on the package index has a commit if it has the lines that the commit adds.
        """
        tags = [self._release_of[one] for one in commits if one in self._release_of]
        if tags:
            return min(tags, key=self.tags.index)
        archived = [one for one in self.releases if not one.release.commit]
        for one in archived:
            newest = max((self.commits[id_].day for id_ in commits if id_ in self.commits), default="")
            if newest <= one.release.date and any(self._has(one, id_) for id_ in commits if id_ in self.commits):
                return one.release.tag
        return None

    def _has(self, release: ReleaseTree, commit: str) -> bool:
        added = [text for path, sign, text in self.lines(commit) if sign == "+" and path.endswith(".py")]
        lines = [Line(text=text) for text in added]
        self.look_for(lines)
        return bool(added) and all(self.has(release, line) for line in lines)

    def lines(self, commit: str) -> tuple[tuple[str, str, str], ...]:
        """Path, sign and text of the telling lines of code that a commit adds and takes away."""
        if self._clone is None:
            return ()
        found, path = [], ""
        for row in self._clone.git("show", "-U0", "--no-color", "--no-ext-diff", "--format=", commit).split("\n"):
            if row.startswith(("+++ ", "--- ")):
                path = row[4:].partition("/")[2] if row[4:] != "/dev/null" else path
            elif row[:1] in "+-" and not is_beside(path) and len(row[1:].strip()) >= _TELLING:
                found.append((path, row[0], row[1:].strip()))
        return tuple(found)

    def message(self, commit: str) -> str:
        """Message and change as one text."""
        return self._clone.git("show", "--no-color", "--no-ext-diff", "--format=%B", commit) if self._clone else ""

    def look_for(self, lines: Iterable[Line]) -> None:
        """Look for many lines at once in every release: `has` then knows."""
        wanted = {_place(line): line for line in lines}
        for one in self.releases:
            known = self._memory.known.setdefault(one.tree.commit, {})
            new = {place: line for place, line in wanted.items() if place not in known}
            if new:
                there = _places(one.tree, sorted({line.text for line in new.values()}))
                known |= {place: any(_below(path, line.path) for path in there[line.text]) for place, line in new.items()}

    def has(self, release: ReleaseTree, line: Line) -> bool:
        """Whether a release has a line: in a file, below a folder, or anywhere."""
        self.look_for([line])
        return bool(self._memory.known[release.tree.commit][_place(line)])

    def picks(self, commits: Sequence[str], release: ReleaseTree) -> bool:
        """Whether a source checkout of a release takes these commits over: without a conflict, and with all that they need."""
        if self._clone is None or not commits or not release.release.commit:
            return False
        known, place = self._memory.known.setdefault(release.tree.commit, {}), "\0".join(("", "whole pick", *commits))
        if place not in known:
            known[place] = not lacking(self._clone, commits, release.tree.commit)
        return bool(known[place])

    def files_before(self, commit: str) -> tuple[str, ...]:
        """The files that a commit changes and that were there before, without what no program runs."""
        if self._clone is None:
            return ()
        try:
            rows = self._clone.git("show", "--name-status", "--no-renames", "--format=", commit).split("\n")
        except GitError:
            return ()
        parts = [row.split("\t") for row in rows if "\t" in row]
        return tuple(path for kind, path in parts if kind in ("M", "D") and not is_beside(path))


def _place(line: Line) -> str:
    return f"{line.path}\0{line.text}"


def _below(path: str, wanted: str) -> bool:
    """Archives of packages have folders around their code that a repository lacks, or lack those that it has."""
    inside = f"/{wanted.strip('/')}/" in f"/{path}/"
    return not wanted or inside or wanted.endswith(f"/{path}")


def _places(tree: Tree, texts: Sequence[str]) -> dict[str, set[str]]:
    """Text → the files that have it in a line."""
    found: dict[str, set[str]] = {text: set() for text in texts}
    for row in tree.grep(texts, _SOURCES, "-n", without=_DATA).split("\n"):
        if row.count("\0") >= 2:
            place, _, line = row.split("\0", 2)
            for text in texts:
                if text in line:
                    found[text].add(place.partition(":")[2])
    return found
