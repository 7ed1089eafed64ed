"""In which releases a text is printed: looked up in every source file of each, and remembered, for a release never changes."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from fieldguide.upkeep.extract.git import Tree
from fieldguide.upkeep.extract.write import replace_file
from fieldguide.upkeep.releases import archive
from fieldguide.upkeep.releases.archive import STRINGS, SUFFIXES
from fieldguide.upkeep.releases.cache import read_json
from fieldguide.upkeep.releases.known import ReleaseTree
from fieldguide.upkeep.verify import printed
from fieldguide.upkeep.verify.printed import COMPILED, fixed_parts, pieces, printed_by, rows_of

# What quotes a text but prints none.
QUOTING = frozenset({"doc", "docs", "test", "tests", "unit_tests"})
MANY = 3
# Taken when the code is loaded: what is edited while a long look runs has not looked.
LOOKER = hashlib.sha256(b"".join(Path(one).read_bytes() for one in (printed.__file__, archive.__file__, __file__))).hexdigest()
# A piece of a signature that names a file of the program.
_FILE = re.compile(r"(?:^|[\s\"'])((?:[\w.-]+/)+[\w.-]*)")


class Memory:
    """What was found before, one file for each repository: commit → text → whether it is there; None where that cannot be told.

    It is of no use for another way of looking, so it begins anew when the code that looks has changed.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        said = read_json(file) or {}
        self.known: dict[str, dict[str, bool | None]] = said.get("known", {}) if said.get("looker") == LOOKER else {}

    def write(self) -> None:
        """Keep it for the next run."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._file, json.dumps({"looker": LOOKER, "known": self.known}))


class Presence:
    """Looks texts up in the releases of one repository."""

    def __init__(self, releases: Sequence[ReleaseTree], memory: Memory) -> None:
        self._releases = sorted(releases, key=lambda one: one.release.date)  # as they are, where two are of one day
        self._memory = memory
        self._blobs: dict[str, frozenset[str]] = {}

    @property
    def labels(self) -> list[str]:
        return [looked.release.tag for looked in self._releases]

    def of(self, signatures: Iterable[str]) -> dict[str, tuple[bool, ...]]:
        """For each signature whether each release prints it.

        A signature of several pieces is there where all are that this repository ever prints; the others are another program's.
        """
        split = {signature: pieces(signature) for signature in signatures}
        found = self._each({*split, *(piece for own in split.values() for piece in own)})
        return {
            signature: found[signature] if any(found[signature]) else self._together([found[piece] for piece in own])
            for signature, own in split.items()
        }

    def of_line(self, path: str, contains: str) -> dict[str, bool]:
        """For each release whether the file of that path has the text; where there is none, a file of that name.

        Wheels that have their C++ compiled, and not this file of it, are left out: they do not tell.
        """
        place, found = f"{path}\0{contains}", {}
        for looked in self._releases:
            known = self._memory.known.setdefault(looked.tree.commit, {})
            if place not in known:
                known[place] = _has_line(looked.tree, path, contains)
            found[looked.release.tag] = known[place]
        return {tag: flag for tag, flag in found.items() if flag is not None}

    def _together(self, found: Sequence[tuple[bool, ...]]) -> tuple[bool, ...]:
        own = [flags for flags in found if any(flags)]
        return tuple(map(all, zip(*own, strict=True))) if own else (False,) * len(self._releases)

    def _each(self, texts: Iterable[str]) -> dict[str, tuple[bool, ...]]:
        found: dict[str, list[bool]] = {text: [] for text in sorted(texts)}
        for looked in self._releases:
            known = self._memory.known.setdefault(looked.tree.commit, {})
            new = [text for text in found if text not in known]
            if new:
                there = self._search(looked.tree, new)
                known |= {text: text in there for text in new}
            for text, flags in found.items():
                flags.append(bool(known[text]))
        return {text: tuple(flags) for text, flags in found.items()}

    def _search(self, tree: Tree, texts: Sequence[str]) -> set[str]:
        found = {text for text in texts if _names_a_file(text, tree)}
        for path in _candidates(tree, sorted({row for text in texts for row in rows_of(text)})):
            oid = tree.files[path]
            if oid not in self._blobs:
                self._blobs[oid] = frozenset(_printed_by(path, tree.text(path), texts))
            found |= self._blobs[oid]
        return found


def _has_line(tree: Tree, path: str, contains: str) -> bool | None:
    """Archives of packages leave out the folder that a repository has around them; None where they do not tell."""
    name = PurePosixPath(path)
    paths = [path] if path in tree.files else [other for other in tree.files if PurePosixPath(other).name == name.name]
    if not paths and name.suffix in COMPILED and any(other.endswith(STRINGS) for other in tree.files):
        return None
    return any(contains in tree.text(other) for other in paths)


def _names_a_file(text: str, tree: Tree) -> bool:
    """Whether a line of a traceback is of a file, or a folder, that the release has."""
    named = _FILE.search(text)
    return named is not None and any(path.startswith(named[1]) for path in tree.files)


def _printed_by(path: str, content: str, texts: Iterable[str]) -> Iterator[str]:
    if path.endswith(STRINGS):  # what is put together at run time lies in pieces, in no order
        yield from (text for text in texts if all(part in content for part in fixed_parts(text)))
        return
    for text in texts:
        rows = rows_of(text)
        # Wrapping breaks single rows; a file with one of many has the words in another sentence.
        if sum(row in content for row in rows) >= (1 if len(rows) < MANY else 2) and printed_by(path, content, text):
            yield text


def _candidates(tree: Tree, rows: Sequence[str]) -> list[str]:
    """Source files that hold one of the rows of words."""
    if not rows:
        return []
    listed = tree.grep(rows, [f"*{suffix}" for suffix in sorted({*SUFFIXES, STRINGS})], "-l")
    paths = (path.removeprefix(f"{tree.commit}:") for path in listed.split("\0") if path)
    return [path for path in paths if not QUOTING & set(PurePosixPath(path).parts[:-1])]
