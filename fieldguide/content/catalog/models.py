"""The schema of `catalog/`: what is true, the same in every language. Words live in `docs/`.

Every model forbids unknown fields, so a misspelt field is an error and not a silent loss.
"""

import re
from enum import StrEnum
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from fieldguide.content.dialect import portable
from fieldguide.content.signature import parse_signature
from fieldguide.runtime.calculate.expression import ExpressionError, compile_expression

ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
# "v0.2.0", "core_v0.8.0", "2.7.1", "436a5275 (2025-08-10)": a tag, a package version, or a commit with its date.
VERSION_PATTERN = r"^(core_)?v?\d+(\.\d+)*(\.?(post|rc)\d+)?$|^[0-9a-f]{7,12} \(\d{4}-\d\d-\d\d\)$"

Id = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
Version = Annotated[str, StringConstraints(pattern=VERSION_PATTERN)]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\d$")]
# A commit with its date.
Stamp = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{7,40} \(\d{4}-\d\d-\d\d\)$")]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


def _signature(text: str) -> str:
    parse_signature(text)
    return text


def _expression(text: str) -> str:
    try:
        compile_expression(text)
    except ExpressionError as error:
        raise ValueError(str(error)) from error
    return text


# Source text in the language of `fieldguide.runtime.calculate.expression`.
Expression = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True), AfterValidator(_expression)]

SignatureText = Annotated[str, StringConstraints(min_length=3), AfterValidator(_signature)]


class Model(BaseModel):
    """Immutable, closed record."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class Span(Model):
    """Versions for which something holds; an open end is left out."""

    since: Version | None = None
    until: Version | None = None

    @property
    def bounded(self) -> bool:
        return bool(self.since or self.until)


class Release(Model):
    """A tag of a framework and the day it was made."""

    tag: Version
    date: Day


class Repository(Model):
    """Source that the guide cites: a framework, or a library that prints the errors.

    `commit` pins a git repository; `version` pins a published package instead, and `tag` is its git tag.
    """

    id: Id
    name: Text
    repository: Annotated[str, StringConstraints(pattern=r"^[\w.-]+/[\w.-]+$")] | None = None
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")] | None = None
    version: Text | None = None
    tag: Text | None = None
    date: Day | None = None

    @model_validator(mode="after")
    def _pinned(self) -> "Repository":
        if not (self.commit and self.repository and self.date) and not self.version:
            raise ValueError("pin it: give repository, commit and date, or the version of a package")
        return self


class Framework(Repository):
    """A training framework that readers filter by.

    Attributes:
        prefix: first part of its entry ids; ChatLearn and its legacy line share one.
        keys_from: other frameworks whose keys its launch script also takes (Megatron flags in slime).
        hints: strings in a log that tell the framework.
        lineage: holds from / up to this version of the same repository.
    """

    prefix: Id
    color: Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")]
    docs: Text | None = None
    hints: tuple[Text, ...] = ()
    lineage: Span = Span()
    glossary: Id
    releases: tuple[Release, ...] = ()


class Source(Model):
    """A place in upstream source.

    Attributes:
        repo: id of a repository in frameworks.yml.
        path: file inside the repository or the installed package.
        line: 1-based line at the pinned commit, or at `commit`.
        contains: text that stands on that line, so that a later check can find it again when lines move.
        commit: another commit or tag than the pinned one; what is said of that version is not looked for in newer ones.
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


class Signature(Span):
    """An error text with placeholders, as a program prints it.

    Attributes:
        text: see `fieldguide.content.signature` for the placeholders.
        of: repository that prints it; the versions are that repository's.
        generic: many programs print it, so it counts only in a text that names the entry's framework (for an `any-` entry: one
            of ours), and any other match outranks it.
        ordinary: it stands in the log of an ordinary run, too, so it counts only in a text without an error.
    """

    text: SignatureText
    of: Id
    generic: bool = False
    ordinary: bool = False


class Kind(StrEnum):
    """What a reader comes with."""

    ERROR = "error"
    HOWTO = "howto"
    CONCEPT = "concept"


class Status(StrEnum):
    """What the check against upstream found: the upstream answer holds, has changed since, or its subject is gone."""

    HOLDS = "holds"
    CHANGED = "changed"
    GONE = "gone"


class Origin(Model):
    """The upstream Q&A an entry grew from."""

    repo: Id
    path: Text
    question: Text
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-zA-Z._-]+$")] | None = None


