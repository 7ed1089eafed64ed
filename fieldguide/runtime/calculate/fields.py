"""From what somebody typed into a field, or what a configuration says, to the value of an input, or to a word why not.

`overrides/assets/javascripts/calculate/fields.js` is the same in JavaScript.
"""

from dataclasses import dataclass, field

from fieldguide.runtime.calculate.definition import BoundInput, Definition
from fieldguide.runtime.calculate.expression import Value
from fieldguide.runtime.calculate.grammar import Grammar
from fieldguide.runtime.dialect import stripped


@dataclass(frozen=True)
class Reading:
    """A value, or the name of the words that say why there is none (`calc_bad_…` in `locales/`), with what fills them.

    Attributes:
        note: name of the words to show beside a value that was read all the same.
        devices: numbers of the GPUs, where the text was a list of them.
    """

    value: Value = None
    problem: str | None = None
    note: str | None = None
    fills: dict[str, str | int] = field(default_factory=dict)
    devices: tuple[int, ...] | None = None


def read_field(grammar: Grammar, definition: Definition, one: BoundInput, text: str, version: int) -> Reading:
    """Read one field.

    Args:
        grammar: how numbers, flags and lists are written.
        definition: the calculator the field belongs to.
        one: the field.
        text: what stands in it.
        version: position of the version chosen, for choices that only some versions have.
    """
    text = stripped(text)
    if grammar.search("unresolved", text):
        return Reading(problem="calc_bad_reference", fills={"text": text})
    if one.kind == "flag":
        return _flag(grammar, text)
    if one.kind == "choice":
        return _choice(definition, one, text, version)
    if grammar.search("nothing", text):
        return _blank(one)
    if grammar.search("listed", bare := text.strip("\"'")):
        return _listed(grammar, one, bare)
    return _number(grammar, one, text)


def _blank(one: BoundInput) -> Reading:
    if one.optional:
        return Reading()
    if one.required:
        return Reading(problem="calc_bad_required")
    return Reading(value=one.default, note="calc_note_default", fills={"default": str(one.default)})


def _number(grammar: Grammar, one: BoundInput, text: str) -> Reading:
    if grammar.search("power", text):
        return Reading(problem="calc_bad_digits", fills={"text": text})
    if grammar.search("pointZero", text):
        text = text.partition(".")[0]
    if grammar.search("fraction", text):
        return Reading(problem="calc_bad_fraction", fills={"text": text})
    if not grammar.search("whole", text):
        return Reading(problem="calc_bad_number", fills={"text": text})
    value = int(text)
    if value < one.least:
        return Reading(problem="calc_bad_small", fills={"least": one.least, "text": text})
    if value > one.most:
        return Reading(problem="calc_bad_large", fills={"most": one.most, "text": text})
    return Reading(value=value)


def _listed(grammar: Grammar, one: BoundInput, text: str) -> Reading:
    devices = read_devices(grammar, text)
    if devices is None:
        return Reading(problem="calc_bad_list", fills={"text": text})
    if one.kind != "devices":
        return Reading(problem="calc_bad_count", fills={"count": len(devices), "text": text})
    if not devices:
        return Reading(problem="calc_bad_small", fills={"least": one.least, "text": text})
    return Reading(value=len(devices), note="calc_note_devices", fills={"count": len(devices)}, devices=devices)


def read_devices(grammar: Grammar, text: str) -> tuple[int, ...] | None:
    """GPU numbers of a Python list such as `list(range(0, 4)) + [8, 9]`; None when it is no list of that kind."""
    devices: list[int] = []
    for part in map(stripped, text.split("+")):
        if spans := grammar.search("range", part):
            first, second, step = (int(number) if number else None for number in spans.groups())
            devices.extend(range(first or 0, second, step or 1) if second is not None else range(first or 0))
        elif items := grammar.search("items", part):
            devices.extend(int(number) for number in (items[1] or "").split(",") if stripped(number))
        else:
            return None
    return tuple(devices)


def _flag(grammar: Grammar, text: str) -> Reading:
    if grammar.search("true", text):
        return Reading(value=True)
    if grammar.search("false", text):
        return Reading(value=False)
    return Reading(problem="calc_bad_flag", fills={"text": text})


def _choice(definition: Definition, one: BoundInput, text: str, version: int) -> Reading:
    if not text:
        return _blank(one)
    bare = text.strip("\"'")
    found = next((choice for choice in one.choices if bare == choice.value or bare in choice.also), None)
    if found is None and one.others is not None:
        return Reading(value=one.others, note="calc_note_other", fills={"text": bare})
    if found is None:
        return Reading(problem="calc_bad_choice", fills={"text": text, "choices": ", ".join(c.value for c in one.choices)})
    if version < found.since:
        return Reading(problem="calc_bad_since", fills={"text": found.value, "version": definition.versions[found.since]})
    if version > found.until:
        return Reading(problem="calc_bad_until", fills={"text": found.value, "version": definition.versions[found.until]})
    return Reading(value=found.value)
