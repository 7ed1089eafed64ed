"""What a page of the bug ledger shows: its rows by the release that mends them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fieldguide.content.addresses import commit_url, thread_url
from fieldguide.content.bugs import LIBRARIES, old_releases, owner_of, releases_of, rows_of, twin_of
from fieldguide.content.catalog.models import Bug, Harm
from fieldguide.content.catalog.store import Catalog

_HARMS = list(Harm)


@dataclass(frozen=True)
class Group:
    """Bugs that the same release mends, or of one library, the worst first.

    Attributes:
        name: of the release or library, or of a word of the interface.
    """

    name: str
    bugs: Sequence[Bug]

    @property
    def id(self) -> str:
        return f"bugs-{re.sub('[^a-z0-9]+', '-', self.name.removeprefix('bug_group_').lower())}"


@dataclass(frozen=True)
class Ledger:
    """A page.

    Attributes:
        owner: the framework, or all libraries.
        releases: those that a reader can choose, the newest first.
        twin: the other page of the same framework; "" where all rows are on one.
        split: the last release whose bugs are on the second page; "" where there is none.
        elsewhere: how many rows the other page has.
    """

    owner: str
    groups: Sequence[Group]
    releases: Sequence[str]
    topics: Sequence[str]
    repositories: dict[str, str]
    twin: str
    split: str
    elsewhere: int

    @property
    def old(self) -> bool:
        """Whether it is the second page."""
        return bool(self.twin) and self.twin == self.owner

    def thread(self, bug: Bug, number: int, kind: str) -> str:
        """Address of an issue or pull request of the repository that a bug is of."""
        return thread_url(self.repositories[bug.id], number, kind)

    def commit(self, bug: Bug, commit: str) -> str:
        """Address of a commit."""
        return commit_url(self.repositories[bug.id], commit)


def ledger(catalog: Catalog, name: str) -> Ledger:
    """A page of a framework with its legacy line, or that of all libraries."""
    owner, found, elsewhere = owner_of(name), rows_of(catalog, name), rows_of(catalog, twin_of(name))
    old = old_releases(catalog, owner)
    releases = [] if name == LIBRARIES else (releases_of(catalog, owner) if name == owner else old)[::-1]
    groups = _by_library(catalog, found) if name == LIBRARIES else _by_release(found, releases)
    return Ledger(
        owner=owner,
        groups=[Group(title, sorted(bugs, key=_order)) for title, bugs in groups if bugs],
        releases=releases,
        topics=sorted({bug.topic for bug in found}),
        repositories={bug.id: catalog.repository[catalog.repository_of_bug[bug.id]].repository or "" for bug in found},
        twin=twin_of(name) if elsewhere else "",
        split=old[-1] if elsewhere else "",
        elsewhere=len(elsewhere),
    )


def _by_release(found: Sequence[Bug], releases: Sequence[str]) -> list[tuple[str, list[Bug]]]:
    return [
        ("bug_group_open", [bug for bug in found if bug.open]),
        ("bug_group_main", [bug for bug in found if not bug.open and not bug.fixed]),
        *((tag, [bug for bug in found if bug.fixed == tag]) for tag in releases),
    ]


def _by_library(catalog: Catalog, found: Sequence[Bug]) -> list[tuple[str, list[Bug]]]:
    return [
        (library.name, [bug for bug in found if catalog.repository_of_bug[bug.id] == id_])
        for id_, library in catalog.repository.items()
    ]


def _order(bug: Bug) -> tuple[int, str]:
    return _HARMS.index(bug.harm), bug.topic
