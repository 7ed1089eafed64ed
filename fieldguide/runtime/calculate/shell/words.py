"""Words as Bash makes them: variables, defaults, arithmetic and arrays, split at spaces where nothing quotes them.

What nobody can say without running the script stays as it is written, so that a reader sees what is open: `$1`, `$(nproc)`.
`overrides/assets/javascripts/calculate/shell/words.js` is the same in JavaScript.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from fieldguide.runtime.calculate.shell.arithmetic import counted
from fieldguide.runtime.calculate.shell.pattern import removed, replaced
from fieldguide.runtime.calculate.shell.shapes import Shape, Word

Value = str | list[str]

_OPEN = re.compile(r"\$[A-Za-z0-9_{(@*#?]|`")
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,15})\Z")
_DIGITS = re.compile(r"[0-9]+\Z")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
SPACE = " \t\n"
LONGEST = 100_000  # characters of a value; a loop can double one again and again


def is_open(text: str) -> bool:
    """Whether something in a value is not known."""
    return bool(_OPEN.search(text))


@dataclass
class Scope:
    """What a script knows at one of its places.

    Attributes:
        variables: name, or name[key], → text, or the items of an array.
        arguments: those of a function that runs; None in the script itself, whose own nobody knows.
    """

    variables: dict[str, Value] = field(default_factory=dict)
    arguments: list[str] | None = None


def split(text: str) -> list[str]:
    """A text at spaces, tabs and ends of lines."""
    return [one for one in re.split(f"[{SPACE}]+", text) if one]


def _kept(source: str) -> str:
    """What is open, in one piece: no space of it ever ends a word."""
    return re.sub(f"[{SPACE}]+", "\u00a0", source)


def plain(text: str) -> str:
    """A text that nothing splits any more, with the spaces of what is open in it."""
    return text.replace("\u00a0", " ")


class _Fields:
    """Words in the making: `None` until something stands there."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.current: str | None = None

    def add(self, text: str) -> None:
        self.current = (self.current or "") + text

    def end(self) -> None:
        if self.current is not None:
            self.made.append(self.current)
        self.current = None

    def add_split(self, text: str) -> None:
        if text[:1] and text[0] in SPACE:
            self.end()
        for at, piece in enumerate(split(text)):
            if at:
                self.end()
            self.add(piece)
        if text[:1] and text[-1] in SPACE:
            self.end()

    def add_items(self, items: Iterable[str], quoted: bool) -> None:
        for at, item in enumerate(items):
            if at:
                self.end()
            if quoted:
                self.add(item)
            else:
                self.add_split(item)


