"""Regular expressions that Python's `re` and JavaScript's `RegExp` read alike.

The catalog writes what is readable (`\\s`, `.`, `$`); `portable` says it in what both engines share, and refuses the rest.
Python compiles the outcome with `re.ASCII`, JavaScript with `u`; no other flag is needed in either.
"""

import re
from collections.abc import Iterator

_SPACE = r" \t\n\r\f\v"
_END = r"(?![^\n]|\n)"
# What both engines take behind a backslash, beside letters and digits that are spelled out below.
_ESCAPED = frozenset(r"^$\.*+?()[]{}|/")
_SAME = frozenset("bBdDwWtnrfv")
_TOKEN = re.compile(
    r"\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|\[\^?(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!])|\{\d+(?:,\d*)?\}|.", re.S
)
_MEMBER = re.compile(r"\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.S)
_FOLDED = re.compile(r"[A-Za-z]-[A-Za-z]|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.S)


class DialectError(ValueError):
    """The two engines would read the pattern differently, or one of them not at all."""


def portable(pattern: str, fold: bool = False) -> str:
    """The pattern as both engines read it.

    Args:
        pattern: `\\s` is ASCII white space, `.` anything but a line feed, `^` and `$` are the ends of the text.
        fold: ASCII letters stand for both cases.

    Raises:
        DialectError: with what is not shared.

    >>> portable(r"pid=\\d+\\s.*$")
    'pid=\\\\d+[ \\\\t\\\\n\\\\r\\\\f\\\\v][^\\\\n]*(?![^\\\\n]|\\\\n)'
    >>> portable("ip", fold=True)
    '[iI][pP]'
    """
    made = "".join(_tokens(pattern, fold))
    try:
        re.compile(made, re.ASCII)
    except re.error as error:
        raise DialectError(f"{pattern!r}: {error}") from error
    return made


def keeps_a_repeated_group(pattern: str) -> bool:
    """Whether a group that is kept stands in another that is repeated: what a former round held, Python alone still has.

    >>> [keeps_a_repeated_group(one) for one in ("(?:(a)|b)+", "(?:(a)|b)?", "((?:a|b)+)", "(a)+")]
    [True, False, False, False]
    """
    tokens = [match.group() for match in _TOKEN.finditer(pattern)]
    groups: list[tuple[bool, bool]] = [(False, False)]  # whether it is kept, and whether it holds one that is
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if token.startswith("("):
            groups.append((token == "(", False))
        elif token == ")":
            kept, holds = groups.pop()
            if holds and following.startswith(("*", "+", "{")):
                return True
            groups[-1] = groups[-1][0], groups[-1][1] or kept or holds
    return False


def _tokens(pattern: str, fold: bool) -> Iterator[str]:
    before = ""
    for match in _TOKEN.finditer(pattern):
        token = match.group()
        if before.endswith(("*", "+", "?", "}")) and token == "+" and not before.endswith("\\"):
            raise DialectError(f"{pattern!r}: possessive {before}+ is Python's alone")
        yield _token(token, pattern, fold)
        if token == "(" and pattern.startswith("(?", match.start()):
            raise DialectError(f"{pattern!r}: the group {pattern[match.start() : match.start() + 4]}… is not shared")
        before = token if len(token) == 1 or token[0] == "{" else ""


def _token(token: str, pattern: str, fold: bool) -> str:
    if token.startswith("[") and len(token) > 1:
        return _class(token, pattern, fold)
    if token.startswith("\\"):
        return _escape(token, pattern, {r"\s": f"[{_SPACE}]", r"\S": f"[^{_SPACE}]"})
    if token in "[]{}" or token == "\\":
        raise DialectError(f"{pattern!r}: {token} stands for itself only behind a backslash")
    if fold and re.fullmatch("[A-Za-z]", token):
        return f"[{token.lower()}{token.upper()}]"
    return {".": r"[^\n]", "$": _END}.get(token, token)


def _escape(token: str, pattern: str, spelled: dict[str, str], inside: str = "") -> str:
    if token in spelled:
        return spelled[token]
    if len(token) > 2 or token[1:] in _ESCAPED or (token[1:] in _SAME - set("bB" if inside else "")) or token[1:] in inside:
        return token
    raise DialectError(f"{pattern!r}: {token} is not shared")


def _class(token: str, pattern: str, fold: bool) -> str:
    """A class of characters; `\\S` in one is refused, since its complement would have to be spelled out."""
    head, body = ("[^", token[2:-1]) if token.startswith("[^") else ("[", token[1:-1])
    if not body or re.search(r"--|&&|\|\||~~|\[:", body):
        raise DialectError(f"{pattern!r}: the class {token} is not shared")
    pieces = (_FOLDED if fold else _MEMBER).finditer(body)
    return head + "".join(_member(piece.group(), pattern, fold) for piece in pieces) + "]"


def _member(piece: str, pattern: str, fold: bool) -> str:
    if piece.startswith("\\"):
        return _escape(piece, pattern, {r"\s": _SPACE}, inside="-")
    if piece == "[":
        return r"\["
    if not fold or not re.fullmatch("[A-Za-z](-[A-Za-z])?", piece):
        return piece
    return piece.lower() + piece.upper()
