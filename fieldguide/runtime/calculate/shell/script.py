"""What a script would run: its commands with every word worked out, branch by branch, as far as the text itself says.

Run without arguments and with no variables from outside but those given. Where a condition is open, each branch is gone
through, and what they leave differently is open afterwards.
`overrides/assets/javascripts/calculate/shell/script.js` is the same in JavaScript.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fieldguide.runtime.calculate.shell.arithmetic import counted
from fieldguide.runtime.calculate.shell.pattern import matches
from fieldguide.runtime.calculate.shell.shapes import Shape, Word
from fieldguide.runtime.calculate.shell.words import LONGEST, SPACE, Expander, Scope, Value, is_open, plain, split

Truth = bool | None  # None: nobody knows without running it
Sources = Callable[[str], str | None]
Parser = Callable[[str], list[Shape]]

STEPS = 20_000  # statements run
ROUNDS = 64  # of a loop
DEPTH = 12  # functions, files and texts run one in the other
UNKNOWN = "${?}"

_LAUNCHER = re.compile(r"RANK|SLURM|SKYPILOT|KUBERNETES|WORLD_SIZE|NODE_ID|NODE_INDEX")
_WHOLE = re.compile(r"-?[0-9]{1,15}\Z")
_SHELLS = frozenset({"bash", "sh", "/bin/bash", "/bin/sh", "/usr/bin/bash"})
_QUIET = frozenset({"true", ":", "export", "set", "echo", "shopt", "ulimit", "printf", "sleep", "mkdir", "cd", "pushd", "popd"})


@dataclass
class Made:
    """What a script runs.

    Attributes:
        commands: the words of each.
        files: name → text, for what here-documents write.
        missing: files that it reads and that could not be read.
        variables: what is set at its end.
    """

    commands: list[list[str]]
    files: dict[str, str]
    missing: list[str]
    variables: dict[str, Value]


def run(text: str, parse: Parser, sources: Sources, given: Mapping[str, str]) -> Made:
    """Go through a script.

    Args:
        text: of the script.
        parse: makes statements of it.
        sources: text of a file that it reads, by the name that it uses; None when there is none.
        given: variables that are set from outside.
    """
    runner = _Runner(parse, sources)
    runner.scope.variables |= given
    runner.statements(parse(text))
    runner.made.variables = runner.scope.variables
    return runner.made


class _Runner:
    def __init__(self, parse: Parser, sources: Sources) -> None:
        self.parse = parse
        self.sources = sources
        self.made = Made([], {}, [], {})
        self.scope = Scope()
        self.functions: dict[str, list[Shape]] = {}
        self.steps = 0
        self.depth = 0

    # ---- Statements ---------------------------------------------------------------------------------------------------

    def statements(self, shapes: list[Shape]) -> Truth:
        """The outcome of the last one."""
        truth: Truth = True
        for shape in shapes:
            self.steps += 1
            if self.steps > STEPS:
                return None
            truth = self._statement(shape)
        return truth

    def _statement(self, shape: Shape) -> Truth:
        kind, *parts = shape
        if kind in ("and", "or"):
            return self._joined(kind, *parts)
        run: dict[str, Callable[..., Truth]] = {
            "simple": self._simple, "block": self.statements, "pipe": self._pipe, "test": self._test, "math": self._math,
            "not": self._not, "if": self._if, "function": self._define, "case": self._case, "for": self._for,
        }  # fmt: skip
        return run[kind](*parts) if kind in run else None  # `while` runs on what nobody knows

    def _pipe(self, shapes: list[Shape]) -> Truth:
        for one in shapes:
            self._statement(one)
        return None

    def _math(self, expression: Shape) -> Truth:
        value = counted(expression, self._expander(True).number)
        return None if value is None else value != 0

    def _not(self, shape: Shape) -> Truth:
        truth = self._statement(shape)
        return None if truth is None else not truth

    def _define(self, name: str, body: list[Shape]) -> Truth:
        self.functions[name] = body
        return True

    def _joined(self, kind: str, first: Shape, second: Shape) -> Truth:
        truth = self._statement(first)
        if truth is not None:
            return self._statement(second) if truth == (kind == "and") else truth
        self._either([lambda: self._statement(second), lambda: None])
        return None

    def _if(self, branches: list[Shape], otherwise: list[Shape]) -> Truth:
        """Branches up to one that is certain; where one before it is open, any of them may be run."""
        possible: list[Callable[[], object]] = []
        for tests, body in branches:
            truth = self.statements(tests)
            if truth is False:
                continue
            possible.append(lambda body=body: self.statements(body))  # type: ignore[misc]
            if truth:
                break
        else:
            possible.append(lambda: self.statements(otherwise))
        self._either(possible)
        return None if len(possible) > 1 else True

    def _case(self, word: Word, items: list[Shape]) -> Truth:
        text = self._expander(True).text(word)
        known = not is_open(text) and not self._asks(word)
        possible: list[Callable[[], object]] = []
        for patterns, body in items:
            found = [self._expander(True).text(pattern) for pattern in patterns]
            if known and not any(matches(one, text) for one in found):
                continue
            possible.append(lambda body=body: self.statements(body))  # type: ignore[misc]
            if known:
                break
        else:
            possible.append(lambda: None)
        self._either(possible)
        return None

    def _asks(self, word: Word) -> bool:
        """Whether a word is about the arguments of the script, which nobody knows."""
        return self.scope.arguments is None and any(
            part[0] == "param" and part[4] is None and not re.match(r"[A-Za-z_]", part[1]) for part in word
        )

    def _waits(self, word: Word) -> bool:
        """Whether a word is about what a cluster's launcher sets: which node this is, and of how many."""
        known = self.scope.variables
        return any(part[0] == "param" and _LAUNCHER.search(part[1]) and part[1] not in known for part in word)

    def _for(self, name: str, words: list[Word] | None, body: list[Shape]) -> Truth:
        if words is None:
            return None
        for item in self._expander().fields(words)[:ROUNDS]:
            self.scope.variables[name] = item
            self.statements(body)
        return None

    def _either(self, possible: list[Callable[[], object]]) -> None:
        """Go through each from here, and join what they leave."""
        if len(possible) == 1:
            possible[0]()
            return
        before = dict(self.scope.variables)
        left = []
        for one in possible:
            self.scope.variables = dict(before)
            one()
            left.append(self.scope.variables)
        self.scope.variables = left[0]
        for other in left[1:]:
            self.scope.variables = _merged(self.scope.variables, other)

    # ---- Conditions ---------------------------------------------------------------------------------------------------

    def _test(self, test: Shape) -> Truth:
        kind = test[0]
        if kind == "not":
            truth = self._test(test[1])
            return None if truth is None else not truth
        if kind in ("and", "or"):
            return _both(kind == "and", self._test(test[1]), self._test(test[2]))
        if kind not in ("unary", "binary") or any(self._asks(word) for word in test[2:]):
            return None
        if kind == "binary" and any(self._waits(word) for word in test[2:]):
            return None
        texts = [self._expander(True).text(word) for word in test[2:]]
        if any(is_open(text) for text in texts):
            return None
        return _compared(test[1], *texts) if kind == "binary" else {"-z": not texts[0], "-n": bool(texts[0])}.get(test[1])

    # ---- Commands -----------------------------------------------------------------------------------------------------

    def _expander(self, blank: bool = False) -> Expander:
        return Expander(self.scope, self._output, blank)

    def _simple(self, assigned: list[Shape], words: list[Word], redirects: list[Shape]) -> Truth:
        if not words:
            for one in assigned:
                self._assign(*one)
            return True
        made = self._expander().fields(words)
        self._documents(made, redirects)
        if not made:
            return None
        name = made[0]
        if name in self.functions and self.depth < DEPTH:
            return self._call(self.functions[name], made[1:])
        if name in ("source", ".") and len(made) > 1:
            return self._source(made[1])
        if name == "unset":
            for left in made[1:]:
                self.scope.variables.pop(left, None)
        inner = " ".join(made[1:]) if name == "eval" else _inner(made)
        if inner is not None:
            return self._text(inner)
        if name not in _QUIET:
            self.made.commands.append(made)
        return {"true": True, ":": True, "false": False, "export": True, "set": True, "echo": True}.get(name)

    def _assign(self, name: str, index: Word | None, append: bool, value: Word | Shape) -> None:
        expander, variables = self._expander(), self.scope.variables
        if index is not None:
            variables[f"{name}[{expander.text(index)}]"] = expander.text(value)  # type: ignore[arg-type]
            return
        before = variables.get(name)
        if isinstance(value, tuple):
            items = expander.fields(value[1])
            earlier = before if isinstance(before, list) else [before] if before else []
            variables[name] = ([*earlier, *items] if append else items)[:LONGEST]
        elif append and isinstance(before, list):
            variables[name] = [(before[0] if before else "") + expander.text(value), *before[1:]]
        else:
            variables[name] = ((str(before or "") if append else "") + expander.text(value))[:LONGEST]

    def _documents(self, made: list[str], redirects: list[Shape]) -> None:
        """Files that here-documents write, and variables that `read` gets from them."""
        text = next((self._here(one) for one in redirects if one[0] == "here"), None)
        if text is None or not made:
            return
        targets = [self._expander().text(one[1]) for one in redirects if one[0] == "to"]
        if made[0] == "tee":
            targets += [one for one in made[1:] if not one.startswith("-")]
        if made[0] in ("cat", "tee"):
            for target in targets:
                self.made.files[target] = text
        elif made[0] == "read" and made[-1][:1] != "-":
            self.scope.variables[made[-1]] = text.strip(SPACE)

    def _here(self, redirect: Shape) -> str:
        """The text of a here-document; behind `<<-` no line begins with tabs."""
        text = self._expander().text(redirect[1])
        return re.sub(r"(?m)^\t+", "", text) if redirect[2] else text

    def _call(self, body: list[Shape], arguments: list[str]) -> Truth:
        before, self.scope.arguments = self.scope.arguments, arguments
        self.depth += 1
        truth = self.statements(body)
        self.depth -= 1
        self.scope.arguments = before
        return truth

    def _source(self, name: str) -> Truth:
        text = self.sources(name) if self.depth < DEPTH else None
        if text is None:
            if plain(name) not in self.made.missing:
                self.made.missing.append(plain(name))
            return None
        self._text(text)
        return True

    def _text(self, text: str) -> Truth:
        if self.depth >= DEPTH:
            return None
        self.depth += 1
        truth = self.statements(self.parse(text))
        self.depth -= 1
        return truth

    def _output(self, shapes: list[Shape]) -> str | None:
        """What a command prints, where its words say it: `echo`, and `cat` of a here-document."""
        if len(shapes) != 1 or shapes[0][0] != "simple":
            return None
        _, assigned, words, redirects = shapes[0]
        here = [one for one in redirects if one[0] == "here"]
        made = self._expander().fields(words)
        if made == ["cat"] and len(here) == 1:
            return self._here(here[0]).rstrip("\n")
        if assigned or not made or made[0] != "echo" or redirects:
            return None
        said = " ".join(one for at, one in enumerate(made[1:]) if at or one not in ("-n", "-e"))
        return None if is_open(said) else said


