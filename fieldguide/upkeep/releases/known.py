"""Which releases of a repository can be looked at: tags of the clone, and what the package index has."""

import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from fieldguide.content.catalog.models import Framework, PackageReleases, Release, Repository
from fieldguide.runtime.version import version_of
from fieldguide.upkeep.extract.git import Clone, Tree
from fieldguide.upkeep.extract.write import replace_file
from fieldguide.upkeep.releases.archive import ArchiveError, selection, sources
from fieldguide.upkeep.releases.cache import ReleaseCache, read_json
from fieldguide.upkeep.releases.index import IndexUnreachableError, PackageIndex, Published

# Final and post releases; a release candidate is none.
_TAG = re.compile(r"^(core_)?v?\d+(\.\d+)+(\.post\d+)?$")


@dataclass(frozen=True)
class ReleaseTree:
    """A release and its files."""

    release: Release
    tree: Tree


@dataclass(frozen=True)
class Known:
    """The releases of a repository, oldest first.

    Attributes:
        missing: what could not be had or renewed, and why.
        moved: releases that are no longer what the catalog recorded.
    """

    releases: tuple[ReleaseTree, ...] = ()
    missing: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()


class Releases:
    """Finds and keeps releases."""

    def __init__(self, cache: ReleaseCache, index: PackageIndex | None) -> None:
        """`index` is None where nothing may be asked of the network."""
        self._cache = cache
        self._index = index

    def of(self, repository: Repository, clone: Clone | None, cached: Clone | None) -> Known:
        """The releases of one repository.

        Args:
            clone: of its source, if there is one.
            cached: of its archives; see `archives`.
        """
        missing: list[str] = []
        tagged = _tagged(repository, clone) if clone and by_tags(repository) else []
        if clone and not tagged and not repository.index:
            missing.append("the clone has no tags of releases; fetch them")
        found = {one.release.tag: one for one in tagged}
        if repository.index and cached:
            for one in _archived(repository.index, cached, self.listed(repository.index.package)):
                found.setdefault(one.release.tag, one)
        kept = _of_lineage(repository, found.values())
        ordered = sorted(kept, key=lambda one: (one.release.date, version_of(one.release.tag)))
        return Known(tuple(ordered), tuple(missing), tuple(_moved(repository, found)))

    def archives(self, repository: Repository, tags: Iterable[str]) -> tuple[Path | None, list[str]]:
        """Bring what the index has and neither `tags` nor the cache have into the cache.

        Returns:
            the git repository of the archives, if there is any, and what could not be had.
        """
        wanted = repository.index
        if wanted is None:
            return None, []
        missing = self._renew(wanted)
        # A framework's archives also say what it is built with, so they are brought again when more is taken out of them;
        # of a library's, gigabytes, only texts are looked up.
        selected = selection() if isinstance(repository, Framework) else ""
        known, kept = set(tags), self._cache.versions(wanted.package, selected)
        for one in self.listed(wanted.package):
            if wanted.prefix + one.version not in known and one.version not in kept:
                missing += self._bring(wanted, one)
        return self._cache.repository(wanted.package), missing

    def listed(self, package: str) -> list[Published]:
        """The releases that the index had when it was asked last; none if that is not known."""
        return [Published(**one) for one in read_json(self._cache.folder / f"{package}.json") or []]

    def _renew(self, wanted: PackageReleases) -> list[str]:
        if self._index is None:
            return [f"{wanted.package}: the package index was not asked for newer releases"]
        try:
            found = self._index.releases(wanted.package, wanted.since)
        except IndexUnreachableError as error:
            self._index = None  # the next package would wait as long for nothing
            return [f"the package index cannot be reached, newer releases are not known: {error}"]
        self._cache.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps([asdict(one) for one in found], indent=1)
        replace_file(self._cache.folder / f"{wanted.package}.json", text)
        return []

    def _bring(self, wanted: PackageReleases, one: Published) -> list[str]:
        if self._index is None:
            return [f"{one.file}: not in the cache"]
        with tempfile.TemporaryDirectory() as folder:
            try:
                path = self._index.download(wanted.package, one, Path(folder))
                self._cache.keep(wanted.package, one.version, one.date, sources(path, wanted.compiled), selection())
            except (IndexUnreachableError, ArchiveError, OSError) as error:
                return [str(error)]
        return []


def by_tags(repository: Repository) -> bool:
    """Whether the tags of a clone count: of a library on the index they do not, so that every machine finds the same.

    A framework's have what its package leaves out, examples and images.
    """
    return repository.index is None or isinstance(repository, Framework)


def _tags(clone: Clone) -> Iterator[tuple[str, str, str]]:
    """Each tag, its day and its commit; of a tag with a message they are those of what it names."""
    shown = "%(refname:short) %(*committerdate:short)%(committerdate:short) %(*objectname)%(objectname)"
    for row in clone.git("for-each-ref", f"--format={shown}", "refs/tags").splitlines():
        tag, day, commit = row.split()
        yield tag, day[:10], commit[:40]


def _tagged(repository: Repository, clone: Clone) -> list[ReleaseTree]:
    """The tags of a clone that are releases."""
    return [
        ReleaseTree(Release(tag=tag, date=day, commit=commit), Tree(clone, commit))
        for tag, day, commit in _tags(clone)
        if _TAG.match(tag) and fnmatchcase(tag, repository.tags)
    ]


def _archived(wanted: PackageReleases, cached: Clone, listed: Sequence[Published]) -> list[ReleaseTree]:
    """The releases of a package that are in the cache; what could not be had is named elsewhere."""
    commits = {version: commit for version, _, commit in _tags(cached)}
    return [
        ReleaseTree(
            Release(tag=wanted.prefix + one.version, date=one.date, sha256=one.sha256), Tree(cached, commits[one.version])
        )
        for one in listed
        if one.version in commits
    ]


def _of_lineage(repository: Repository, found: Iterable[ReleaseTree]) -> list[ReleaseTree]:
    """Two lines of one repository share its tags."""
    if not isinstance(repository, Framework) or not repository.lineage.bounded:
        return list(found)
    first, last = (version_of(end) if end else None for end in (repository.lineage.since, repository.lineage.until))
    return [
        one for one in found
        if (first is None or version_of(one.release.tag) >= first) and (last is None or version_of(one.release.tag) <= last)
    ]  # fmt: skip


def _moved(repository: Repository, found: dict[str, ReleaseTree]) -> Iterable[str]:
    for recorded in repository.releases:
        now = found.get(recorded.tag)
        if now is None:
            continue
        for name in ("commit", "sha256"):
            was, is_ = getattr(recorded, name), getattr(now.release, name)
            if was and is_ and was != is_:
                yield f"{recorded.tag} moved: its {name} was {was[:12]} and is {is_[:12]}"
