"""A size rule as coded upstream, and the calculator that evaluates it."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from fieldguide.content.catalog.models.base import Expression, Id, Model, NotFollowed, SignatureText, Span, Text
from fieldguide.content.catalog.models.upstream import Source
from fieldguide.content.signature import parse_signature


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


class Rule(Span):
    """A divisibility or size rule as coded upstream, and the error that a violation prints.

    Attributes:
        rule: the condition that must hold, in words, where it depends on what no setting tells; else it is in `cases`.
        cases: the condition as the calculator evaluates it.
        applies: which backend, pipeline or setting it is limited to, as code; empty = always.
        error: signature of the text printed; absent when nothing is printed (say what happens in the page).
        generic: other programs print the error, too, as `Signature.generic`.
        not_followed: as `Signature.not_followed`.
        since, until: the first and the last release that enforces it so; a rule that changed is two, each with its span.
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
    not_followed: NotFollowed | None = None
    of: Id | None = None
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


class Choice(Span):
    """One value that an input of kind choice can have.

    Attributes:
        found: what in a configuration tells this choice where no key sets it: `name=value`, or the beginning of a name.
        also: other words for it.
    """

    value: Text
    found: tuple[Text, ...] = ()
    also: tuple[Text, ...] = ()


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
        others: the choice that stands for every other text.
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
    others: Text | None = None

    @model_validator(mode="after")
    def _others_are_a_choice(self) -> "Input":
        if self.others is not None and self.others not in [choice.value for choice in self.choices]:
            raise ValueError(f"{self.others!r} is none of the choices")
        return self


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


class Placement(Model):
    """How a configuration says that training and generation share GPUs.

    Attributes:
        listed, model: a setting that lists the models which share, and the model that tells.
        train, infer: settings with the GPU numbers of each.
    """

    listed: Text | None = None
    model: Text | None = None
    train: Text | None = None
    infer: Text | None = None

    @model_validator(mode="after")
    def _one_way(self) -> "Placement":
        if bool(self.listed and self.model) == bool(self.train and self.infer):
            raise ValueError("give either listed and model, or train and infer")
        return self


class Calculator(Model):
    """What the calculator of a framework asks and what it works out.

    Attributes:
        programs: modules and scripts that the rules are about, `*` for any characters; `*` alone is every one but the others.
        others: programs of the framework that they are not about.
        unless: names, or their beginnings, that only another program's configuration has.
        completed: names in a YAML, or their beginnings, that say that a command line completes it: what it leaves out is open.
    """

    framework: Id
    programs: Annotated[tuple[Text, ...], Field(min_length=1)]
    others: tuple[Text, ...] = ()
    unless: tuple[Text, ...] = ()
    completed: tuple[Text, ...] = ()
    inputs: Annotated[tuple[Input, ...], Field(min_length=1)]
    quantities: tuple[Quantity, ...]
    placement: Placement | None = None
