"""From a configuration file or a launch script to the texts of the fields.

YAML, lines like `a.b=c`, and shell scripts with flags; references and shell variables are followed as far as the text holds
what they name. `overrides/assets/javascripts/calculate/paste.js` is the same in JavaScript.
"""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import yaml

from fieldguide.runtime.calculate.definition import Definition
from fieldguide.runtime.calculate.fields import read_devices
from fieldguide.runtime.calculate.grammar import Grammar
from fieldguide.runtime.dialect import lines_of, stripped


class SettingsError(ValueError):
    """The text cannot be taken: `problem` names the words that say why, `fills` what they need."""

    def __init__(self, problem: str, **fills: str | int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.fills = fills


# Scalars as they are written, read by libyaml where PyYAML has it.
_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


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


def read_settings(grammar: Grammar, text: str) -> dict[str, str]:
    """Dotted name → value as text, references followed.

    Raises:
        SettingsError: nothing, YAML and a script at once, or YAML that cannot be read.
    """
    if not stripped(text):
        raise SettingsError("calc_paste_empty")
    script = bool(grammar.search("scriptLine", text))
    lines = len(grammar.pattern("yamlLine").findall(text))
    if script and lines >= 2:  # keys in quotes are JSON of a script
        raise SettingsError("calc_paste_mixed")
    settings = _script(grammar, text) if script or not lines else _yaml(grammar, text)
    if not settings:
        raise SettingsError("calc_paste_nothing")
    return {name: _followed(grammar, value, settings) for name, value in settings.items()}


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


def _script(grammar: Grammar, text: str) -> dict[str, str]:
    variables: dict[str, str] = {}
    settings: dict[str, str] = {}
    for words in _commands(text):
        words = [_expanded(grammar, word, variables) for word in words]
        while words and (assigned := grammar.search("assigned", words[0])):
            variables[assigned[1]] = assigned[2]
            if len(words) == 1 and grammar.search("lowerCase", assigned[1]):
                settings[assigned[1]] = assigned[2]  # `rollout_batch_size=64` alone on a line is an override
            words = words[1:]
        settings |= dict(_flags(grammar, words))
    return settings


def _commands(text: str) -> Iterator[list[str]]:
    """Words of each line; a line that ends in a backslash or inside quotes goes on in the next."""
    pending = ""
    for line in lines_of(text.replace("\\\r\n", " ").replace("\\\n", " ")):
        pending = f"{pending}\n{line}" if pending else line
        try:
            words = shlex.split(pending.replace("=(", "= ( "), comments=True)
        except ValueError:
            continue  # inside quotes
        pending = ""
        if words and words[-1].count(")") > words[-1].count("("):
            words[-1] = words[-1].removesuffix(")")  # the end of an array
        if words:
            yield [word for word in words if word not in ("export", "(", ")")]


def _expanded(grammar: Grammar, word: str, variables: Mapping[str, str]) -> str:
    return grammar.pattern("variable").sub(lambda m: variables.get(m[1] or m[3], m[2] if m[2] is not None else m[0]), word)


def _flags(grammar: Grammar, words: list[str]) -> Iterator[tuple[str, str]]:
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else "--"
        if flag := grammar.search("flag", word):
            bare = following.startswith("--") or following in grammar.separators or grammar.search("array", following)
            yield flag[1].replace("-", "_"), flag[2] if flag[2] is not None else "true" if bare else following
        elif override := grammar.search("override", word):
            yield override[1], override[2]


def _followed(grammar: Grammar, value: str, settings: Mapping[str, str]) -> str:
    """`${a.b}` replaced by what the text says about a.b; what it does not say stays."""
    reference, limits = grammar.pattern("reference"), grammar.limits
    for _ in range(limits.depth):
        replaced = reference.sub(lambda m: settings.get(m[1], m[0]), value)
        if replaced == value or len(replaced) > limits.longest:
            break
        value = replaced
    return value


def guessed_framework(definitions: Mapping[str, Definition], settings: Mapping[str, str]) -> str | None:
    """The calculator that knows most of the names; None when none knows any."""
    known = {
        framework: sum(path in settings for one in definition.inputs for path in one.paths)
        for framework, definition in definitions.items()
    }
    best = max(known, key=lambda framework: known[framework])
    return best if known[best] else None


def to_fields(grammar: Grammar, definition: Definition, settings: Mapping[str, str]) -> Settings:
    """Texts for the fields of one calculator."""
    fields: dict[str, str] = {}
    used: set[str] = set()
    for one in definition.inputs:
        for path in one.paths:
            if path in settings:
                fields[one.name] = settings[path]
                used.add(path)
        for choice in one.choices:
            if choice.found and any(name == choice.found or name.startswith(choice.found + ".") for name in settings):
                fields[one.name] = choice.value
    fields |= _placement(grammar, definition, settings)
    others = [name for name in settings if name not in used]
    paths = sorted({path for one in definition.inputs for path in one.paths} - used)
    slips = {name: close for name in others if (close := _closest(name, paths))}
    return Settings(fields, slips, len(others) - len(slips))


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


def _closest(name: str, paths: list[str]) -> str | None:
    """The path whose last part is one or two slips of the pen away."""
    written = name.rpartition(".")[2]
    best: tuple[int, str] | None = None
    for path in paths:
        wanted = path.rpartition(".")[2]
        most = min(2, len(wanted) // 5)
        if abs(len(wanted) - len(written)) > most or wanted == written:
            continue
        distance = _distance(written, wanted)
        if distance <= most and (best is None or distance < best[0]):
            best = (distance, path)
    return best[1] if best else None


def _distance(a: str, b: str) -> int:
    """Edit distance."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]
