"""What the calculator says about a configuration file or launch script, for the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from fieldguide.runtime.calculate.definition import BoundInput, Definition
from fieldguide.runtime.calculate.engine import Finding, Number, Outcome, calculate
from fieldguide.runtime.calculate.expression import Value
from fieldguide.runtime.calculate.fields import Reading, read_field
from fieldguide.runtime.calculate.grammar import Grammar
from fieldguide.runtime.calculate.nearest import Change, Need, Proposal, needs, proposals
from fieldguide.runtime.calculate.settings import Settings, SettingsError, guessed_framework, read_settings, to_fields
from fieldguide.runtime.guide import Answers, Guide


@dataclass(frozen=True)
class Judgement:
    """A configuration read and worked out; `readings` are those of the fields that the text sets.

    Attributes:
        needs: what each cause alone needs, when there is nothing to propose.
    """

    definition: Definition
    settings: Settings
    readings: Mapping[str, Reading]
    outcome: Outcome
    proposals: tuple[Proposal, ...]
    needs: tuple[Need, ...]

    @property
    def problems(self) -> dict[str, Reading]:
        return {name: reading for name, reading in self.readings.items() if reading.problem}


def judge(guide: Guide, text: str, more: Mapping[str, str], framework: str | None = None) -> Judgement:
    """Read a text and work out what follows.

    Args:
        guide: with the calculators.
        text: YAML, override lines or a launch script.
        more: input → text, for what the text does not say (GPUs of the cluster).
        framework: whose calculator; guessed from the names when left out.

    Raises:
        SettingsError: the text or an input cannot be taken.
    """
    settings = read_settings(guide.grammar, text)
    chosen = framework or guessed_framework(guide.definitions, settings)
    if chosen is None:
        raise SettingsError("calc_paste_unknown")
    if chosen not in guide.definitions:
        raise SettingsError("calc_bad_choice", text=chosen, choices=", ".join(guide.definitions))
    definition = guide.definitions[chosen]
    found = to_fields(guide.grammar, definition, settings)
    fields = {**found.fields, **more}
    readings = _readings(guide.grammar, definition, fields)
    values: dict[str, Value] = {name: reading.value for name, reading in readings.items() if not reading.problem}
    outcome = calculate(_without(definition, readings), values)
    near = proposals(definition, values) if outcome.first else ()
    alone = needs(definition, values) if outcome.first and not near else ()
    return Judgement(definition, replace(found, fields=fields), readings, outcome, near, alone)


def _readings(grammar: Grammar, definition: Definition, fields: Mapping[str, str]) -> dict[str, Reading]:
    inputs = {one.name: one for one in definition.inputs}
    if unknown := next((name for name in fields if name not in inputs), None):
        raise SettingsError("calc_paste_input", name=unknown, known=", ".join(inputs))
    return {name: read_field(grammar, definition, inputs[name], text, definition.latest) for name, text in fields.items()}


def _without(definition: Definition, readings: Mapping[str, Reading]) -> Definition:
    """The definition in which an input that could not be read has no default: nothing is worked out from a guess."""
    inputs = tuple(
        replace(one, required=True) if one.name in readings and readings[one.name].problem else one for one in definition.inputs
    )
    return replace(definition, inputs=inputs)


def as_json(made: Judgement) -> dict[str, Any]:
    """For programs."""
    return {
        "framework": made.definition.framework,
        "version": made.definition.versions[-1],
        "settings": dict(made.settings.fields),
        "problems": {name: reading.problem for name, reading in made.problems.items()},
        "unknown": dict(made.settings.slips),
        "numbers": [asdict(number) for number in made.outcome.numbers if number.label],
        "findings": [asdict(finding) for finding in made.outcome.findings],
        "proposals": [dict(proposal.changes) for proposal in made.proposals],
        "needs": [asdict(need) for need in made.needs],
    }


def as_text(answers: Answers, made: Judgement, name: str) -> str:
    """For people, in the language of the answers."""
    words = answers.words
    inputs = {one.name: one for one in made.definition.inputs}
    lines = [f"{name}: {made.definition.name} {made.definition.versions[-1]}"]
    for field, reading in made.problems.items():
        lines.append(f"  {shown(inputs[field], words)}: {words[reading.problem or ''].format(**reading.fills)}")
    for slip, meant in made.settings.slips.items():
        lines.append("  " + words["calc_slip"].format(name=slip, meant=meant))
    lines += [
        f"  {_number(number, words, inputs)}" for number in made.outcome.numbers if number.label and number.failure != "unused"
    ]
    lines += [line for group in made.outcome.causes for line in _finding(answers, group[0], group[1:])]
    if made.outcome.first is None:
        lines.append("  " + words["calc_passes"])
    if made.proposals:
        lines.append("  " + words["calc_nearest"])
        lines += [f"    {_changes(proposal.changes, words, inputs)}" for proposal in made.proposals]
    if made.needs:
        lines.append("  " + words["calc_no_nearest"])
        lines += [f"    {_need(need, words, inputs)}" for need in made.needs]
    return "\n".join(lines)


def shown(one: BoundInput, words: Mapping[str, str]) -> str:
    """How an input is called: its key with the role it belongs to, or words."""
    if one.label:
        return words[one.label]
    return f"{one.role}: {one.shown}" if one.role else one.shown or one.name


def _number(number: Number, words: Mapping[str, str], inputs: Mapping[str, BoundInput]) -> str:
    head = words[number.label or ""]
    if number.failure:
        of = shown(inputs[number.of], words) if number.of else ""
        return f"{head}: {words['calc_none_' + number.failure].format(of=of)}"
    derived = "" if number.figures == str(number.value) else f" = {number.figures}"
    return f"{head}: {number.value}{derived}   ({number.formula})"


def _finding(answers: Answers, finding: Finding, also: Sequence[Finding]) -> Iterator[str]:
    words = answers.words
    kind = {"error": finding.text, "silent": words["calc_silent"], "zero": words["calc_zero"]}[finding.kind]
    yield f"  {finding.rule} ({words['when_' + finding.when]}): {kind}"
    yield f"    {finding.formula}   {finding.figures}"
    if also:
        yield f"    {words['calc_also']} {', '.join(dict.fromkeys(one.rule for one in also))}"
    yield f"    {finding.entry} · {answers.entries[finding.entry].page}"


def _changes(changes: Sequence[Change], words: Mapping[str, str], inputs: Mapping[str, BoundInput]) -> str:
    return ", ".join(f"{shown(inputs[name], words)} = {_setting(value, words)}" for name, value in changes)


def _setting(value: Value, words: Mapping[str, str]) -> str:
    """As it is written into a configuration."""
    return words["calc_blank"] if value is None else str(value).lower()


def _need(need: Need, words: Mapping[str, str], inputs: Mapping[str, BoundInput]) -> str:
    bearing = ", ".join(shown(inputs[name], words) for name in need.inputs)
    text = _changes([need.change], words, inputs) if need.change else words["calc_depends"].format(settings=bearing)
    return f"{need.rule}: {text}" + (f" ({words['calc_hardest']})" if need.hardest else "")