class Expander:
    """Makes words of their shapes.

    Args:
        scope: what is known; `${X:=1}` writes into it.
        run: the output of a command that can be said without running it, else None.
        blank: whether a variable that nobody sets is empty, as in a condition, and not open.
    """

    def __init__(self, scope: Scope, run: Callable[[list[Shape]], str | None], blank: bool = False) -> None:
        self.scope = scope
        self.run = run
        self.blank = blank

    def fields(self, words: Iterable[Word]) -> list[str]:
        """Words with what is not quoted split at spaces."""
        made = _Fields()
        for word in words:
            for part in word:
                self._add(made, part)
            made.end()
        return made.made

    def text(self, word: Word) -> str:
        """One word that nothing splits: a value, a condition, a text in a here-document."""
        texts = []
        for part in word:
            found = self._part(part)
            texts.append(found if isinstance(found, str) else " ".join(found))
        return "".join(texts)[:LONGEST]

    def number(self, word: Word) -> int | None:
        """What a word stands for in arithmetic."""
        text = self.text(word).strip(SPACE)
        if _NAME.match(text):
            value = self.scope.variables.get(text)
            text = value if isinstance(value, str) else "0" if self.blank and value is None else ""
        return int(text) if _WHOLE.match(text) else None

    def _add(self, made: _Fields, part: Shape) -> None:
        quoted = part[-1] if part[0] in ("text", "open") else part[-2]
        found = self._part(part)
        if not isinstance(found, str):
            if found or not quoted:
                made.add_items(found, quoted)
        elif quoted or part[0] in ("text", "open"):
            made.add(found)
        else:
            made.add_split(found)

    def _part(self, part: Shape) -> Value:
        kind = part[0]
        if kind == "text":
            return str(part[1])
        if kind == "open":
            return _kept(part[1])
        if kind == "math":
            value = counted(part[1], self.number)
            return _kept(part[3]) if value is None else str(value)
        if kind == "run":
            output = self.run(part[1])
            return _kept(part[3]) if output is None else output
        _, name, index, prefix, operator, words, quoted, source = part
        found = self._param(name, index, prefix, operator, words, _kept(source))
        is_one = quoted and (name == "*" or index == [("text", "*", False)])
        return " ".join(found) if is_one and not isinstance(found, str) else found

    def _param(self, name: str, index: Word | None, prefix: str, operator: str | None, words: list[Word], source: str) -> Value:
        value = self._value(name, index)
        if prefix == "#" and operator is None:
            return source if value is None or (isinstance(value, str) and is_open(value)) else str(len(value))
        if prefix:
            return source
        if operator is None:
            return self._plain(name, index, value, source)
        if operator.lstrip(":") in ("-", "=", "+", "?"):
            return self._default(name, value, operator, words, source)
        if value is None or (isinstance(value, str) and is_open(value)):
            return source
        return self._changed(value, operator, words, source)

    def _plain(self, name: str, index: Word | None, value: Value | None, source: str) -> Value:
        if value is not None:
            return value
        if name in ("@", "*") or index == [("text", "@", False)] or index == [("text", "*", False)]:
            return []
        return "" if self.blank and _NAME.match(name) else source

    def _value(self, name: str, index: Word | None) -> Value | None:
        """None when it is not set."""
        if name in ("@", "*"):
            return None if self.scope.arguments is None else list(self.scope.arguments)
        if name == "#":
            return None if self.scope.arguments is None else str(len(self.scope.arguments))
        if _DIGITS.match(name):
            given = self.scope.arguments
            if given is None or name == "0":
                return None
            return given[int(name) - 1] if int(name) <= len(given) else ""
        found = self.scope.variables.get(name)
        if index is None:
            return (found[0] if found else "") if isinstance(found, list) else found
        return self._item(name, found, self.text(index))

    def _item(self, name: str, found: Value | None, key: str) -> Value | None:
        if key in ("@", "*"):
            return [found] if isinstance(found, str) else found
        if f"{name}[{key}]" in self.scope.variables:
            return self.scope.variables[f"{name}[{key}]"]
        at = self.number([("text", key, True)])
        if found is None or at is None:
            return None
        items = found if isinstance(found, list) else [found]
        return items[at] if -len(items) <= at < len(items) else ""

    def _default(self, name: str, value: Value | None, operator: str, words: list[Word], source: str) -> Value:
        has = value is not None and (not operator.startswith(":") or len(value) > 0)
        kind = operator[-1]
        if kind == "+":
            return self._operand(words) if has else ""
        if has:
            return value if value is not None else ""
        if kind == "?":
            return source
        made = self._operand(words)
        if kind == "=" and isinstance(made, str):
            self.scope.variables[name] = made
        return made

    def _operand(self, words: list[Word]) -> Value:
        """The word behind an operator; one that is an array stays one."""
        if len(words) == 1 and len(words[0]) == 1:
            return self._part(words[0][0])
        return self.text(words[0]) if words else ""

    def _changed(self, value: Value, operator: str, words: list[Word], source: str) -> Value:
        operands = [self.text(word) for word in words]
        if any(is_open(one) for one in operands):
            return source
        if operator == ":":
            return self._slice(value, operands, source)
        texts = [self._edited(one, operator, operands) for one in ([value] if isinstance(value, str) else value)]
        known = [one for one in texts if one is not None]
        if len(known) < len(texts):
            return source
        return known[0] if isinstance(value, str) else known

    def _edited(self, text: str, operator: str, operands: list[str]) -> str | None:
        if operator in ("#", "##", "%", "%%"):
            return removed(operator, operands[0] if operands else "", text)
        if operator in ("/", "//"):
            return replaced(operator, operands[0] if operands else "", operands[1] if len(operands) > 1 else "", text)
        if operator in ("^^", ",,") and not "".join(operands):
            return text.upper() if operator == "^^" else text.lower()
        return None

    def _slice(self, value: Value, operands: list[str], source: str) -> Value:
        numbers = [self.number([("text", one, True)]) for one in operands]
        start = numbers[0] if numbers else None
        if start is None or start < 0 or any(one is None or one < 0 for one in numbers):
            return source
        end = start + (numbers[1] or 0) if len(numbers) > 1 else len(value)
        return value[start:end]
