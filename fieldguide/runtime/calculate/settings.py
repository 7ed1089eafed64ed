"""From a configuration file or a launch script to the texts of the fields.

YAML, lines like `a.b=c`, and shell scripts with flags; references and shell variables are followed as far as the text holds
what they name. `overrides/assets/javascripts/calculate/paste.js` is the same in JavaScript.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import yaml

from fieldguide.content.definition import Definition
from fieldguide.runtime.calculate.fields import read_devices

_YAML_LINE = re.compile(r"^[^\S\n]*(?:- )?[A-Za-z_][\w.-]*:(?:\s|$)", re.M)
_SCRIPT_LINE = re.compile(
    r"^\s*(?:#!|--[A-Za-z][\w-]|export\s+\w|set -|source\s|(?:python3?|ray|bash|torchrun)\s|[A-Za-z_]\w*=\()", re.M
)
_OVERRIDE = re.compile(r"^\+{0,2}([A-Za-z_][\w]*(?:\.[\w]+)+|[a-z]\w*)=(.*)$", re.S)
_ASSIGNED = re.compile(r"^(?:export\s+)?([A-Za-z_]\w*)=(.*)$", re.S)
_FLAG = re.compile(r"^--([A-Za-z][\w-]*)(?:=(.*))?$", re.S)
_VARIABLE = re.compile(r"\$\{(\w+)(?::?-([^}]*))?\}|\$(\w+)")
_REFERENCE = re.compile(r"\$\{([\w.]+)\}")
_ARRAY = re.compile(r"^\$\{\w+\[[@*]\]\}$")
# References are followed this far, and nesting and the number of settings end here: a few lines of YAML can hold millions.
DEPTH = 10
NESTED = 40
MOST = 20_000
LONGEST = 10_000


class PasteError(ValueError):
    """The text cannot be taken: `problem` names the words that say why, `fills` what they need."""

    def __init__(self, problem: str, **fills: str | int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.fills = fills


@dataclass(frozen=True)
class Pasted:
    """What was found.

    Attributes:
        fields: input → text for its field.
        slips: name that no key has → the key that was probably meant.
        others: how many settings have no bearing on the numbers.
    """

    fields: Mapping[str, str]
    slips: Mapping[str, str]
    others: int


def read_paste(text: str) -> dict[str, str]:
    """Dotted name → value as text, references followed.

    Raises:
        PasteError: nothing, YAML and a script at once, or YAML that cannot be read.
    """
    if not text.strip():
        raise PasteError("calc_paste_empty")
    script = bool(_SCRIPT_LINE.search(text))
    if script and _mixed(text):
        raise PasteError("calc_paste_mixed")
    settings = _script(text) if script or not _YAML_LINE.search(text) else _yaml(text)
    if not settings:
        raise PasteError("calc_paste_nothing")
    return {name: _followed(value, settings) for name, value in settings.items()}


def _mixed(text: str) -> bool:
    """Lines of YAML beside those of a script; keys in quotes are JSON of a script."""
    return len(_YAML_LINE.findall(text)) >= 2


def _yaml(text: str) -> dict[str, str]:
    """Every scalar as it is written: no schema, so that Python and JavaScript read the same."""
    try:
        data = yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise PasteError("calc_paste_yaml", line=mark.line + 1 if mark else 1) from error
    if not isinstance(data, dict):
        raise PasteError("calc_paste_nothing")
    settings = list(islice(_flat("", data, 0), MOST + 1))  # what merges say again and again counts each time
    if len(settings) > MOST:
        raise PasteError("calc_paste_large", most=MOST)
    return dict(settings)


def _flat(prefix: str, value: object, depth: int) -> Iterator[tuple[str, str]]:
    if depth > NESTED:
        return
    if isinstance(value, dict):
        merged = value.get("<<")
        for part in merged if isinstance(merged, list) else [merged]:
            yield from _flat(prefix, part, depth + 1) if isinstance(part, dict) else ()
        for key, inner in value.items():
            if key != "<<":
                yield from _flat(f"{prefix}.{key}" if prefix else str(key), inner, depth + 1)
    elif isinstance(value, list):
        yield prefix, "[" + ", ".join(item if isinstance(item, str) else "…" for item in value) + "]"
    else:
        yield prefix, str(value)


def _script(text: str) -> dict[str, str]:
    variables: dict[str, str] = {}
    settings: dict[str, str] = {}
    for words in _commands(text):
        words = [_expanded(word, variables) for word in words]
        while words and (assigned := _ASSIGNED.match(words[0])) and "." not in words[0].partition("=")[0]:
            variables[assigned[1]] = assigned[2]
            if len(words) == 1 and re.match(r"^[a-z]", assigned[1]):
                settings[assigned[1]] = assigned[2]  # `rollout_batch_size=64` alone on a line is an override
            words = words[1:]
        settings |= dict(_flags(words))
    return settings


def _commands(text: str) -> Iterator[list[str]]:
    """Words of each line; a line that ends in a backslash or inside quotes goes on in the next."""
    pending = ""
    for line in text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines():
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


def _expanded(word: str, variables: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda m: variables.get(m[1] or m[3], m[2] if m[2] is not None else m[0]), word)


def _flags(words: list[str]) -> Iterator[tuple[str, str]]:
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else "--"
        if flag := _FLAG.match(word):
            bare = following.startswith("--") or bool(_ARRAY.match(following)) or following in ("&&", "||", "|", ";", "&")
            yield flag[1].replace("-", "_"), flag[2] if flag[2] is not None else "true" if bare else following
        elif override := _OVERRIDE.match(word):
            yield override[1], override[2]


def _followed(value: str, settings: Mapping[str, str]) -> str:
    """`${a.b}` replaced by what the text says about a.b; what it does not say stays."""
    for _ in range(DEPTH):
        replaced = _REFERENCE.sub(lambda m: settings.get(m[1], m[0]), value)
        if replaced == value or len(replaced) > LONGEST:
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


def to_fields(definition: Definition, settings: Mapping[str, str]) -> Pasted:
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
    fields |= _placement(definition, settings)
    others = [name for name in settings if name not in used]
    paths = sorted({path for one in definition.inputs for path in one.paths} - used)
    slips = {name: close for name in others if (close := _closest(name, paths))}
    return Pasted(fields, slips, len(others) - len(slips))


def _placement(definition: Definition, settings: Mapping[str, str]) -> dict[str, str]:
    """Whether training and generation share GPUs: ROLL says it by GPU numbers, ChatLearn by a list of models."""
    if not any(one.name == "placement" for one in definition.inputs):
        return {}
    if "runtime_args.colocation" in settings:
        shared = "policy_trainer" in settings["runtime_args.colocation"]
        return {"placement": "colocate" if shared else "separate"}
    train, infer = (read_devices(settings.get(f"{role}.device_mapping", "")) for role in ("actor_train", "actor_infer"))
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