def _inner(made: list[str]) -> str | None:
    """The script of `bash -c '…'`, wherever it stands in a command."""
    for at, word in enumerate(made[:-2]):
        if word in _SHELLS and re.match(r"-[a-z]*c\Z", made[at + 1]):
            return made[at + 2]
    return None


def _both(all_of: bool, a: Truth, b: Truth) -> Truth:
    if a is (not all_of) or b is (not all_of):
        return not all_of
    return None if a is None or b is None else all_of


def _compared(operator: str, a: str, b: str) -> Truth:
    if operator in ("=", "==", "!="):
        return matches(b, a) == (operator != "!=")
    if not _WHOLE.match(a) or not _WHOLE.match(b):
        return None
    order = (int(a) > int(b)) - (int(a) < int(b))
    return {
        "-eq": order == 0, "-ne": order != 0, "-lt": order < 0, "-le": order <= 0, "-gt": order > 0, "-ge": order >= 0,
    }.get(operator)  # fmt: skip


def _merged(a: dict[str, Value], b: dict[str, Value]) -> dict[str, Value]:
    """What two branches leave: the same where they agree, and open where they do not."""
    return {name: _either_of(name, a.get(name), b.get(name)) for name in dict.fromkeys([*a, *b])}


def _either_of(name: str, one: Value | None, other: Value | None) -> Value:
    if one == other and one is not None:
        return one
    words = [split(value) if isinstance(value, str) else value or [] for value in (one, other)]
    if all(len(each) < 2 and not isinstance(value, list) for each, value in zip(words, (one, other), strict=True)):
        return f"${name}"
    shared = 0
    while shared < min(map(len, words)) and words[0][shared] == words[1][shared]:
        shared += 1
    rest = dict.fromkeys(left for each in words for word in each[shared:] if (left := _left_open(word)))
    made = [*words[0][:shared], *rest]
    if isinstance(one, list) or isinstance(other, list):
        return made
    return " ".join(made) if rest else f"${name}"


def _left_open(word: str) -> str | None:
    """A setting with its value open; None for a word that sets nothing by itself."""
    name, equals, _ = word.partition("=")
    return f"{name}={UNKNOWN}" if equals or name.startswith("--") else None
