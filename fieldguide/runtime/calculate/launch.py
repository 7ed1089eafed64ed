"""From the commands of a launch script to what each of them sets.

`overrides/assets/javascripts/calculate/launch.js` is the same in JavaScript.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fieldguide.runtime.calculate.grammar import Grammar
from fieldguide.runtime.calculate.shell.script import Made
from fieldguide.runtime.calculate.shell.words import Value, plain, split

Sources = Callable[[str], str | None]
ReadYaml = Callable[[str], dict[str, str]]


@dataclass(frozen=True)
class Run:
    """What one command, or a configuration without one, sets.

    Attributes:
        program: the module or script that is started; None when nothing says so.
        settings: dotted name → value as text.
        missing: configuration files that the command names and that could not be read.
        is_partial: whether it is a configuration file alone, which a command line may complete.
    """

    program: str | None
    settings: Mapping[str, str]
    missing: tuple[str, ...] = ()
    is_partial: bool = False


def runs_of(grammar: Grammar, made: Made, sources: Sources, read_yaml: ReadYaml, base: Mapping[str, str]) -> list[Run]:
    """One for each command that sets something, and one for settings that stand alone on their lines, if there is no other.

    Args:
        grammar: how settings are written.
        made: what the script runs.
        sources: text of a file by the name that the script uses.
        read_yaml: settings of a YAML text.
        base: settings of a configuration that was pasted with the script.
    """
    found: list[Run] = []
    loose: dict[str, str] = {}
    started = any(_program(words) for words in made.commands)
    for words in made.commands:
        program = _program(words)
        if program is None and _is_setting(grammar, words[0]):
            loose |= {} if started else dict(flags(grammar, words))
        elif program or _sets(grammar, words):
            found.append(_run(grammar, made, sources, read_yaml, base, program, words))
    written = {} if found else dict(_assigned(grammar, made.variables))
    if loose or (written and not found):
        found.append(Run(None, {**base, **written, **loose}))
    if not any(one.program for one in found):
        found += [Run(None, {**base, **read}) for read in _documents(made, read_yaml)]
        if base and not found:
            found.append(Run(None, base))
    return found


def stray(grammar: Grammar, made: Made) -> str | None:
    """Settings that are a command of their own beside one that starts a program: the line before lacks its backslash."""
    if not any(_program(words) for words in made.commands):
        return None
    return next((words[0] for words in made.commands if _is_setting(grammar, words[0]) and _program(words) is None), None)


def _run(
    grammar: Grammar,
    made: Made,
    sources: Sources,
    read_yaml: ReadYaml,
    base: Mapping[str, str],
    program: str | None,
    words: list[str],
) -> Run:
    own = dict(flags(grammar, words))
    settings, missing = dict(base), []
    for names, is_needed in _configs(grammar, own):
        text = next((text for name in names if (text := _file(made, sources, name)) is not None), None)
        if text is not None:
            settings |= read_yaml(text)
        elif is_needed and not base:
            missing.append(plain(names[0]))
    return Run(program, settings | own, tuple(missing))


def _file(made: Made, sources: Sources, name: str) -> str | None:
    """What the script itself wrote under that name, else the file."""
    if name in made.files:
        return made.files[name]
    last = name.rpartition("/")[2]
    same = [text for other, text in made.files.items() if other.rpartition("/")[2] == last]
    return same[0] if len(same) == 1 else sources(name)


def _documents(made: Made, read_yaml: ReadYaml) -> Iterator[dict[str, str]]:
    for text in made.files.values():
        read = read_yaml(text)
        if read:
            yield read


def _configs(grammar: Grammar, settings: Mapping[str, str]) -> Iterator[tuple[list[str], bool]]:
    """Names of each configuration file that a command asks for, and whether its absence leaves settings open.

    Hydra looks a name up in the program's own folder where no path is given or the path is relative.
    """
    for flag in grammar.config_files:
        name = settings.get(flag, "")
        if name.endswith((".yaml", ".yml")):
            yield [name], True
    for path_flag, name_flag, own in grammar.config_names:
        name = settings.get(name_flag, "")
        if name:
            path = settings.get(path_flag, "")
            file = name if name.endswith((".yaml", ".yml")) else f"{name}.yaml"
            inside = own and not path.startswith(("/", "$"))
            yield [f"{path}/{file}" if path else file, file], not inside


def _program(words: Sequence[str]) -> str | None:
    """The module behind `-m`, or the first script of Python."""
    for at, word in enumerate(words):
        if word == "-m" and at and at + 1 < len(words):
            return words[at + 1]
        if word.endswith(".py"):
            return word
    return None


def _is_setting(grammar: Grammar, word: str) -> bool:
    return bool(grammar.search("flag", word) or grammar.search("override", word))


def _sets(grammar: Grammar, words: Iterable[str]) -> bool:
    return any(_is_setting(grammar, word) for word in words)


def _assigned(grammar: Grammar, variables: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    """Where nothing is started, `rollout_batch_size=64` alone on a line is an override, and variables hold settings."""
    for name, value in variables.items():
        yield from flags(grammar, split(value) if isinstance(value, str) else value)
        if isinstance(value, str) and grammar.search("lowerCase", name):
            yield name, plain(value)


def flags(grammar: Grammar, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Flags and overrides among the words of a command."""
    words = [plain(word) for word in words]
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else "--"
        if flag := grammar.search("flag", word):
            bare = following.startswith("--") or following in grammar.separators
            yield flag[1].replace("-", "_"), flag[2] if flag[2] is not None else "true" if bare else following
        elif override := grammar.search("override", word):
            yield override[1], override[2]
