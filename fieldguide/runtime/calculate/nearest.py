"""From settings that fail to the nearest that pass, or to what each rule needs when no small change is enough.

`overrides/assets/javascripts/calculate/nearest.js` is the same in JavaScript.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from fieldguide.runtime.calculate.definition import BoundCase, BoundInput, Definition
from fieldguide.runtime.calculate.engine import calculate, verdict, worked_out
from fieldguide.runtime.calculate.expression import MissingError, Node, TooLargeError, Value, evaluate, names_in

# The search: settings tried at most, values of each input where two are changed, and proposals that are enough.
TRIED = 2000
PAIRED = 12
SHOWN = 4
# Where two changes are not enough: settings tried before each further change, and changes at most.
STEP_TRIED = 400
STEPS = 6
_COMPARED = ("==", "<", "<=", ">", ">=")

Change = tuple[str, int | None]  # input → value: a number, True or False of a flag, None to leave it out
Candidate = tuple[float, str, int | None]


@dataclass(frozen=True)
class Proposal:
    """Settings that pass: input → value, nearest first."""

    changes: tuple[Change, ...]
    distance: float


@dataclass(frozen=True)
class Need:
    """What one cause alone needs.

    Attributes:
        at: the finding that heads it.
        change: the nearest change that satisfies that rule; None when no single one does.
        inputs: every input that bears on it.
        hardest: whether it is the one to think about first.
    """

    rule: str
    at: int
    change: Change | None
    inputs: tuple[str, ...]
    hardest: bool


def proposals(definition: Definition, settings: Mapping[str, Value]) -> tuple[Proposal, ...]:
    """Small changes of one input, else of two, else of several, after which no assertion fires.

    Returns:
        one for each set of inputs, the smallest first; of several inputs only one.
    """
    failing, silent, values = _standing(definition, settings)
    near = [_nearby(failing, one, values) for one in _movable(definition, failing, values)]
    singles = [Proposal(((name, value),), ratio) for one in near for ratio, name, value in one]
    found = _passing(definition, settings, silent, singles)
    if not found:
        paired = [
            Proposal(((a[1], a[2]), (b[1], b[2])), a[0] * b[0])
            for first, second in combinations(near, 2)
            for a in first[:PAIRED]
            for b in second[:PAIRED]
        ]
        found = _passing(definition, settings, silent, paired)
    return found or _step_by_step(definition, settings, silent)


def needs(definition: Definition, settings: Mapping[str, Value]) -> tuple[Need, ...]:
    """What each cause alone needs, in the order in which the program comes to them."""
    values, _ = worked_out(definition, settings)
    cases = {case.at: case for case in definition.cases}
    heads = [group[0] for group in calculate(definition, settings).causes if group[0].kind != "silent"]
    found = [(cases[head.at], _satisfying(definition, settings, cases[head.at], values)) for head in heads]
    distances = [candidate[0] if candidate else float("inf") for _, candidate in found]
    hardest = distances.index(max(distances)) if distances else -1
    return tuple(
        Need(case.rule, case.at, candidate and candidate[1:], _bearing(definition, case, values), place == hardest)
        for place, (case, candidate) in enumerate(found)
    )


def _standing(
    definition: Definition, settings: Mapping[str, Value]
) -> tuple[list[BoundCase], frozenset[str], dict[str, Value]]:
    """The cases that stop the program, the rules that fail in silence, and the values of everything."""
    values, failures = worked_out(definition, settings)
    verdicts = [(case, verdict(case, values, failures)) for case in definition.cases]
    failing = [case for case, kind in verdicts if kind in ("error", "zero")]
    return failing, frozenset(case.rule for case, kind in verdicts if kind == "silent"), values


def _satisfying(
    definition: Definition, settings: Mapping[str, Value], case: BoundCase, values: Mapping[str, Value]
) -> Candidate | None:
    """The nearest change of one input with which a case holds."""
    near = sorted(one for movable in _movable(definition, [case], values) for one in _nearby([case], movable, values))
    return next((one for one in near if verdict(case, *worked_out(definition, {**settings, one[1]: one[2]})) is None), None)


def _bearing(definition: Definition, case: BoundCase, values: Mapping[str, Value]) -> tuple[str, ...]:
    """Inputs that a case depends on, of those that apply."""
    reached = _reached(definition, [case])
    return tuple(one.name for one in definition.inputs if one.name in reached and _applies(one, values))


def _applies(one: BoundInput, values: Mapping[str, Value]) -> bool:
    try:
        return evaluate(one.only, values) is True
    except MissingError:
        return True


# ---- Values to try ----------------------------------------------------------------------------------------------------


def _reached(definition: Definition, cases: Sequence[BoundCase]) -> set[str]:
    """Names that the conditions of these cases depend on, through all quantities."""
    reached = {name for case in cases for name in names_in(case.check)}
    for quantity in reversed(definition.quantities):
        if quantity.name in reached:
            reached |= set(names_in(quantity.value))
    return reached


def _movable(definition: Definition, failing: Sequence[BoundCase], values: Mapping[str, Value]) -> list[BoundInput]:
    """Inputs to change: numbers that the cases depend on, and flags and numbers not set that their conditions name."""
    reached = _reached(definition, failing)
    named = {name for case in failing for name in names_in(case.check)}
    return [one for one in definition.inputs if one.name in reached and _can_move(one, values.get(one.name), one.name in named)]


def _can_move(one: BoundInput, now: Value, named: bool) -> bool:
    if one.kind == "flag":
        return named and isinstance(now, bool)
    return one.kind in ("int", "devices") and (isinstance(now, int) or (named and one.optional and now is None))


def _nearby(failing: Sequence[BoundCase], one: BoundInput, values: Mapping[str, Value]) -> list[Candidate]:
    """Values near the present one, by ratio: its neighbours, and multiples and divisors of what the failing cases divide."""
    now = values.get(one.name)
    if isinstance(now, bool):
        return [(1.0, one.name, not now)]
    start = now if isinstance(now, int) else 1  # what is not set begins with the smallest
    near = {start + step for step in range(-64, 65)} | {*_sides(failing, _COMPARED, values)}
    near |= {start * step for step in range(2, 9)} | {start // step for step in range(2, 9)}
    for number in _sides(failing, ("%",), values):
        near |= {start // number * number, -(-start // number) * number}
        near |= {number // step for step in range(1, 65) if number % step == 0}
    kept = sorted((_ratio(start, value), value) for value in near if max(one.least, 1) <= value <= one.most and value != now)
    left_out: list[Candidate] = [(1.0, one.name, None)] if now is not None and _may_be_none(failing, one) else []
    return left_out + [(ratio, one.name, value) for ratio, value in kept]


def _may_be_none(failing: Sequence[BoundCase], one: BoundInput) -> bool:
    """Whether a condition would have a setting left out."""
    return one.optional and any(["is", one.name, None] in [*_nodes(case.check, ("is",))] for case in failing)


def _ratio(a: int, b: int) -> float:
    return max(a, b) / min(a, b) if min(a, b) > 0 else float(abs(a - b) + 1)


def _sides(failing: Sequence[BoundCase], operators: Sequence[str], values: Mapping[str, Value]) -> Iterator[int]:
    """Both sides of every such operator in the failing cases, where they are positive numbers."""
    for case in failing:
        for node in _nodes(case.check, operators):
            for side in node[1:]:
                try:
                    value = evaluate(side, values)
                except (MissingError, ZeroDivisionError, TooLargeError):
                    continue
                if type(value) is int and value > 0:
                    yield value


def _nodes(node: Node, operators: Sequence[str]) -> Iterator[Node]:
    if isinstance(node, list) and node[0] != "text":
        if node[0] in operators:
            yield node
        for operand in node[1:]:
            yield from _nodes(operand, operators)


# ---- Trying -----------------------------------------------------------------------------------------------------------


def _passing(
    definition: Definition, settings: Mapping[str, Value], silent: frozenset[str], candidates: Sequence[Proposal]
) -> tuple[Proposal, ...]:
    """The nearest candidates after which nothing fires, one for each set of inputs, among the nearest `TRIED`."""
    found: dict[tuple[str, ...], Proposal] = {}
    for candidate in sorted(candidates, key=lambda one: one.distance)[:TRIED]:
        inputs = tuple(name for name, _ in candidate.changes)
        if inputs not in found and not _faults(definition, {**settings, **dict(candidate.changes)}, silent, 1):
            found[inputs] = candidate
            if len(found) == SHOWN:
                break
    return tuple(found.values())


def _faults(definition: Definition, settings: Mapping[str, Value], silent: frozenset[str], most: int) -> int:
    """How many cases fire, or go wrong in silence where they did not before; counted up to `most`."""
    values, failures = worked_out(definition, settings)
    count = 0
    for case in definition.cases:
        kind = verdict(case, values, failures)
        count += kind in ("error", "zero") or (kind == "silent" and case.rule not in silent)
        if count == most:
            break
    return count


def _step_by_step(definition: Definition, settings: Mapping[str, Value], silent: frozenset[str]) -> tuple[Proposal, ...]:
    """Change after change, each the one that leaves the fewest faults; nothing when that does not end well."""
    changed: dict[str, int | None] = {}
    distance = 1.0
    least = _faults(definition, settings, silent, len(definition.cases))
    for _ in range(STEPS):
        now = {**settings, **changed}
        failing, _, values = _standing(definition, now)
        near = sorted(one for movable in _movable(definition, failing, values) for one in _nearby(failing, movable, values))
        best = None
        for candidate in near[:STEP_TRIED]:
            left = _faults(definition, {**now, candidate[1]: candidate[2]}, silent, least)
            if left < least:
                least, best = left, candidate
            if not least:
                break
        if not best:
            return ()
        changed[best[1]] = best[2]
        distance *= best[0]
        if not least:
            return (Proposal(tuple(changed.items()), distance),)
    return ()