class Entry(Model):
    """One question or error with its answer; the words are under the same id in both languages.

    Attributes:
        aliases: ids it had before; addresses with them go on working.
        group: heading of the topic's page that lists it, for a problem that several frameworks share.
    """

    id: Id
    aliases: tuple[Id, ...] = ()
    framework: Id
    group: Id | None = None
    kind: Kind
    status: Status
    versions: Span = Span()
    signatures: tuple[Signature, ...] = ()
    keys: tuple[Text, ...] = ()
    sources: Annotated[tuple[Source, ...], Field(min_length=1)]
    origins: tuple[Origin, ...] = ()
    see_also: tuple[Id, ...] = ()

    @model_validator(mode="after")
    def _errors_have_signatures(self) -> "Entry":
        if self.kind is Kind.ERROR and not self.signatures:
            raise ValueError("an entry of kind error needs at least one signature")
        return self


class KeyKind(StrEnum):
    """How a key is set."""

    YAML = "yaml"
    FLAG = "flag"
    ENV = "env"


class Key(Model):
    """A configuration key, command-line flag or environment variable.

    Attributes:
        id: HTML id in the glossary; made from framework and name when left out.
        aliases: ids it had before; links to them go on working.
        name: as the code spells it, without leading dashes.
        paths: dotted places in the YAML; `*` stands for one segment (a role).
        spellings: other ways users write it.
        default: Python source text of the default, as upstream states it.
        group: component, the heading it stands under in the glossary.
        removed: first version without it.
        declared: class, parser function or YAML file that declares it upstream; empty when nothing that is read does.
        used: how many of upstream's own example files set it.
        help: upstream's words about it, kept as data and shown as a quotation.
    """

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][\w.+-]*$")]
    id: Id | None = None
    aliases: tuple[Id, ...] = ()
    kind: KeyKind
    type: Text
    default: str | None = None
    required: bool = False
    choices: tuple[str, ...] = ()
    paths: tuple[Annotated[str, StringConstraints(pattern=r"^[\w*-]+(\.[\w*-]+)*$")], ...] = ()
    spellings: tuple[Text, ...] = ()
    group: Id
    since: Version | None = None
    removed: Version | None = None
    renamed_to: Text | None = None
    declared: Text | None = None
    used: Annotated[int, Field(ge=0)] = 0
    help: Text | None = None
    source: Source

    @cached_property
    def slug(self) -> str:
        """Name in lower case with hyphens, as ids are written."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    @property
    def display(self) -> str:
        """As users type it: flags with their dashes; a dotted flag keeps its underscores (OpenRLHF's `--train.batch_size`)."""
        if self.kind is not KeyKind.FLAG:
            return self.name
        return "--" + (self.name if "." in self.name else self.name.replace("_", "-"))


class When(StrEnum):
    """The moment a rule is enforced."""

    CONFIG = "config"
    INIT = "init"
    RUNTIME = "runtime"


class Case(Model):
    """One place where the code looks at a rule; a rule in a loop over roles has one for each.

    Attributes:
        at: position among all the cases of the framework, in the order in which the program comes to them.
        only: when the code looks; absent = always.
        check: what must hold, in the names of the framework's calculator.
        show: what stands in the placeholders of the rule's error, one expression each.
    """

    at: Annotated[int, Field(ge=1)]
    only: Expression | None = None
    check: Expression
    show: tuple[Expression, ...] = ()


class Rule(Model):
    """A divisibility or size rule as coded upstream, and the error that a violation prints.

    Attributes:
        rule: the condition that must hold, in words, where it depends on what no setting tells; else it is in `cases`.
        cases: the condition as the calculator evaluates it.
        applies: which backend, pipeline or setting it is limited to, as code; empty = always.
        error: signature of the text printed; absent when nothing is printed (say what happens in the page).
        generic: other programs print the error, too, as `Signature.generic`.
        entry: the entry that explains the error.
    """

    id: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z]?\d+[a-z]?$")]
    framework: Id
    rule: Text | None = None
    cases: tuple[Case, ...] = ()
    when: When
    applies: Text | None = None
    error: SignatureText | None = None
    generic: bool = False
    of: Id | None = None
    since: Version | None = None
    entry: Id
    source: Source

    @model_validator(mode="after")
    def _said_once(self) -> "Rule":
        if bool(self.rule) == bool(self.cases):
            raise ValueError("give either the cases that can be calculated, or the rule in words")
        wanted = sum(piece.placeholder is not None for piece in parse_signature(self.error or ""))
        if any(len(case.show) != wanted for case in self.cases):
            raise ValueError(f"each case must show {wanted} value(s), one for each placeholder of the error")
        return self

    @property
    def anchor(self) -> str:
        return f"rule-{self.id.lower()}"


def _pattern(text: str) -> str:
    portable(text)
    return text


