"""What differs between two commits of a clone, on top of the reader that the key extractor uses."""

import re
from dataclasses import dataclass

from fieldguide.upkeep.extract.git import Clone, GitError, Tree

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@dataclass(frozen=True)
class Commit:
    """A commit and the day it was made, in the committer's time zone."""

    hash: str
    date: str

    @property
    def stamp(self) -> str:
        """As versions are written in the catalog: `436a52759e7f (2025-08-10)`."""
        return f"{self.hash[:12]} ({self.date})"


@dataclass(frozen=True)
class Hunk:
    """Lines that one version has in place of another's: 1-based first line and how many, before and after."""

    old: int
    old_count: int
    new: int
    new_count: int


@dataclass(frozen=True)
class Found:
    """A line that git grep found."""

    path: str
    line: int
    text: str


class History:
    """The commits of one clone, their files and what changed from one to the other. Every answer is kept."""

    def __init__(self, clone: Clone) -> None:
        self.clone = clone
        self._commits: dict[str, Commit | None] = {}
        self._trees: dict[str, Tree] = {}
        self._renames: dict[tuple[str, str], dict[str, str]] = {}
        self._hunks: dict[tuple[str, ...], tuple[Hunk, ...]] = {}

    def commit(self, revision: str) -> Commit | None:
        """What a hash, tag or branch names; None when the clone has no such commit."""
        if revision not in self._commits:
            try:
                tree = self.clone.tree(revision)
                self._commits[revision] = Commit(tree.commit, tree.date)
            except GitError:
                self._commits[revision] = None
        return self._commits[revision]

    def is_ancestor(self, one: Commit, other: Commit) -> bool:
        """Whether `other` contains `one` in its history."""
        try:
            self.clone.git("merge-base", "--is-ancestor", one.hash, other.hash)
        except GitError:
            return False
        return True

    def text(self, commit: Commit, path: str) -> str | None:
        """A file as text, bytes that are no UTF-8 replaced; None when there is no such file.

        Raises:
            GitError: the clone is incomplete.
        """
        tree = self._trees.setdefault(commit.hash, Tree(self.clone, commit.hash))
        return tree.text(path) if path in tree.files else None

    def packaged(self, commit: Commit, path: str) -> str | None:
        """Where an archive has a file of the repository: packages leave out the folder that is around their code."""
        files = self._trees.setdefault(commit.hash, Tree(self.clone, commit.hash)).files
        parts = path.split("/")
        return next((inner for at in range(len(parts)) if (inner := "/".join(parts[at:])) in files), None)

    def renames(self, old: Commit, new: Commit) -> dict[str, str]:
        """Old path → new path of the files that moved between two commits, more or less as they were."""
        key = (old.hash, new.hash)
        if key not in self._renames:
            self._renames[key] = self._renamed(*key)
        return self._renames[key]

    def _renamed(self, old: str, new: str) -> dict[str, str]:
        flags = ("--name-status", "-z", "--diff-filter=R", "-l0", old, new, "--")
        try:
            text = self.clone.git("diff", "--find-renames", *flags)
        except GitError:  # a snapshot may lack large files; unchanged ones are found without reading any
            text = self.clone.git("diff", "--find-renames=100%", *flags)
        parts = text.split("\0")[:-1]
        return dict(zip(parts[1::3], parts[2::3], strict=True))

    def hunks(self, old: Commit, old_path: str, new: Commit, new_path: str) -> tuple[Hunk, ...]:
        """What differs between two versions of a file, white space left out of account."""
        key = (f"{old.hash}:{old_path}", f"{new.hash}:{new_path}")
        if key not in self._hunks:
            text = self.clone.git("diff", "-U0", "-w", "--no-color", "--no-ext-diff", *key)
            self._hunks[key] = tuple(_hunk(*match.groups()) for match in _HUNK.finditer(text))
        return self._hunks[key]

    def grep(self, commit: Commit, texts: list[str], patterns: tuple[str, ...]) -> list[Found]:
        """Lines of the files matching `patterns` that contain one of `texts`."""
        text = Tree(self.clone, commit.hash).grep(texts, patterns, "-n")
        return [_found(line, commit) for line in text.split("\n") if line.count("\0") >= 2]


def _hunk(old: str, old_count: str | None, new: str, new_count: str | None) -> Hunk:
    return Hunk(int(old), 1 if old_count is None else int(old_count), int(new), 1 if new_count is None else int(new_count))


def _found(line: str, commit: Commit) -> Found:
    place, number, text = line.split("\0", 2)
    return Found(place.removeprefix(f"{commit.hash}:"), int(number), text)
