"""Text as Python and JavaScript read it alike; patterns come from `fieldguide.content.dialect`."""

import re
from functools import lru_cache

SPACE = " \t\n\r\f\v"


@lru_cache(maxsize=4096)
def expression(pattern: str) -> re.Pattern[str]:
    """A pattern of the compiled guide, ready to use."""
    return re.compile(pattern, re.ASCII)


def stripped(text: str) -> str:
    """The text without ASCII white space at its ends; `str.strip` takes more than JavaScript's `trim` and less."""
    return text.strip(SPACE)


def lines_of(text: str) -> list[str]:
    """The lines of a text, which end in a carriage return, a line feed or both."""
    return re.split(r"\r\n|\r|\n", text)