# A regular expression that Python and JavaScript read alike: see `fieldguide.content.dialect`.
Pattern = Annotated[str, AfterValidator(_pattern)]


class Cleaning(Model):
    """One thing that is taken out of a log before signatures are looked for.

    Attributes:
        replace: what stands there instead; `$1` is what the first group of the pattern matched.
        example: text before and after, for the tests.
    """

    name: Text
    pattern: Pattern
    replace: str
    example: tuple[str, str]

    @property
    def parts(self) -> tuple[str | int, ...]:
        """The replacement as texts and numbers of groups."""
        return _parts(self.replace)


def _parts(replace: str) -> tuple[str | int, ...]:
    pieces = re.split(r"\$(\d)", replace)
    return tuple(int(piece) if at % 2 else piece for at, piece in enumerate(pieces) if piece)


class Shorthand(Model):
    """A piece of the patterns of masks, written `<name>` in them; `alternatives` are literal texts, one of which stands there."""

    name: Id
    pattern: Text | None = None
    alternatives: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _one(self) -> "Shorthand":
        if bool(self.pattern) == bool(self.alternatives):
            raise ValueError("give either a pattern or alternatives")
        return self


class Mask(Model):
    """One thing that nobody else should read in a report: a secret, a name, a machine, a private place.

    Attributes:
        pattern: regular expression that Python and JavaScript read alike, once its shorthand is written out.
        replace: what stands there instead; `$1` is what the first group of the pattern matched.
        fold: small and capital letters alike.
        example: text before and after all masks, for the tests.
    """

    name: Text
    pattern: Text
    replace: str
    fold: bool = False
    example: tuple[str, str]

    @property
    def parts(self) -> tuple[str | int, ...]:
        """The replacement as texts and numbers of groups."""
        return _parts(self.replace)


class Command(Model):
    """A kind of command that stops or deletes something.

    Attributes:
        pattern: regular expression for one line of a script.
        example, harmless: a line that it finds, and one that looks alike and it does not.
    """

    name: Text
    pattern: Pattern
    example: Text
    harmless: Text

    @model_validator(mode="after")
    def _told_apart(self) -> "Command":
        _tell_apart(portable(self.pattern), self.example, self.harmless)
        return self


def _tell_apart(pattern: str, example: str, harmless: str) -> None:
    if not re.search(pattern, example, re.ASCII):
        raise ValueError("the pattern does not find its example")
    if re.search(pattern, harmless, re.ASCII):
        raise ValueError("the pattern finds the harmless line")


class Phrase(Model):
    """A pattern with which settings are read.

    Attributes:
        fold: small and capital letters alike.
        example, harmless: a text that it finds, and one that looks alike and it does not.
    """

    name: Text
    pattern: Pattern
    fold: bool = False
    example: str
    harmless: str

    @property
    def compiled(self) -> str:
        """As Python and JavaScript read it."""
        return portable(self.pattern, self.fold)

    @model_validator(mode="after")
    def _told_apart(self) -> "Phrase":
        _tell_apart(self.compiled, self.example, self.harmless)
        return self


class Grammar(Model):
    """How settings are read: see `catalog/grammar.yml`."""

    patterns: tuple[Phrase, ...]
    separators: tuple[Text, ...]
    limits: dict[str, int]
    largest: int


class Reading(Model):
    """How a log is read: see `catalog/scan.yml`."""

    limits: dict[str, Annotated[int, Field(gt=0)]]
    words: int
    gaps: tuple[str, ...]
    errorName: Pattern  # noqa: N815 (as the compiled guide names it)
    hintBonus: int  # noqa: N815
    genericWeight: int  # noqa: N815
    archives: dict[Id, Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2})+$")]]


class Synonyms(Model):
    """Words of either language that mean the same to the search: a query with one of them is asked with the others, too.

    Attributes:
        words: words or identifiers as people type them; Chinese ones are found anywhere in a query, the others as whole words.
    """

    words: Annotated[list[Annotated[str, StringConstraints(pattern=r"^\S+$")]], Field(min_length=2)]


class NodeKind(StrEnum):
    """What a box of a decision path says: what one sees, what to look at, or what it was."""

    SYMPTOM = "symptom"
    QUESTION = "question"
    CAUSE = "cause"


class Worded(Model):
    """Words of a picture, once per language."""

    en: Text | None = None
    zh: Text | None = None

    @model_validator(mode="after")
    def _both(self) -> "Worded":
        if (self.en is None) != (self.zh is None):
            raise ValueError("give the words in both languages")
        return self

    def words(self, language: str) -> str:
        """The words in a language; empty where there are none."""
        return {"en": self.en, "zh": self.zh}[language] or ""


