"""The releases of every repository, and what of the catalog is in which."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fieldguide.content.bugs import members
from fieldguide.content.catalog.models import Release, Repository
from fieldguide.content.guide import Guide
from fieldguide.upkeep.extract.command import Versions, versions
from fieldguide.upkeep.extract.git import Clone, GitError
from fieldguide.upkeep.extract.layouts import LAYOUTS
from fieldguide.upkeep.extract.merge import ExtractError
from fieldguide.upkeep.ledger.history import Ledger
from fieldguide.upkeep.ledger.judge import LedgerReport, judge_all
from fieldguide.upkeep.releases.cache import ReleaseCache
from fieldguide.upkeep.releases.index import PackageIndex
from fieldguide.upkeep.releases.known import Known, Releases, ReleaseTree, by_tags
from fieldguide.upkeep.verify.presence import Memory, Presence
from fieldguide.upkeep.verify.result import ReleaseReport
from fieldguide.upkeep.verify.spans import Spans, look_up
from fieldguide.upkeep.versions.layouts import PLACES
from fieldguide.upkeep.versions.renew import Versions as BuiltWith
from fieldguide.upkeep.versions.renew import read_versions, stale


class ReleaseLook:
    """Looks at the releases of one repository after the other; what it opens is closed when it is left."""

    def __init__(self, guide: Guide, folder: Path, index: PackageIndex | None) -> None:
        """`folder` is the cache; `index` is None where nothing may be asked of the network."""
        self._guide = guide
        self._catalog = guide.catalog
        self._folder = folder
        self._releases = Releases(ReleaseCache(folder), index)
        self._stack = ExitStack()
        self._archives: dict[str, Clone | None] = {}
        self._missing: list[str] = []

    def __enter__(self) -> "ReleaseLook":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def archive(self, repository: Repository) -> Clone | None:
        """The archives of a package as a clone, after those that lack were brought."""
        return self._archive(repository, frozenset())

    def _archive(self, repository: Repository, tags: frozenset[str]) -> Clone | None:
        if repository.id not in self._archives:
            path, missing = self._releases.archives(repository, tags)
            self._missing += missing
            self._archives[repository.id] = self._stack.enter_context(Clone(path)) if path else None
        return self._archives[repository.id]

    def all(self, clones: Mapping[str, Clone]) -> ReleaseReport:
        """Look at every repository.

        Args:
            clones: repository id → its clone, where there is one.
        """
        spans: list[Spans] = []
        moved: list[str] = []
        built: list[BuiltWith] = []
        ledgers: list[LedgerReport] = []
        for repository in self._catalog.repository.values():
            try:
                known = self._known(repository, clones.get(repository.id))
                moved += [f"{repository.id}: {one}" for one in known.moved]
                self._missing += [f"{repository.id}: {one}" for one in known.missing]
                built += self._built(repository, known, clones.get(repository.id))
                lacking = _lacking(repository, known)
                if lacking:  # what begins or ends with them would seem to do so elsewhere
                    self._missing.append(
                        f"{repository.id}: not compared with its releases, for want of {', '.join(sorted(lacking))}"
                    )
                elif known.releases:
                    spans.append(self._look(repository, known, clones.get(repository.id)))
                    if repository.id in self._catalog.bugs_of:
                        with self.ledger(repository, clones.get(repository.id)) as ledger:
                            ledgers.append(judge_all(self._catalog, repository.id, ledger))
            except GitError as error:
                moved.append(f"{repository.id}: {error}")
        keys = tuple(self._keys(clones))
        looked = tuple((one, tuple(stale(self._catalog, one))) for one in built)
        return ReleaseReport(tuple(spans), tuple(dict.fromkeys(self._missing)), tuple(moved), keys, looked, tuple(ledgers))

    def built(self, clones: Mapping[str, Clone]) -> Iterator[BuiltWith]:
        """What the releases of each framework with a clone were built with."""
        for repository in self._catalog.repository.values():
            clone = clones.get(repository.id)
            if clone and repository.id in PLACES:
                yield from self._built(repository, self._known(repository, clone), clone)

    def _built(self, repository: Repository, known: Known, clone: Clone | None) -> Iterator[BuiltWith]:
        found = read_versions(self._catalog, repository, known, clone) if clone else None
        if found:
            yield found

    def _keys(self, clones: Mapping[str, Clone]) -> Iterator[Versions]:
        for framework in sorted(LAYOUTS.keys() & clones.keys()):
            try:
                yield versions(self._guide, framework, clones[framework])
            except (ExtractError, GitError) as error:
                self._missing.append(f"{framework}: the versions of its keys were not looked up: {error}")

    def _known(self, repository: Repository, clone: Clone | None) -> Known:
        tags = frozenset(clone.git("tag").split()) if clone and by_tags(repository) else frozenset()
        return self._releases.of(repository, clone, self._archive(repository, tags))

    def _look(self, repository: Repository, known: Known, clone: Clone | None) -> Spans:
        memory = Memory(self._folder / "looked-up" / f"{repository.id}.json")
        presence = Presence([*known.releases, *_pin(repository, clone, known)], memory)
        try:
            return look_up(self._catalog, repository.id, known.releases, presence)
        finally:
            memory.write()

    @contextmanager
    def ledger(self, repository: Repository, clone: Clone | None) -> Iterator[Ledger]:
        """The history of a repository, of a framework with the releases of all its lines; what is looked up is kept."""
        family = [self._catalog.repository[one] for one in members(self._catalog, repository.id)]
        releases = [release for one in family for release in self._known(one, clone).releases]
        memory = Memory(self._folder / "looked-up" / f"{repository.id}-ledger.json")
        try:
            yield Ledger(clone if by_tags(repository) else None, releases, memory)
        finally:
            memory.write()


def _lacking(repository: Repository, known: Known) -> set[str]:
    """Releases that were looked at and cannot be now; the archive of one has less than its tag."""
    there = {one.release.tag for one in known.releases}
    tagged = {one.release.tag for one in known.releases if one.release.commit}
    return {one.tag for one in repository.releases if one.tag not in (tagged if one.commit else there)}


def _pin(repository: Repository, clone: Clone | None, known: Known) -> Iterator[ReleaseTree]:
    """The commit that answers were checked at, unless it is a release, where clones are looked at."""
    if not by_tags(repository):
        return
    if clone and repository.commit and repository.date and repository.commit not in {one.tree.commit for one in known.releases}:
        stamp = f"{repository.commit[:12]} ({repository.date})"
        yield ReleaseTree(Release(tag=stamp, date=repository.date, commit=repository.commit), clone.tree(repository.commit))
