"""From a configuration file or a launch script to the texts of the fields.

YAML, lines like `a.b=c`, and shell scripts; references are followed as far as the text holds what they name.
`overrides/assets/javascripts/calculate/settings.js` is the same in JavaScript.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import yaml

from fieldguide.runtime.calculate.definition import BoundInput, Definition
from fieldguide.runtime.calculate.fields import read_devices
from fieldguide.runtime.calculate.grammar import Grammar
from fieldguide.runtime.calculate.launch import Run, Sources, flags, runs_of, stray
from fieldguide.runtime.calculate.shell.pattern import matches
from fieldguide.runtime.calculate.shell.words import is_open
from fieldguide.runtime.calculate.slips import closest
from fieldguide.runtime.dialect import lines_of, stripped


class SettingsError(ValueError):
    """The text cannot be taken: `problem` names the words that say why, `fills` what they need."""

    def __init__(self, problem: str, **fills: str | int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.fills = fills


# Scalars as they are written, read by libyaml where PyYAML has it.
_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


ANY = "*"  # among the programs that rules are about: every one that is not among the others


@dataclass(frozen=True)
class Pasted:
    """A text that was read.

    Attributes:
        runs: what its commands set, or the one that it is itself.
        missing: files that a script reads and that could not be read.
        stray: the first of settings that a script passes to nothing.
    """

    runs: tuple[Run, ...]
    missing: tuple[str, ...] = ()
    stray: str | None = None


@dataclass(frozen=True)
class Settings:
    """What was found.

    Attributes:
        fields: input → text for its field.
        slips: name that no key has → the key that was probably meant.
        others: how many settings have no bearing on the numbers.
    """

    fields: Mapping[str, str]
    slips: Mapping[str, str]
    others: int


_NOTHING: Mapping[str, str] = {}


def _none(_: str) -> None:
    return None


def read_text(grammar: Grammar, text: str, sources: Sources = _none, given: Mapping[str, str] = _NOTHING) -> Pasted:
    """What a text sets, references followed.

    Args:
        grammar: how settings are written.
        text: YAML, override lines, a launch script, or YAML and a script one below the other.
        sources: text of a file that a script names; None when it cannot be read.
        given: variables of a script that are set from outside.

    Raises:
        SettingsError: nothing in it, or YAML that cannot be read.
    """
    if not stripped(text):
        raise SettingsError("calc_paste_empty")
    if grammar.search("yamlLine", text) and (read_yaml := _document(grammar, text)):
        inside = [_script(grammar, one, sources, given) for one in _scripts(grammar, read_yaml)]
        runs = (Run(None, read_yaml, is_partial=True), *(run for one in inside for run in one.runs))
        read = Pasted(runs, tuple(name for one in inside for name in one.missing))
    elif grammar.search("scriptLine", text):
        read = _script(grammar, text, sources, given)
    elif grammar.search("yamlLine", text):
        read = Pasted((Run(None, _yaml(grammar, text), is_partial=True),))
    else:
        read = Pasted((Run(None, _lines(grammar, text)),))
    if not any(one.settings for one in read.runs):
        raise SettingsError("calc_paste_nothing")
    return replace(read, runs=tuple(replace(one, settings=_all_followed(grammar, one.settings)) for one in read.runs))


# ---- YAML -------------------------------------------------------------------------------------------------------------


def _yaml(grammar: Grammar, text: str) -> dict[str, str]:
    """Every scalar as it is written: no schema, so that Python and JavaScript read the same."""
    try:
        data = yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise SettingsError("calc_paste_yaml", line=mark.line + 1 if mark else 1) from error
    if not isinstance(data, dict):
        raise SettingsError("calc_paste_nothing")
    most = grammar.limits.most
    settings = list(
        islice(_flat("", data, grammar.limits.nested), most + 1)
    )  # what merges say again and again counts each time
    if len(settings) > most:
        raise SettingsError("calc_paste_large", most=most)
    return dict(settings)


def _flat(prefix: str, value: object, depth: int) -> Iterator[tuple[str, str]]:
    """Dotted names and values, `depth` levels down."""
    if depth < 0:
        return
    if isinstance(value, dict):
        merged = value.get("<<")
        for part in merged if isinstance(merged, list) else [merged]:
            yield from _flat(prefix, part, depth - 1) if isinstance(part, dict) else ()
        for key, inner in value.items():
            if key != "<<":
                yield from _flat(f"{prefix}.{key}" if prefix else str(key), inner, depth - 1)
    elif isinstance(value, list):
        yield prefix, "[" + ", ".join(item if isinstance(item, str) else "…" for item in value) + "]"
    else:
        yield prefix, str(value)


def _scripts(grammar: Grammar, settings: Mapping[str, str]) -> Iterator[str]:
    """Scripts that stand in a YAML as texts of several lines, such as `run` of a cluster's task."""
    return (one for one in settings.values() if "\n" in one and grammar.search("scriptLine", one))


