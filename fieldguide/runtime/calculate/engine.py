"""From settings to numbers and to the assertions that would fire.

`overrides/assets/javascripts/calculate/engine.js` is the same in JavaScript; recorded results of upstream code hold both.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fieldguide.runtime.calculate.definition import BoundCase, BoundInput, BoundQuantity, Definition
from fieldguide.runtime.calculate.expression import MissingError, Node, TooLargeError, Value, evaluate, names_in, render, taken

Failures = dict[str, tuple[str, str | None]]


@dataclass(frozen=True)
class Number:
    """A quantity: its value, or why it has none (`missing` with the name of an input, `zero`, `large`, `unused`)."""

    name: str
    label: str | None
    value: Value
    failure: str | None = None
    of: str | None = None
    formula: str = ""
    figures: str = ""


@dataclass(frozen=True)
class Finding:
    """A rule that does not hold.

    Attributes:
        at: its place in the order in which the program comes to the rules.
        kind: `error` prints `text`; `silent` prints nothing; `zero` divides by zero instead of checking.
        formula: the condition, in names.
        figures: the condition in numbers, or what its names stand for where it is not about numbers; the divisor that is zero.
        cause: the parts of the condition that do not hold, in names; the divisor that is zero.
    """

    rule: str
    at: int
    anchor: str
    entry: str
    when: str
    kind: str
    text: str
    formula: str
    figures: str
    cause: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """Everything that follows from the settings; `findings` in the order in which the program comes to them."""

    numbers: tuple[Number, ...]
    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding | None:
        """The one that stops the program."""
        return next((finding for finding in self.findings if finding.kind != "silent"), None)

    @property
    def causes(self) -> tuple[tuple[Finding, ...], ...]:
        """Findings that have one cause together, each headed by the one that the program hits first; silent ones apart."""
        groups: list[list[Finding]] = []
        for finding in self.findings:
            same = next((group for group in groups if _same_cause(group[0], finding)), None)
            if same:
                same.append(finding)
            else:
                groups.append([finding])
        return tuple(map(tuple, groups))


def _same_cause(one: Finding, other: Finding) -> bool:
    alike = (one.kind == "silent") == (other.kind == "silent")
    here, there = set(one.cause), set(other.cause)
    return alike and (here <= there or there <= here)


def calculate(definition: Definition, settings: Mapping[str, Value]) -> Outcome:
    """Work everything out.

    Args:
        definition: of the framework.
        settings: input → value; `version` → position in `definition.versions`. What is left out has its default.
    """
    values, failures = worked_out(definition, settings)
    symbols = _symbols(definition)
    numbers = tuple(_number(one, values, failures, symbols) for one in definition.quantities)
    cases = ((case, verdict(case, values, failures)) for case in definition.cases)
    return Outcome(numbers, tuple(_finding(definition, case, kind, values, symbols) for case, kind in cases if kind))


def _symbols(definition: Definition) -> dict[str, str]:
    named: list[BoundInput | BoundQuantity] = [*definition.inputs, *definition.quantities]
    return {one.name: one.symbol for one in named}


def worked_out(definition: Definition, settings: Mapping[str, Value]) -> tuple[dict[str, Value], Failures]:
    """Values of all inputs and quantities, and for a quantity without one its kind of failure and the input it lacks."""
    values: dict[str, Value] = {"version": definition.latest}
    values |= {one.name: one.default for one in definition.inputs if not one.required}
    values |= settings
    failures: Failures = {}
    for quantity in definition.quantities:
        try:
            if evaluate(quantity.only, values):
                values[quantity.name] = evaluate(quantity.value, values)
            else:
                failures[quantity.name] = ("unused", None)
        except (MissingError, ZeroDivisionError, TooLargeError) as error:
            failures[quantity.name] = _failure(error, failures)
    return values, failures


def _failure(error: Exception, failures: Mapping[str, tuple[str, str | None]]) -> tuple[str, str | None]:
    if isinstance(error, MissingError):
        return failures.get(error.name, ("missing", error.name))
    return ("zero" if isinstance(error, ZeroDivisionError) else "large", None)


def _number(
    one: BoundQuantity,
    values: Mapping[str, Value],
    failures: Mapping[str, tuple[str, str | None]],
    symbols: Mapping[str, str],
) -> Number:
    if one.name in failures:
        kind, of = failures[one.name]
        return Number(one.name, one.label, None, kind, of)
    return Number(one.name, one.label, values[one.name], None, None, *_derived(one.value, values, symbols))


def _derived(node: Node, values: Mapping[str, Value], symbols: Mapping[str, str]) -> tuple[str, str]:
    """An expression in names and in numbers, as far as these values take it."""
    node = taken(node, values)
    return render(node, lambda name: symbols.get(name, name)), render(node, lambda name: str(values[name]))


def verdict(case: BoundCase, values: Mapping[str, Value], failures: Mapping[str, tuple[str, str | None]]) -> str | None:
    """The kind of finding that a case makes of these values; None when it holds or does not apply."""
    if not case.since <= values["version"] <= case.until:  # type: ignore[operator]
        return None
    try:
        if not evaluate(case.only, values) or evaluate(case.check, values):
            return None
        return "error" if case.error else "silent"
    except (MissingError, ZeroDivisionError, TooLargeError) as error:
        return "zero" if _failure(error, failures)[0] == "zero" else None


def lacking(definition: Definition, settings: Mapping[str, Value]) -> dict[str, tuple[str, ...]]:
    """Inputs without a value that keep rules from being judged: input → those rules."""
    values, failures = worked_out(definition, settings)
    found: dict[str, list[str]] = {}
    for case in definition.cases:
        if values["version"] < case.since:  # type: ignore[operator]
            continue
        try:
            if evaluate(case.only, values):
                evaluate(case.check, values)
        except MissingError as error:
            kind, name = _failure(error, failures)
            if kind == "missing" and name is not None:
                found.setdefault(name, []).append(case.rule)
        except (ZeroDivisionError, TooLargeError):
            continue
    return {name: tuple(dict.fromkeys(rules)) for name, rules in found.items()}


def _finding(
    definition: Definition, case: BoundCase, kind: str, values: Mapping[str, Value], symbols: Mapping[str, str]
) -> Finding:
    def named(node: Node) -> str:
        return render(node, lambda name: symbols.get(name, name))

    text = ""
    cause: tuple[str, ...]
    if kind == "zero":
        cause = (named(_zero(case.check, values, {one.name: one.value for one in definition.quantities})),)
        figures = f"{cause[0]} = 0"
    else:
        shown = iter([str(evaluate(one, values)) for one in case.show])
        text = "".join(next(shown) if piece is None else piece for piece in case.error)
        cause = tuple(named(part) for part in _untrue(case.check, values))
        figures = _figures(case.check, values, symbols)
    return Finding(case.rule, case.at, case.anchor, case.entry, case.when, kind, text, named(case.check), figures, cause)


def _figures(check: Node, values: Mapping[str, Value], symbols: Mapping[str, str]) -> str:
    """`30 % 8 == 0`; where something is not set or is no number, what each name stands for."""
    names = list(dict.fromkeys(names_in(check)))
    if all(type(values[name]) is int for name in names):
        return render(check, lambda name: str(values[name]))
    return ", ".join(f"{symbols.get(name, name)} = {values[name]}" for name in names)


def _untrue(node: Node, values: Mapping[str, Value]) -> Iterator[Node]:
    """The parts of a condition that does not hold for which it does not."""
    if isinstance(node, list) and node[0] in ("and", "or"):
        for operand in node[1:]:
            if not evaluate(operand, values):
                yield from _untrue(operand, values)
    else:
        yield node


def _zero(node: Node, values: Mapping[str, Value], quantities: Mapping[str, Node]) -> Node:
    """The divisor that is zero, in an expression that divides by zero or in a quantity that it needs; else None."""
    if isinstance(node, str):
        return None if node in values or node not in quantities else _zero(quantities[node], values, quantities)
    if not isinstance(node, list) or node[0] == "text":
        return None
    parts = [node[1], node[2 if evaluate(node[1], values) else 3]] if node[0] == "if" else node[1:]
    for part in parts:
        if (found := _zero(part, values, quantities)) is not None:
            return found
    return node[2] if node[0] in ("//", "%", "ceildiv") and evaluate(node[2], values) == 0 else None
