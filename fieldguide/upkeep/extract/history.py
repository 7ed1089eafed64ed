"""From the tags of a framework: since which version a key exists, in which it is gone, what it is called now."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fieldguide.upkeep.extract.classes import covers
from fieldguide.upkeep.extract.declared import Declared, Extraction
from fieldguide.upkeep.extract.git import Clone, GitError, Tree
from fieldguide.upkeep.extract.layouts import LAYOUTS, extract

# Shorter helps ("learning rate") are the same by chance.
_TELLING = 20


@dataclass(frozen=True)
class Point:
    """A version with what it declares.

    Attributes:
        label: tag, or `commit (date)` between tags.
        commit: full id.
    """

    label: str
    commit: str
    declared: tuple[Declared, ...]

    @property
    def is_tag(self) -> bool:
        return " " not in self.label

    @cached_property
    def _by_name(self) -> Mapping[str, list[Declared]]:
        found: dict[str, list[Declared]] = {}
        for one in self.declared:
            found.setdefault(one.name, []).append(one)
        return found

    @cached_property
    def _parents(self) -> frozenset[str]:
        paths = (path.split(".") for one in self.declared for path in one.paths)
        return frozenset(".".join(parts[:end]) for parts in paths for end in range(1, len(parts)))

    def has(self, one: Declared) -> bool:
        """Whether this version declares a key at one of the places of `one`, or has filled what was an empty mapping."""
        if any(same_place(one, other) for other in self._by_name.get(one.name, ())):
            return True
        return one.default == "{}" and not self._parents.isdisjoint(one.paths)

    def has_at(self, name: str, path: str) -> bool:
        """Whether this version declares a key of that name at that place."""
        places = (place for other in self._by_name.get(name, ()) for place in other.paths)
        return any(covers(place, path) or covers(path, place) for place in places)


@dataclass(frozen=True)
class History:
    """What changed over the versions of a framework, oldest first.

    Attributes:
        notes: versions that could not be read, each with the reason.
    """

    points: tuple[Point, ...]
    notes: tuple[str, ...] = field(default=())

    def since(self, one: Declared) -> str | None:
        """First version that has it, of those without a gap; None when it is in the oldest already, or is a library's."""
        if one.reset:
            return None
        having = [number for number, point in enumerate(self.points) if point.has(one)]
        first = next((number for number in reversed(having) if number - 1 not in having), 0)
        return self.points[first].label if first else None

    def later(self, one: Declared) -> dict[str, str]:
        """Places that came after the key itself, each with its first version: the critic got a key that the actor had."""
        first = {
            path: next((number for number, point in enumerate(self.points) if point.has_at(one.name, path)), 0)
            for path in one.paths
        }
        oldest = min(first.values(), default=0)
        return {path: self.points[number].label for path, number in first.items() if number > oldest}

    def removed(self) -> list[tuple[Declared, Point, str, str | None]]:
        """Declarations that the newest version does not have.

        Returns:
            the last declaration, the version it is from, the first version without it, and what it is called now.
        """
        found = []
        for number in range(len(self.points) - 2, -1, -1):
            last, after = self.points[number], self.points[number + 1]
            for one in last.declared:
                if not one.reset and not any(point.has(one) for point in self.points[number + 1 :]):
                    found.append((one, last, after.label, self._successor(one, last, after)))
        return found

    def _successor(self, one: Declared, last: Point, after: Point) -> str | None:
        """The one key that came as this one went: of the same name, or with the same telling help and type."""
        fresh = [other for other in after.declared if not last.has(other) and self.points[-1].has(other)]
        moved = [other for other in fresh if other.name == one.name]
        told = [
            other for other in fresh
            if one.help and len(one.help) >= _TELLING and (other.help, other.type) == (one.help, one.type)
        ]  # fmt: skip
        chosen = next((found[0] for found in (moved, told) if len(found) == 1), None)
        return (chosen.paths[0] if chosen.paths else chosen.name) if chosen else None


def same_place(one: Declared, other: Declared) -> bool:
    """Whether two declarations are of one key: one name and a dotted place in common, `*` standing for any."""
    if one.name != other.name:
        return False
    if not (one.paths and other.paths):
        return bool(one.tokens & other.tokens)
    return any(covers(a, b) or covers(b, a) for a in one.paths for b in other.paths)


def trace(framework: str, clone: Clone, tags: Sequence[str], newest: Tree, now: Extraction) -> History:
    """Read every tag, and every commit after the last one that touched the declarations.

    Args:
        tags: oldest first; those that the clone does not have, or that cannot be read, are named in the notes.
        newest: the revision that `now` was read from.
    """
    points, notes = [], []
    for tag in tags:
        try:
            tree = clone.tree(tag)
        except GitError as error:
            notes.append(str(error))
            continue
        found = extract(framework, tree)
        if found.problems or not found.declared:
            notes.append(f"{tag} is left out: {(*found.problems, *found.absent)[0]}")
        else:
            points.append(Point(tag, tree.commit, found.declared))
    if points:
        points.extend(_between(framework, clone, points[-1].commit, newest, now))
    if not points or points[-1].commit != newest.commit:
        points.append(Point(label(newest), newest.commit, now.declared))
    return History(tuple(points), tuple(notes))


def _between(framework: str, clone: Clone, start: str, newest: Tree, now: Extraction) -> Iterable[Point]:
    """Commits after `start` that touched a declaring file."""
    patterns = [f":(glob){pattern.replace('*', '**/*')}" for pattern in LAYOUTS[framework].files]
    listed = clone.git("log", "--reverse", "--format=%H", f"{start}..{newest.commit}", "--", *patterns, *now.files)
    for commit in listed.split():
        tree = Tree(clone, commit)
        found = extract(framework, tree)
        if not found.problems and commit != newest.commit:
            yield Point(label(tree), commit, found.declared)


def label(tree: Tree) -> str:
    """A commit as the catalog writes versions: `436a5275 (2025-08-10)`."""
    return f"{tree.commit[:8]} ({tree.date})"