def _document(grammar: Grammar, text: str) -> dict[str, str]:
    """The settings of a YAML file that a script names or writes; none where it is no such file."""
    try:
        return _yaml(grammar, text)
    except SettingsError:
        return {}


# ---- Scripts ----------------------------------------------------------------------------------------------------------


def _script(grammar: Grammar, text: str, sources: Sources, given: Mapping[str, str]) -> Pasted:
    from fieldguide.runtime.calculate.shell.script import run
    from fieldguide.runtime.calculate.shell.tree import parse

    base, script = _divided(grammar, text)
    try:
        made = run(script, parse, sources, given)
    except RecursionError as error:  # parentheses without end; what people run is hardly nested
        raise SettingsError("calc_paste_nothing") from error
    found = runs_of(grammar, made, sources, lambda one: _document(grammar, one), base)
    return Pasted(tuple(found), tuple(made.missing), stray(grammar, made))


def _divided(grammar: Grammar, text: str) -> tuple[dict[str, str], str]:
    """Settings of YAML that stands before or behind a script, and the script."""
    lines = text.split("\n")
    starts = [at for at, line in enumerate(lines) if grammar.search("scriptLine", line)]
    if not starts:
        return {}, text
    below = _start(grammar, lines, starts[-1] + 1)
    for part, rest in ((lines[: starts[0]], lines[starts[0] :]), (lines[below:], lines[:below])):
        yaml_text = "\n".join(part)
        if len(grammar.pattern("yamlLine").findall(yaml_text)) >= 2 and (read := _document(grammar, yaml_text)):
            return read, "\n".join(rest)
    return {}, text


def _start(grammar: Grammar, lines: Sequence[str], first: int) -> int:
    """Where YAML may begin behind a script: at a line that is not indented."""
    found = (
        at for at in range(first, len(lines)) if lines[at][:1] not in ("", " ", "\t") and grammar.search("yamlLine", lines[at])
    )
    return next(found, len(lines))


def _lines(grammar: Grammar, text: str) -> dict[str, str]:
    """Override lines and flags, each as a shell would split it but for its parentheses."""
    settings: dict[str, str] = {}
    pending = ""
    for line in lines_of(text.replace("\\\r\n", " ").replace("\\\n", " ")):
        pending = f"{pending}\n{line}" if pending else line
        try:
            words = shlex.split(pending, comments=True)
        except ValueError:
            continue  # inside quotes
        pending = ""
        settings |= dict(flags(grammar, words))
    return settings


def _all_followed(grammar: Grammar, settings: Mapping[str, str]) -> dict[str, str]:
    return {name: _followed(grammar, value, settings) for name, value in settings.items()}