class DiagramNode(Worded):
    """A box."""

    id: Id
    kind: NodeKind
    en: Text
    zh: Text


class DiagramEdge(Worded):
    """An arrow, with the answer that it stands for."""

    origin: Id = Field(alias="from")
    to: Id


class Diagram(Model):
    """The decision path of an entry as a picture.

    Attributes:
        id: of the entry.
        nodes: the first one is what the reader sees; each of the others can be reached from it.
    """

    id: Id
    nodes: Annotated[tuple[DiagramNode, ...], Field(min_length=2)]
    edges: Annotated[tuple[DiagramEdge, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _whole(self) -> "Diagram":
        names = [node.id for node in self.nodes]
        if len(set(names)) < len(names):
            raise ValueError("an id of a node stands twice")
        unknown = sorted({end for edge in self.edges for end in (edge.origin, edge.to)} - set(names))
        if unknown:
            raise ValueError(f"an edge names no node: {', '.join(unknown)}")
        reached = {names[0]}
        for _ in names:
            reached |= {edge.to for edge in self.edges if edge.origin in reached}
        if lost := [name for name in names if name not in reached]:
            raise ValueError(f"no way leads to {', '.join(lost)}")
        return self


class Concept(Model):
    """One idea and the key by which each framework sets it."""

    id: Id
    unit: Id
    keys: dict[Id, tuple[Text, ...]]


class Choice(Span):
    """One value that an input of kind choice can have.

    Attributes:
        found: the beginning of a path in a configuration that tells this choice, for what no key sets.
    """

    value: Text
    found: Text | None = None


class InputKind(StrEnum):
    """What can be typed into a field."""

    INT = "int"
    FLAG = "flag"
    CHOICE = "choice"
    DEVICES = "devices"  # a number of GPUs, or a Python list of their numbers


Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]


class Input(Model):
    """A setting that a calculator asks for.

    Attributes:
        name: its name in expressions.
        key: the catalog key it stands for, as a reader of this framework would write it.
        role: the worker or model it belongs to, where several have the key.
        label: name of the words in `locales/` for what is no key.
        symbol: how formulas write it; its name when left out.
        default: what the program takes when it is not set; the key's own when left out.
        start: what stands on the page at first, where there is no default.
        optional: may be left unset; expressions see None.
        paths: dotted places in a configuration, or flags; those of the key when left out.
        only: when it has a bearing on the numbers.
    """

    name: Identifier
    key: Text | None = None
    role: Text | None = None
    label: Identifier | None = None
    symbol: Text | None = None
    kind: InputKind = InputKind.INT
    default: int | bool | str | None = None
    start: int | bool | str | None = None
    optional: bool = False
    least: int = 1
    choices: tuple[Choice, ...] = ()
    paths: tuple[Text, ...] = ()
    only: Expression | None = None


class Quantity(Model):
    """A number that follows from the inputs, and from the quantities before it.

    Attributes:
        symbol: how formulas write it.
        label: name of the words in `locales/` under which the page shows it; without one it only stands in formulas.
        only: when it means something.
    """

    name: Identifier
    symbol: Text | None = None
    label: Identifier | None = None
    value: Expression
    only: Expression | None = None


class Calculator(Model):
    """What the calculator of a framework asks and what it works out."""

    framework: Id
    inputs: Annotated[tuple[Input, ...], Field(min_length=1)]
    quantities: tuple[Quantity, ...]


class Newest(Model):
    """The newest commit of a repository that `make verify` has looked at."""

    id: Id
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
    date: Day


class ChangeKind(StrEnum):
    """What upstream did to something that the guide cites."""

    UNREAD = "unread"  # the file no longer parses
    FILE = "file"  # the file is gone
    MOVED = "moved"  # the file has another path
    DEFAULT = "default"
    TEXT = "text"  # the cited line reads otherwise
    LOST = "lost"  # the cited line is gone
    ERROR = "error"  # the error text is no longer printed


class Change(Model):
    """One change upstream and what in the guide rests on it.

    Attributes:
        path: file, and `line` in it, as cited.
        since: commit at which the guide's version stood last.
        was: the path, default, line or error text as the guide has it.
        now: what stands there instead; None when nothing does.
        entries, keys, rules: ids of what cites it.
    """

    repo: Id
    kind: ChangeKind
    path: Text
    line: Annotated[int, Field(ge=1)] | None = None
    since: Stamp
    was: Text
    now: Text | None = None
    entries: tuple[Id, ...] = ()
    keys: tuple[Id, ...] = ()
    rules: tuple[str, ...] = ()
