"""From what somebody typed into a field, or what a configuration says, to the value of an input, or to a word why not.

`overrides/assets/javascripts/calculate/fields.js` is the same in JavaScript.
"""

import re
from dataclasses import dataclass, field

from fieldguide.content.definition import BoundInput, Definition
from fieldguide.runtime.calculate.engine import LARGEST_INPUT
from fieldguide.runtime.calculate.expression import Value

_WHOLE = re.compile(r"^[+-]?[0-9]{1,30}$")
_POINT_ZERO = re.compile(r"^[+-]?[0-9]+\.0*$")
_POWER = re.compile(r"^[+-]?[0-9.]+(?:[eE]\+?[0-9]+|\s*(?:\^|\*\*)\s*[0-9]+)$|^[0-9]{1,3}(?:[,_][0-9]{3})+$")
_NOTHING = re.compile(r"^(?:none|null|~)?$", re.I)
_TRUE = re.compile(r"^(?:true|yes|on|1)$", re.I)
_FALSE = re.compile(r"^(?:false|no|off|0|none|null)?$", re.I)
_LISTED = re.compile(r"^(?:list\(\s*range\(.*|range\(.*|\[.*)$", re.S)
_RANGE = re.compile(r"^(?:list\(\s*)?range\(\s*([0-9]{1,6})\s*(?:,\s*([0-9]{1,6})\s*)?(?:,\s*([1-9][0-9]{0,5})\s*)?\)\s*\)?$")
_ITEMS = re.compile(r"^\[\s*([0-9]{1,6}(?:\s*,\s*[0-9]{1,6})*)?\s*,?\s*\]$")


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


def read_field(definition: Definition, one: BoundInput, text: str, version: int) -> Reading:
    """Read one field.

    Args:
        definition: the calculator the field belongs to.
        one: the field.
        text: what stands in it.
        version: position of the version chosen, for choices that only some versions have.
    """
    text = text.strip()
    if "${" in text or re.match(r"^\$[A-Za-z_]", text):
        return Reading(problem="calc_bad_reference", fills={"text": text})
    if one.kind == "flag":
        return _flag(text)
    if one.kind == "choice":
        return _choice(definition, one, text, version)
    if _NOTHING.match(text):
        return _blank(one)
    if _LISTED.match(bare := text.strip("\"'")):
        return _listed(one, bare)
    return _number(one, text)


def _blank(one: BoundInput) -> Reading:
    if one.optional:
        return Reading()
    if one.required:
        return Reading(problem="calc_bad_required")
    return Reading(value=one.default, note="calc_note_default", fills={"default": str(one.default)})


def _number(one: BoundInput, text: str) -> Reading:
    if _POWER.match(text):
        return Reading(problem="calc_bad_digits", fills={"text": text})
    if _POINT_ZERO.match(text):
        text = text.partition(".")[0]
    if re.match(r"^[+-]?[0-9]*\.[0-9]+$", text):
        return Reading(problem="calc_bad_fraction", fills={"text": text})
    if not _WHOLE.match(text):
        return Reading(problem="calc_bad_number", fills={"text": text})
    value = int(text)
    if value < one.least:
        return Reading(problem="calc_bad_small", fills={"least": one.least, "text": text})
    if value > LARGEST_INPUT:
        return Reading(problem="calc_bad_large", fills={"most": LARGEST_INPUT, "text": text})
    return Reading(value=value)


def _listed(one: BoundInput, text: str) -> Reading:
    devices = read_devices(text)
    if devices is None:
        return Reading(problem="calc_bad_list", fills={"text": text})
    if one.kind != "devices":
        return Reading(problem="calc_bad_count", fills={"count": len(devices), "text": text})
    if not devices:
        return Reading(problem="calc_bad_small", fills={"least": one.least, "text": text})
    return Reading(value=len(devices), note="calc_note_devices", fills={"count": len(devices)}, devices=devices)


def read_devices(text: str) -> tuple[int, ...] | None:
    """GPU numbers of a Python list; None when it is no list of that kind.

    >>> read_devices("list(range(0, 4)) + [8, 9]"), read_devices("list(range(x))")
    ((0, 1, 2, 3, 8, 9), None)
    """
    devices: list[int] = []
    for part in text.split("+"):
        if spans := _RANGE.match(part.strip()):
            first, second, step = (int(number) if number else None for number in spans.groups())
            devices.extend(range(first or 0, second, step or 1) if second is not None else range(first or 0))
        elif items := _ITEMS.match(part.strip()):
            devices.extend(int(number) for number in (items.group(1) or "").split(",") if number.strip())
        else:
            return None
    return tuple(devices)


def _flag(text: str) -> Reading:
    if _TRUE.match(text):
        return Reading(value=True)
    if _FALSE.match(text):
        return Reading(value=False)
    return Reading(problem="calc_bad_flag", fills={"text": text})


def _choice(definition: Definition, one: BoundInput, text: str, version: int) -> Reading:
    if not text:
        return _blank(one)
    found = next((choice for choice in one.choices if choice.value == text.strip("\"'")), None)
    if found is None:
        return Reading(problem="calc_bad_choice", fills={"text": text, "choices": ", ".join(c.value for c in one.choices)})
    if version < found.since:
        return Reading(problem="calc_bad_since", fills={"text": found.value, "version": definition.versions[found.since]})
    if version > found.until:
        return Reading(problem="calc_bad_until", fills={"text": found.value, "version": definition.versions[found.until]})
    return Reading(value=found.value)