def _followed(grammar: Grammar, value: str, settings: Mapping[str, str]) -> str:
    """`${a.b}` replaced by what the text says about a.b; what it does not say stays."""
    reference, limits = grammar.pattern("reference"), grammar.limits
    for _ in range(limits.depth):
        replaced = reference.sub(lambda m: settings.get(m[1], m[0]), value)
        if replaced == value or len(replaced) > limits.longest:
            break
        value = replaced
    return value


# ---- Fields -----------------------------------------------------------------------------------------------------------


def chosen(definitions: Mapping[str, Definition], pasted: Pasted) -> tuple[str | None, Run]:
    """The command that sets most of the names that a calculator knows, and that calculator; None when none knows any."""
    best: tuple[int, str | None, Run] = (0, None, pasted.runs[0])
    for run in pasted.runs:
        for framework, definition in definitions.items():
            known = sum(path in run.settings for one in definition.inputs for path in one.paths)
            known += 2 * _is_foreign(definition, run.settings) + _is_started(definition, run.program)
            if known > best[0]:
                best = (known, framework, run)
    return best[1], best[2]


def is_below(name: str, place: str) -> bool:
    """Whether a dotted name is that place, or stands below it."""
    return name == place or name.startswith(f"{place}.")


def _is_started(definition: Definition, program: str | None) -> bool:
    """Whether a program is one of the framework's."""
    return program is not None and _is_one(program, (*definition.programs, *definition.others))


def _is_foreign(definition: Definition, settings: Mapping[str, str]) -> bool:
    """Whether a configuration is that of another program of the framework."""
    return any(matches(one, name) or is_below(name, one) for one in definition.unless for name in settings)


def is_about(definition: Definition, program: str | None, settings: Mapping[str, str], is_said: bool = False) -> bool:
    """Whether the rules of a calculator are about what is started; so they are where nothing says what it is.

    Args:
        definition: the calculator.
        program: what is started.
        settings: what is set.
        is_said: whether somebody said that it is this framework's.
    """
    if _is_foreign(definition, settings):
        return False
    if program is None or is_open(program) or _is_one(program, definition.programs):
        return True
    return (is_said or ANY in definition.programs) and not _is_one(program, definition.others)


def _is_one(program: str, patterns: Sequence[str]) -> bool:
    return any(matches(one, program) for one in patterns if one != ANY)


def to_fields(grammar: Grammar, definition: Definition, settings: Mapping[str, str]) -> Settings:
    """Texts for the fields of one calculator."""
    fields: dict[str, str] = {}
    used: set[str] = set()
    for one in definition.inputs:
        if (told := _told(one, settings)) is not None:
            fields[one.name] = told
        for path in one.paths:
            if path in settings:
                fields[one.name] = settings[path]
                used.add(path)
    fields |= _placement(grammar, definition, settings)
    others = [name for name in settings if name not in used]
    paths = sorted({path for one in definition.inputs for path in one.paths} - used)
    slips = {name: close for name in others if (close := closest(name, paths))}
    return Settings(fields, slips, len(others) - len(slips))


def _told(one: BoundInput, settings: Mapping[str, str]) -> str | None:
    """The choice that other settings tell: by a value, `name=value`, or by the beginning of their names."""
    for choice in one.choices:
        for found in choice.found:
            name, equals, value = found.partition("=")
            if equals and settings.get(name) == value:
                return choice.value
    for choice in one.choices:
        for found in choice.found:
            if "=" not in found and any(is_below(name, found) for name in settings):
                return choice.value
    return None


def _placement(grammar: Grammar, definition: Definition, settings: Mapping[str, str]) -> dict[str, str]:
    """Whether training and generation share GPUs, as far as the settings say."""
    stated = definition.placement
    if stated is None:
        return {}
    if stated.listed and stated.listed in settings:
        return {"placement": "colocate" if str(stated.model) in settings[stated.listed] else "separate"}
    train, infer = (read_devices(grammar, settings.get(name or "", "")) for name in (stated.train, stated.infer))
    if train and infer:
        return {"placement": "colocate" if set(train) & set(infer) else "separate"}
    return {}
