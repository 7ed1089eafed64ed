"""Which clone holds which repository, and between which commits to look."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from fieldguide.content.catalog.models import Framework, Repository
from fieldguide.upkeep.extract.git import Clone, GitError
from fieldguide.upkeep.verify.commits import Commit, History


@dataclass(frozen=True)
class Upstream:
    """A cited repository and its history.

    Attributes:
        pinned: the commit that the catalog names.
        newest: the commit to look at; None for a version that is cited as such and not followed.
        packaged: the files are those of an archive of the package index, which may leave out folders and compiled sources.
    """

    repository: Repository
    history: History
    pinned: Commit
    newest: Commit | None
    packaged: bool = False

    @property
    def id(self) -> str:
        return self.repository.id


@dataclass(frozen=True)
class Opened:
    """The repositories that can be looked at, those without a clone, and why others cannot be read."""

    upstreams: Mapping[str, Upstream]
    absent: tuple[str, ...]
    faults: Mapping[str, str]


def open_clones(
    folder: Path, repositories: Mapping[str, Repository], revisions: Mapping[str, str], stack: ExitStack,
    archive: Callable[[Repository], Clone | None],
) -> Opened:  # fmt: skip
    """Find and open a clone for each repository.

    Args:
        folder: holds the clones as `owner+name`, `name`, or either with `repo` below.
        revisions: id → what to look at instead of the clone's HEAD.
        stack: closes the clones.
        archive: gives the archives of a package, for a version that is cited and has no clone.
    """
    upstreams: dict[str, Upstream] = {}
    absent: list[str] = []
    faults: dict[str, str] = {}
    histories: dict[Path, History] = {}
    for repository in repositories.values():
        path = _find(folder, repository)
        if path is None:
            packaged = _packaged(repository, archive(repository))
            if packaged:
                upstreams[repository.id] = packaged
            else:
                absent.append(repository.id)
            continue
        try:
            if path not in histories:
                histories[path] = History(stack.enter_context(Clone(path)))
            upstreams[repository.id] = _open(repository, histories[path], revisions.get(repository.id))
        except GitError as error:
            faults[repository.id] = str(error)
    return Opened(upstreams, tuple(absent), faults)


def _packaged(repository: Repository, archives: Clone | None) -> Upstream | None:
    """The archive of the version that is cited."""
    if archives is None or not repository.version:
        return None
    history = History(archives)
    pinned = history.commit(repository.version)
    return Upstream(repository, history, pinned, None, packaged=True) if pinned else None


def _find(folder: Path, repository: Repository) -> Path | None:
    if not repository.repository:
        return None
    owner, name = repository.repository.split("/")
    candidates = (folder / f"{owner}+{name}" / "repo", folder / f"{owner}+{name}", folder / name / "repo", folder / name)
    return next((path for path in candidates if path.exists()), None)


def _open(repository: Repository, history: History, revision: str | None) -> Upstream:
    pinned = _commit(history, repository.commit or repository.tag or "", "pinned")
    wanted = revision or _followed(repository)
    newest = _commit(history, wanted, "newest") if wanted else None
    if newest and not revision and newest != pinned and history.is_ancestor(newest, pinned):
        raise GitError(f"{history.clone.path}: {wanted} is older than the pin {pinned.stamp}; pull the clone")
    return Upstream(repository, history, pinned, newest)


def _followed(repository: Repository) -> str | None:
    """The revision that counts as newest: the branch checked out, or the last version of a line that has ended."""
    if isinstance(repository, Framework) and repository.lineage.until:
        return repository.lineage.until
    return "HEAD" if repository.commit else None


def _commit(history: History, revision: str, which: str) -> Commit:
    found = history.commit(revision)
    if found is None:
        raise GitError(f"{history.clone.path}: has no {which} commit {revision!r}; fetch it, with tags and full history")
    return found
