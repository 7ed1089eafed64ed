"""From settings to numbers, to the assertions that would fire, and to the nearest settings that pass.

`overrides/assets/javascripts/calculate/engine.js` is the same in JavaScript; recorded results of upstream code hold both.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from fieldguide.calculate.definition import BoundCase, BoundInput, BoundQuantity, Definition
from fieldguide.calculate.expression import MissingError, Node, TooLargeError, Value, evaluate, names_in, render, taken

LARGEST_INPUT = 100_000_000
# The search: settings tried at most, values of each input where two are changed, and proposals that are enough.
TRIED = 2000
PAIRED = 12
SHOWN = 4


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
        kind: `error` prints `text`; `silent` prints nothing; `zero` divides by zero instead of checking.
        formula: the condition, in names.
        figures: the condition, in numbers.
    """

    rule: str
    anchor: str
    entry: str
    when: str
    kind: str
    text: str
    formula: str
    figures: str


@dataclass(frozen=True)
class Proposal:
    """Settings that pass: input → value, nearest first."""

    changes: tuple[tuple[str, int], ...]
    distance: float


@dataclass(frozen=True)
class Outcome:
    """Everything that follows from the settings; `findings` in the order in which the program comes to them."""

    numbers: tuple[Number, ...]
    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding | None:
        """The one that stops the program."""
        return next((finding for finding in self.findings if finding.kind != "silent"), None)


def calculate(definition: Definition, settings: Mapping[str, Value]) -> Outcome:
    """Work everything out.

    Args:
        definition: of the framework.
        settings: input → value; `version` → position in `definition.versions`. What is left out has its default.
    """
    values, failures = _worked_out(definition, settings)
    symbols = _symbols(definition)
    numbers = tuple(_number(one, values, failures, symbols) for one in definition.quantities)
    cases = ((case, _verdict(case, values, failures)) for case in definition.cases)
    return Outcome(numbers, tuple(_finding(case, kind, values, symbols) for case, kind in cases if kind))


def _symbols(definition: Definition) -> dict[str, str]:
    named: list[BoundInput | BoundQuantity] = [*definition.inputs, *definition.quantities]
    return {one.name: one.symbol for one in named}


def _worked_out(
    definition: Definition, settings: Mapping[str, Value]
) -> tuple[dict[str, Value], dict[str, tuple[str, str | None]]]:
    values: dict[str, Value] = {"version": definition.latest}
    values |= {one.name: one.default for one in definition.inputs if not one.required}
    values |= settings
    failures: dict[str, tuple[str, str | None]] = {}
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


def _verdict(case: BoundCase, values: Mapping[str, Value], failures: Mapping[str, tuple[str, str | None]]) -> str | None:
    if values["version"] < case.since:  # type: ignore[operator]
        return None
    try:
        if not evaluate(case.only, values) or evaluate(case.check, values):
            return None
        return "error" if case.error else "silent"
    except (MissingError, ZeroDivisionError, TooLargeError) as error:
        return "zero" if _failure(error, failures)[0] == "zero" else None


def _finding(case: BoundCase, kind: str, values: Mapping[str, Value], symbols: Mapping[str, str]) -> Finding:
    named = render(case.check, lambda name: symbols.get(name, name))
    text = figures = ""
    if kind != "zero":
        shown = iter([str(evaluate(one, values)) for one in case.show])
        text = "".join(next(shown) if piece is None else piece for piece in case.error)
        figures = render(case.check, lambda name: str(values[name]))
    return Finding(case.rule, case.anchor, case.entry, case.when, kind, text, named, figures)


# ---- Nearest settings that pass ---------------------------------------------------------------------------------------


