"""Read what every release of the frameworks was built with, and write `catalog/versions/`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fieldguide.content.catalog.models import Framework, Repository
from fieldguide.content.catalog.models.versions import Built, Platform, Stack, StackKind, cell_text
from fieldguide.content.catalog.store import Catalog
from fieldguide.runtime.doctor.vocabulary import Package, Vocabulary
from fieldguide.upkeep.extract.git import Clone, Tree
from fieldguide.upkeep.extract.write import replace_file
from fieldguide.upkeep.releases.known import Known
from fieldguide.upkeep.versions import extract
from fieldguide.upkeep.versions.layouts import PLACES
from fieldguide.upkeep.versions.write import as_yaml


@dataclass(frozen=True)
class Versions:
    """What the releases of one framework were built with."""

    framework: str
    releases: tuple[Built, ...]

    @property
    def place(self) -> Path:
        return Path("catalog") / "versions" / f"{self.framework}.yml"


def vocabulary_of(catalog: Catalog) -> Vocabulary:
    """The packages that count."""
    return Vocabulary(
        tuple(
            Package(one.record.id, one.record.name, one.record.aliases, one.record.repositories, one.record.tokens)
            for one in catalog.tracked
        )
    )


def read_versions(catalog: Catalog, repository: Repository, known: Known, clone: Clone) -> Versions | None:
    """What the releases of a framework were built with, oldest first, then the newest commit; None for a library.

    An archive of the package index leaves out what images are built from; a release that has no tag yet tells the rest.
    """
    places = PLACES.get(repository.id)
    if places is None:
        return None
    newest = newest_of(repository, clone, known)
    vocabulary = vocabulary_of(catalog)
    trees = [(one.release.tag, one.release.commit, one.tree) for one in known.releases]
    if newest:
        trees.append((newest[0], newest[1].commit, newest[1]))
    trees.sort(key=lambda one: _day(known, one[0]))
    built = [
        Built(tag=tag, commit=commit, stacks=tuple(_stacks(extract.stacks(tree, tag, places, vocabulary))))
        for tag, commit, tree in trees
    ]
    return Versions(repository.id, tuple(built))


def _day(known: Known, tag: str) -> str:
    """Of a release, or that in the stamp of a commit."""
    return next((one.release.date for one in known.releases if one.release.tag == tag), tag[-11:-1])


def _stacks(found: Iterable[extract.Stack]) -> Iterator[Stack]:
    for one in sorted(
        found, key=lambda stack: (list(StackKind).index(StackKind(stack.kind)), stack.path, stack.extra, stack.image)
    ):
        yield Stack(
            path=one.path,
            kind=StackKind(one.kind),
            platform=Platform(one.platform),
            extra=one.extra,
            image=one.image,
            tested=f"{one.tested[0]}:{one.tested[1]}" if one.tested else None,
            uses=one.uses,
            cells=tuple(cell_text(cell) for cell in one.cells),
        )


def stale(catalog: Catalog, found: Versions) -> list[str]:
    """Releases whose recorded versions are not what their files say."""
    was = {one.tag: one for one in catalog.built.get(found.framework, ())}
    return [one.tag for one in found.releases if was.get(one.tag) != one and not one.tag.endswith(")")]


def write_versions(root: Path, found: Versions) -> bool:
    """Write the file; whether it is new."""
    (root / found.place).parent.mkdir(exist_ok=True)
    return replace_file(root / found.place, as_yaml(found.releases))


def newest_of(repository: Repository, clone: Clone, known: Known) -> tuple[str, Tree] | None:
    """The commit that is checked out in the clone, unless it is a release or the line has ended."""
    if isinstance(repository, Framework) and repository.lineage.until:
        return None
    tree = clone.tree("HEAD")
    if tree.commit in {one.tree.commit for one in known.releases}:
        return None
    return f"{tree.commit[:12]} ({tree.date})", tree
