"""What the calculator says about a configuration file or launch script, for the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from fieldguide.runtime.calculate.definition import BoundInput, Definition
from fieldguide.runtime.calculate.engine import Finding, Number, Outcome, calculate, lacking
from fieldguide.runtime.calculate.expression import Value
from fieldguide.runtime.calculate.fields import Reading, read_field
from fieldguide.runtime.calculate.grammar import Grammar
from fieldguide.runtime.calculate.launch import Sources
from fieldguide.runtime.calculate.nearest import Change, Need, Proposal, needs, proposals
from fieldguide.runtime.calculate.settings import Settings, SettingsError, chosen, is_about, is_below, read_text, to_fields
from fieldguide.runtime.dialect import stripped
from fieldguide.runtime.guide import Answers, Guide

# Words for a value that is not known here, where others are for one that is wrong.
_UNKNOWN = frozenset({"calc_bad_reference", "calc_bad_required"})


@dataclass(frozen=True)
class Judgement:
    """A configuration read and worked out; `readings` are those of the fields that the text sets.

    Attributes:
        version: position of the release in `definition.versions`.
        program: what the text starts, where it says so.
        is_judged: whether the rules are about that program.
        needs: what each cause alone needs, when there is nothing to propose.
        lacks: inputs without a value that keep rules from being judged: input → those rules.
        missing: files that the text names and that could not be read.
        stray: the first of settings that a script passes to nothing.
    """

    definition: Definition
    version: int
    program: str | None
    is_judged: bool
    settings: Settings
    readings: Mapping[str, Reading]
    outcome: Outcome
    proposals: tuple[Proposal, ...]
    needs: tuple[Need, ...]
    lacks: Mapping[str, tuple[str, ...]]
    missing: tuple[str, ...]
    stray: str | None

    @property
    def problems(self) -> dict[str, Reading]:
        """Fields whose text is wrong."""
        return {name: one for name, one in self.readings.items() if one.problem and one.problem not in _UNKNOWN}

    @property
    def open(self) -> dict[str, Reading | None]:
        """Inputs whose value is not known and has a bearing, with what the text says instead."""
        return {name: self.readings.get(name) for name in self.lacks if name not in self.problems}

    @property
    def code(self) -> int:
        """0 every rule holds, 1 an assertion fires, 2 a field is wrong, 3 nothing fires, but not all could be judged."""
        if self.outcome.first:
            return 1
        if self.problems:
            return 2
        return 3 if self.lacks or not self.is_judged else 0


def judge(
    guide: Guide,
    text: str,
    more: Mapping[str, str],
    framework: str | None = None,
    release: str | None = None,
    sources: Sources = lambda _: None,
    given: Mapping[str, str] | None = None,
) -> Judgement:
    """Read a text and work out what follows.

    Args:
        guide: with the calculators.
        text: YAML, override lines or a launch script.
        more: input → text, for what the text does not say (GPUs of the cluster).
        framework: whose calculator; guessed from the names when left out.
        release: whose rules; those of the commit that was checked when left out.
        sources: text of a file that the text names.
        given: variables of a launch script that are set from outside.

    Raises:
        SettingsError: the text or an input cannot be taken.
    """
    pasted = read_text(guide.grammar, text, sources, given or {})
    guessed, run = chosen(guide.definitions, pasted)
    name = framework or guessed
    if name is None:
        raise SettingsError("calc_paste_unknown")
    if name not in guide.definitions:
        raise SettingsError("calc_bad_choice", text=name, choices=", ".join(guide.definitions))
    definition = guide.definitions[name]
    version = _version(definition, release)
    found = to_fields(guide.grammar, definition, run.settings)
    fields = {**found.fields, **more}
    is_partial = bool(run.missing) or (run.is_partial and _is_completed(definition, run.settings))
    if is_partial:  # what is null there is what the command line is to say
        fields = {name: text for name, text in fields.items() if not guide.grammar.search("nothing", stripped(text))}
    readings = _readings(guide.grammar, definition, fields, version)
    values: dict[str, Value] = {one: reading.value for one, reading in readings.items() if not reading.problem}
    values["version"] = version
    is_judged = is_about(definition, run.program, run.settings, framework is not None)
    bound = _without(definition if is_judged else replace(definition, cases=()), readings, is_partial)
    outcome = calculate(bound, values)
    near = proposals(bound, values) if outcome.first else ()
    alone = needs(bound, values) if outcome.first and not near else ()
    lacks, missing = lacking(bound, values), (*run.missing, *pasted.missing)
    found = replace(found, fields=fields)
    return Judgement(
        definition, version, run.program, is_judged, found, readings, outcome, near, alone, lacks, missing, pasted.stray
    )  # fmt: skip


def _version(definition: Definition, release: str | None) -> int:
    if release is None:
        return definition.latest
    if release not in definition.versions:
        raise SettingsError("calc_bad_choice", text=release, choices=", ".join(definition.versions))
    return definition.versions.index(release)


def _readings(grammar: Grammar, definition: Definition, fields: Mapping[str, str], version: int) -> dict[str, Reading]:
    inputs = {one.name: one for one in definition.inputs}
    if unknown := next((name for name in fields if name not in inputs), None):
        raise SettingsError("calc_paste_input", name=unknown, known=", ".join(inputs))
    return {name: read_field(grammar, definition, inputs[name], text, version) for name, text in fields.items()}


def _is_completed(definition: Definition, settings: Mapping[str, str]) -> bool:
    """Whether a configuration says that a command line completes it, as Hydra's do."""
    return any(is_below(name, one) for one in definition.completed for name in settings)


