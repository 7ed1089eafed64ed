"""Widths of table columns from the text in them: a column is never narrower than what cannot be broken."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from fieldguide.book.calls import plain_text
from fieldguide.content.width import columns_of

LINE = 100  # characters of table text in one line of the page
_PADDING = 3
_LONGEST = 16  # the template breaks code after this many characters
_WORD = re.compile(r"[^\s._/=\-\u3000-\u9fff\uff00-\uffef]+[._/=-]*|[\u3000-\u9fff\uff00-\uffef]")


def column_widths(table: Element) -> list[int]:
    """Per cent of the line for each column; empty when every row fits on one line without help."""
    columns = _columns(table)
    natural = [max((columns_of(text) for text in column), default=0) + _PADDING for column in columns]
    if sum(natural) <= LINE:
        return []
    least = [min(_longest(column), _LONGEST) + _PADDING for column in columns]
    wish = [max(1.0, _mean(column) ** 0.85) for column in columns]
    room = max(0.0, LINE - sum(least))
    widths = [small + room * want / sum(wish) for small, want in zip(least, wish, strict=True)]
    widths = [min(width, full) for width, full in zip(widths, natural, strict=True)]
    shares = [max(1, int(100 * width / sum(widths))) for width in widths]
    return [100 - sum(shares[1:]), *shares[1:]]


def _columns(table: Element) -> list[list[str]]:
    rows = [[_lines(cell) for cell in row] for row in table.iter("tr")]
    return [[text for row in rows if i < len(row) for text in row[i]] for i in range(max(map(len, rows), default=0))]


def _lines(cell: Element) -> list[str]:
    """Text of a cell, a string for each line that the author ended."""
    text = cell.text or ""
    for child in cell:
        text += "\n" if child.tag == "br" else plain_text(child)
        text += child.tail or ""
    return text.split("\n")


def _longest(texts: Sequence[str]) -> int:
    return max((columns_of(word) for text in texts for word in _WORD.findall(text)), default=1)


def _mean(texts: Sequence[str]) -> float:
    return sum(map(columns_of, texts)) / max(1, len(texts))
