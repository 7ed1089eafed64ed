"""What the guide covers and cites: repositories, and places in their source."""

from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from fieldguide.content.catalog.models.base import Day, Id, Model, Span, Stamp, Text, Version

Commit = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
Color = Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")]


class Release(Model):
    """A release and the day it was made; `commit` is that of its tag, `sha256` that of the archive on the package index."""

    tag: Version
    date: Day
    commit: Commit | None = None
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None


class PackageReleases(Model):
    """Where the package index has the releases of a repository.

    Attributes:
        since: the oldest that is looked at.
        prefix: what the tags of the repository put before the number.
        compiled: compiled files of a wheel whose texts are looked at, as patterns; `*` also stands for slashes.
    """

    package: Text
    since: Text
    prefix: str = ""
    compiled: tuple[Text, ...] = ()


class Repository(Model):
    """Source that the guide cites: a framework, or a library that prints the errors.

    `commit` pins a git repository; `version` pins a published package instead, and `tag` is its git tag.

    Attributes:
        packages: folders that its Python code is imported from; a path is known code from there on.
        tags: which tags are releases, as a pattern, where there are others beside them.
        index: its releases on the package index.
        releases: oldest first, from `catalog/releases/`, which `make verify FIX=1` writes.
    """

    id: Id
    name: Text
    repository: Annotated[str, StringConstraints(pattern=r"^[\w.-]+/[\w.-]+$")] | None = None
    commit: Commit | None = None
    version: Text | None = None
    tag: Text | None = None
    date: Day | None = None
    packages: tuple[Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]*$")], ...] = ()
    tags: Text = "*"
    index: PackageReleases | None = None
    releases: tuple[Release, ...] = ()

    @model_validator(mode="after")
    def _pinned(self) -> "Repository":
        if not (self.commit and self.repository and self.date) and not self.version:
            raise ValueError("pin it: give repository, commit and date, or the version of a package")
        return self


class Program(Model):
    """Another training program: no entry is its own, but what only a framework's entry answers is not its answer.

    Attributes:
        hints: strings in a log that tell it.
    """

    id: Id
    name: Text
    hints: Annotated[tuple[Text, ...], Field(min_length=1)]


class Framework(Repository):
    """A training framework that readers filter by.

    Attributes:
        prefix: first part of its entry ids; ChatLearn and its legacy line share one.
        color, color_dark: of its badge on paper and in the dark; a test holds both to the contrast that small text needs.
        hints: strings in a log that tell the framework.
        lineage: holds from / up to this version of the same repository.
        old_bugs: what this release and older ones mended is on a second page of the bug ledger.
    """

    prefix: Id
    color: Color
    color_dark: Color
    docs: Text | None = None
    hints: tuple[Text, ...] = ()
    lineage: Span = Span()
    glossary: Id
    old_bugs: Text | None = None


class Source(Span):
    """A place in upstream source.

    Attributes:
        repo: id of a repository in frameworks.yml.
        path: file inside the repository or the installed package.
        line: 1-based line at the pinned commit, or at `commit`.
        contains: text that stands on that line, so that a later check can find it again when lines move.
        commit: another commit or tag than the pinned one; what is said of that version is not looked for in newer ones.
        since, until: the releases whose file has `contains`, written by `make verify FIX=1`.
        held: the commit at which this was found last, when the pin has moved on without it (`make verify FIX=1`).
    """

    repo: Id
    path: Text
    line: Annotated[int, Field(ge=1)] | None = None
    contains: Text | None = None
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-zA-Z._-]+$")] | None = None
    held: Stamp | None = None

    @model_validator(mode="after")
    def _followed_or_not(self) -> "Source":
        if self.commit and self.held:
            raise ValueError("give commit (said of that version) or held (last found there), not both")
        return self

    @property
    def revision(self) -> str | None:
        """What it names instead of the repository's pin."""
        return self.commit or (self.held.split()[0] if self.held else None)