def _without(definition: Definition, readings: Mapping[str, Reading], is_partial: bool) -> Definition:
    """The definition in which an input that could not be read has no default: nothing is worked out from a guess.

    Args:
        is_partial: whether settings stand in a file that could not be read, so that no default is certain.
    """

    def is_unknown(one: BoundInput) -> bool:
        read = readings.get(one.name)
        return read.problem is not None if read else is_partial and bool(one.paths)

    inputs = tuple(replace(one, required=True) if is_unknown(one) else one for one in definition.inputs)
    return replace(definition, inputs=inputs)


def as_json(made: Judgement) -> dict[str, Any]:
    """For programs."""
    return {
        "framework": made.definition.framework,
        "version": made.definition.versions[made.version],
        "program": made.program,
        "judged": made.is_judged,
        "settings": dict(made.settings.fields),
        "problems": {name: reading.problem for name, reading in made.problems.items()},
        "open": {name: {"text": made.settings.fields.get(name), "rules": list(rules)} for name, rules in made.lacks.items()},
        "missing_files": list(made.missing),
        "stray": made.stray,
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
    lines = [f"{name}: {made.definition.name} {made.definition.versions[made.version]}"]
    lines += ["  " + words["calc_file"].format(name=file) for file in made.missing]
    lines += ["  " + words["calc_stray"].format(name=made.stray)] if made.stray else []
    if not made.is_judged:
        lines.append("  " + words["calc_not_judged"].format(program=made.program or words["calc_other_program"]))
    for field, reading in made.problems.items():
        lines.append(f"  {shown(inputs[field], words)}: {words[reading.problem or ''].format(**reading.fills)}")
    for slip, meant in made.settings.slips.items():
        lines.append("  " + words["calc_slip"].format(name=slip, meant=meant))
    lines += [
        f"  {_number(number, words, inputs)}" for number in made.outcome.numbers if number.label and number.failure != "unused"
    ]
    lines += [line for group in made.outcome.causes for line in _finding(answers, group[0], group[1:])]
    if made.outcome.first is None and made.is_judged:
        lines.append("  " + words["calc_judged" if made.lacks else "calc_passes"])
    lines += [f"  {_lack(inputs[field], rules, made.settings.fields.get(field), words)}" for field, rules in made.lacks.items()]
    if made.proposals:
        lines.append("  " + words["calc_nearest"])
        lines += [f"    {_changes(proposal.changes, words, inputs)}" for proposal in made.proposals]
    if made.needs:
        lines.append("  " + words["calc_no_nearest"])
        lines += [f"    {_need(need, words, inputs)}" for need in made.needs]
    return "\n".join(lines)


def _lack(one: BoundInput, rules: Sequence[str], text: str | None, words: Mapping[str, str]) -> str:
    """What to say so that more rules can be judged."""
    name = shown(one, words) if text is None else f"{shown(one, words)} = {text}"
    return words["calc_ask"].format(name=name, rules=", ".join(rules), option=f"--set {one.name}=…")


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
