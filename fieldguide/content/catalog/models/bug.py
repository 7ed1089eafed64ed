"""The bug ledger: what upstream has mended, or knows of, and in which releases it is."""

from enum import StrEnum
from typing import Annotated

from pydantic import StringConstraints, model_validator

from fieldguide.content.catalog.models.base import Id, Model, SignatureText, Text, Version
from fieldguide.content.catalog.models.versions import Evidence, Harm
from fieldguide.content.catalog.models.words import InLanguages

Commit = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{12}$")]


class Quoted(StrEnum):
    """Where an error text is from that neither the change nor the code has word for word."""

    ISSUE = "issue"  # the issue or pull request quotes it
    PYTHON = "python"  # Python, or a library, prints it at the faulty line


class Line(Model):
    """A line of upstream's source, in part.

    Attributes:
        path: its file, or a folder; without it the text is looked for in every file.
    """

    path: str = ""
    text: Text


class Told(Model):
    """One language: what a user sees, and what to do where going to the next release is not all."""

    what: Text
    do: str = ""


class Bug(InLanguages[Told]):
    """A bug that a user of a release could have met.

    Attributes:
        commits: that mended it, 12 digits each: more than one where a fix came in twice or in parts; none while it is open.
        pr: number of the pull request that mended it.
        issues: numbers of threads of the same repository that report it.
        errors: what it prints.
        quoted: see there.
        of: repository that prints it, if that is another one.
        faulty: stands in a release that has the bug, and in no other.
        mended: stands in the releases that have the fix; for libraries, of which no history is at hand.
        since, until: first and last release with the bug, written by machine; without `since` the first is not known.
        fixed: first release with the fix, written by machine.
        picks: git takes the commits over to the last release with the bug without a conflict, and that has all names that the
            change uses; written by machine.
    """

    id: Id
    topic: Id
    harm: Harm
    commits: tuple[Commit, ...] = ()
    pr: int | None = None
    issues: tuple[int, ...] = ()
    errors: tuple[SignatureText, ...] = ()
    quoted: Quoted | None = None
    of: Id | None = None
    faulty: Line | None = None
    mended: Line | None = None
    sources: tuple[Evidence, ...] = ()
    keys: tuple[Text, ...] = ()
    entry: Id | None = None
    since: Version | None = None
    until: Version | None = None
    fixed: Version | None = None
    picks: bool | None = None

    @property
    def open(self) -> bool:
        """Whether nothing has mended it yet."""
        return not self.commits and self.mended is None

    @model_validator(mode="after")
    def _whole(self) -> "Bug":
        if self._differ("do"):
            raise ValueError("`do` is in every language or in none")
        if self.open and self.faulty is None:
            raise ValueError("an open bug needs `faulty`: only what stands in the newest release shows that it is still there")
        if not (self.pr or self.issues or self.commits or self.sources):
            raise ValueError("give a commit, a pull request, an issue or `sources`")
        return self

    def words(self, language: str) -> Told:
        """The words of a language."""
        return self.texts[language]


class Refusal(StrEnum):
    """Why a commit that looks like a fix has no row."""

    NOT_A_BUG = "not-a-bug"  # a feature, a refactoring, a speed-up, a change of wording
    UPKEEP = "upkeep"  # documentation, tests, continuous integration, examples, images
    UNRELEASED = "unreleased"  # of a bug that no release has
    UNSEEN = "unseen"  # no user sees anything of it
    UNCLEAR = "unclear"  # neither change nor thread says what a user saw
    TOLD = "told"  # an entry, a pair of versions or another row has it


class Refused(Model):
    """A commit that has been looked at and gets no row."""

    commit: Commit
    reason: Refusal
