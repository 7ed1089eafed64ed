"""Versions that fit: what each release of a framework was built with, and which versions are known not to go together."""

from enum import StrEnum
from typing import Annotated

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from pydantic import AfterValidator, Field, StringConstraints, model_validator

from fieldguide.content.catalog.models.base import Id, Model, Text, Version
from fieldguide.content.catalog.models.words import InLanguages
from fieldguide.runtime.doctor.vocabulary import Found, as_cell


class Tracked(Model):
    """A package that decides whether an environment fits: see `catalog/packages.yml`."""

    id: Id
    name: Text
    aliases: tuple[Text, ...] = ()
    repositories: tuple[Text, ...] = ()
    tokens: tuple[Text, ...] = ()


def cell_text(found: Found) -> str:
    """The other way round."""
    return f"{found.line} {found.package} @ {found.ref}" if found.ref else f"{found.line} {found.package}{found.spec}"


def _cell(text: str) -> str:
    _specifier(as_cell(text).spec)
    return text


def _specifier(text: str) -> str:
    try:
        SpecifierSet(text)
    except InvalidSpecifier as error:
        raise ValueError(f"not versions as pip writes them: {text!r}") from error
    return text


Cell = Annotated[str, AfterValidator(_cell)]
Specifier = Annotated[str, AfterValidator(_specifier)]
# A file and its line.
Place = Annotated[str, StringConstraints(pattern=r"^[^:\s]+:\d+$")]


class StackKind(StrEnum):
    """Where versions stand together."""

    REQUIRES = "requires"  # setup.py, pyproject.toml, requirements files: what pip holds an installation to
    IMAGE = "image"  # a Dockerfile
    SCRIPT = "script"  # a shell script that installs
    CI = "ci"  # the name of an image that CI runs in, whose Dockerfile is not in the repository


class Platform(StrEnum):
    """What it runs on."""

    CUDA = "cuda"
    ROCM = "rocm"
    ASCEND = "ascend"


class Stack(Model):
    """Versions that one file puts together.

    Attributes:
        extra: of setup.py or pyproject.toml.
        image: as CI names it.
        tested: where CI names it, and `uses`, at how many places.
    """

    path: Text
    kind: StackKind
    platform: Platform = Platform.CUDA
    extra: str = ""
    image: str = ""
    tested: Place | None = None
    uses: int = 0
    cells: tuple[Cell, ...]


class Built(Model):
    """A release, or the newest commit, and every set of versions that its files name. Written by machine."""

    tag: Version
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{12,40}$")] | None = None
    stacks: tuple[Stack, ...]


class Need(Model):
    """What a release of a library needs, by its metadata on the package index. Written by machine.

    Attributes:
        of: package in `catalog/packages.yml`.
        needs: package and versions, as pip writes them.
    """

    of: Id
    version: Text
    needs: tuple[Annotated[str, AfterValidator(lambda text: _cell(f"1 {text}") and text)], ...]


class Harm(StrEnum):
    """What comes of it, the worst first: nothing else matters while a program does not start."""

    START = "start"  # does not install, import or start
    WRONG = "wrong"  # runs, and computes something else without a word
    DIES = "dies"  # dies on the way, or with some models or settings
    SLOW = "slow"  # costs time or memory, or warns


class Worded(Model):
    """One language: what happens, with what only (a model, a setting), and what to do where a version alone does not say it."""

    what: Text
    when: str = ""
    do: str = ""


class Evidence(Model):
    """Where it is seen: a line of source, a thread, or a commit.

    Attributes:
        at: `owner/name@revision:path:line`, `owner/name#number`, `owner/name@commit`, `name==version` with or without a path in
            that release of the package index, or the address of a vendor's page without `https://`.
        says: what stands on the line.
    """

    at: Annotated[
        str,
        StringConstraints(
            pattern=r"^[\w.-]+/[\w.-]+(#\d+|@[\w./-]+(:[^:\s]+(:\d+)?)?)$|^[\w-]+==[\w.]+(:[^:\s]+(:\d+)?)?$|^docs\.[\w./-]+$"
        ),
    ]
    says: str = ""


class Pair(InLanguages[Worded]):
    """Versions that are known not to go together.

    Attributes:
        packages: package or framework → the versions of it that are meant; all must be there.
        absent: packages that are missing.
        error: what it prints, in part, with … for what changes.
        entry: explains it.
        repair: package → the versions that repair it.
    """

    id: Id
    packages: Annotated[dict[Id, Specifier], Field(min_length=1)]
    absent: tuple[Id, ...] = ()
    harm: Harm
    error: str = ""
    entry: Id | None = None
    repair: Annotated[dict[Id, Specifier], Field(default_factory=dict)]
    sources: Annotated[tuple[Evidence, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _repairable(self) -> "Pair":
        if not self.repair and not all(words.do for words in self.texts.values()):
            raise ValueError("give `repair`, or say in every language what to do")
        if self._differ("when", "do"):
            raise ValueError("`when` and `do` are in every language or in none")
        if len(self.packages) + len(self.absent) < 2:
            raise ValueError("a pair names two packages")
        return self

    def words(self, language: str) -> Worded:
        """The words of a language."""
        return self.texts[language]
