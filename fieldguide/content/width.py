"""How wide a text is."""

from unicodedata import east_asian_width


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes: a Chinese character as many as two Latin letters.

    >>> columns_of("显存 OOM")
    8
    """
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
