"""Bash's patterns with * and ?, as in `case`, `[[ a == b* ]]` and `${X%.*}`."""


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern matches all of a text; brackets stand for themselves."""
    at = place = 0
    star, mark = -1, 0
    while at < len(text):
        if place < len(pattern) and pattern[place] == "*":
            star, mark = place, at
            place += 1
        elif place < len(pattern) and pattern[place] in ("?", text[at]):
            at += 1
            place += 1
        elif star >= 0:
            place, mark = star + 1, mark + 1
            at = mark
        else:
            return False
    return all(one == "*" for one in pattern[place:])


def removed(operator: str, pattern: str, text: str) -> str:
    """`${X#p}`, `${X##p}`, `${X%p}` and `${X%%p}`."""
    lengths = range(len(text) + 1)
    for length in reversed(lengths) if len(operator) == 2 else lengths:
        if operator[0] == "#" and matches(pattern, text[:length]):
            return text[length:]
        if operator[0] == "%" and matches(pattern, text[len(text) - length :]):
            return text[: len(text) - length]
    return text


def replaced(operator: str, pattern: str, by: str, text: str) -> str | None:
    """`${X/p/by}` and `${X//p/by}` for patterns that are plain texts; None for others."""
    if operator not in ("/", "//") or not pattern or any(one in "*?[" for one in pattern):
        return None
    return text.replace(pattern, by) if operator == "//" else text.replace(pattern, by, 1)