def proposals(definition: Definition, settings: Mapping[str, Value]) -> tuple[Proposal, ...]:
    """Small changes of one input, else of two, after which no assertion fires; one for each input, the smallest first."""
    values, failures = _worked_out(definition, settings)
    verdicts = [(case, _verdict(case, values, failures)) for case in definition.cases]
    failing = [case for case, kind in verdicts if kind in ("error", "zero")]
    silent = frozenset(case.rule for case, kind in verdicts if kind == "silent")
    movable = _movable(definition, failing, values)
    near = [_nearby(definition, failing, one, values) for one in movable]
    found = _passing(
        definition, settings, silent, [Proposal(((name, value),), ratio) for one in near for ratio, name, value in one]
    )
    if not found:
        paired = (
            Proposal(((a[1], a[2]), (b[1], b[2])), a[0] * b[0])
            for first, second in combinations(near, 2)
            for a in first[:PAIRED]
            for b in second[:PAIRED]
        )
        found = _passing(definition, settings, silent, list(paired))
    return found


def _movable(definition: Definition, failing: list[BoundCase], values: Mapping[str, Value]) -> list[str]:
    """Inputs that the failing cases depend on and that hold a number."""
    reached = {name for case in failing for name in names_in(case.check)}
    for quantity in reversed(definition.quantities):
        if quantity.name in reached:
            reached |= set(names_in(quantity.value))
    return [
        one.name
        for one in definition.inputs
        if one.name in reached and one.kind in ("int", "devices") and isinstance(values.get(one.name), int)
    ]


Candidate = tuple[float, str, int]


def _nearby(definition: Definition, failing: list[BoundCase], name: str, values: Mapping[str, Value]) -> list[Candidate]:
    """Values near the present one, by ratio: its neighbours, and multiples and divisors of what the failing cases divide."""
    now = values[name]
    assert isinstance(now, int)
    least = next(one.least for one in definition.inputs if one.name == name)
    near = (
        {now + step for step in range(-64, 65)} | {now * step for step in range(2, 9)} | {now // step for step in range(2, 9)}
    )
    for number in _divided(failing, values):
        near |= {now // number * number, -(-now // number) * number}
        near |= {number // step for step in range(1, 65) if number % step == 0}
    kept = sorted((_ratio(now, value), value) for value in near if max(least, 1) <= value <= LARGEST_INPUT and value != now)
    return [(ratio, name, value) for ratio, value in kept]


def _ratio(a: int, b: int) -> float:
    return max(a, b) / min(a, b) if min(a, b) > 0 else float(abs(a - b) + 1)


def _divided(failing: list[BoundCase], values: Mapping[str, Value]) -> Iterator[int]:
    """Both sides of every `%` in the failing cases."""
    for case in failing:
        for node in _remainders(case.check):
            for side in node[1:]:
                try:
                    value = evaluate(side, values)
                except (MissingError, ZeroDivisionError, TooLargeError):
                    continue
                if isinstance(value, int) and value > 0:
                    yield value


def _remainders(node: Node) -> Iterator[Node]:
    if isinstance(node, list) and node[0] != "text":
        if node[0] == "%":
            yield node
        for operand in node[1:]:
            yield from _remainders(operand)


def _passing(
    definition: Definition, settings: Mapping[str, Value], silent: frozenset[str], candidates: list[Proposal]
) -> tuple[Proposal, ...]:
    """The nearest candidates after which nothing fires, one for each set of inputs, among the nearest `TRIED`."""
    found: dict[tuple[str, ...], Proposal] = {}
    for candidate in sorted(candidates, key=lambda one: one.distance)[:TRIED]:
        inputs = tuple(name for name, _ in candidate.changes)
        if inputs not in found and _passes(definition, {**settings, **dict(candidate.changes)}, silent):
            found[inputs] = candidate
            if len(found) == SHOWN:
                break
    return tuple(found.values())


def _passes(definition: Definition, settings: Mapping[str, Value], silent: frozenset[str]) -> bool:
    """Nothing fires, and nothing goes wrong in silence that did not before."""
    values, failures = _worked_out(definition, settings)
    for case in definition.cases:
        kind = _verdict(case, values, failures)
        if kind in ("error", "zero") or (kind == "silent" and case.rule not in silent):
            return False
    return True
