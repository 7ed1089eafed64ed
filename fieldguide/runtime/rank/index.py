"""The compiled index: which documents have a term, and how much it says about each.

It comes in pieces, and what they say of a document is added: a browser has the first before the others.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log, sqrt
from typing import Any

# `terms`, in `counts` how many documents each has, and one after the other those documents and what it says about each:
# `steps`, from the document before, and `scores`. Columns weigh a tenth less in a download than pairs.
Rows = Mapping[str, Sequence[Any]]
# A term that tells entries apart well has this inverse document frequency.
_TOLD = 3.5
# What a term counts that the query only begins, or misspells.
_PREFIX, _LONGER, _FUZZY = 0.375, 0.3, 0.45


@dataclass(frozen=True)
class Found:
    """A term of the index that a term of the query stands for; `weight` is 1 for the very term."""

    term: str
    weight: float


class Index:
    """What every term says about every document."""

    def __init__(self, pieces: Sequence[Rows], entries: int) -> None:
        """`entries`: how many of the documents, the first ones, are entries."""
        self._pieces = pieces
        self._entries = entries
        self._places = [_places(piece) for piece in pieces]
        self._terms = sorted(set().union(*self._places))
        self._known: dict[str, dict[int, int]] = {}

    def postings(self, term: str) -> dict[int, int]:
        """Document → score."""
        if (known := self._known.get(term)) is None:
            known = self._known[term] = {}
            for piece, places in zip(self._pieces, self._places, strict=True):
                own = places.get(term, slice(0))
                for number, score in zip(accumulate(piece["steps"][own]), piece["scores"][own], strict=True):
                    known[number] = known.get(number, 0) + score
        return known

    def telling(self, term: str) -> float:
        """How well a term tells entries from each other, up to 1: keys and other sections say nothing of that."""
        count = sum(number < self._entries for number in self.postings(term))
        rare = log(1 + (self._entries - count + 0.5) / (count + 0.5))
        return max(0.1, sqrt(min(1, rare / _TOLD)))

    def begun(self, start: str) -> Iterator[Found]:
        """Longer terms that begin so."""
        for at in range(bisect_left(self._terms, start), len(self._terms)):
            term = self._terms[at]
            if not term.startswith(start):
                return
            if term != start:
                yield Found(term, _PREFIX * len(term) / (len(term) + _LONGER * (len(term) - len(start))))

    def misspelt(self, term: str) -> Iterator[Found]:
        """Terms that differ from it in a letter, or in two if it is long."""
        most = 1 if len(term) < 10 else 2
        for other in self._terms:
            if abs(len(other) - len(term)) <= most and (distance := _distance(term, other, most)):
                yield Found(other, _FUZZY * len(other) / (len(other) + distance))


def scores_of(rows: Rows) -> dict[str, dict[int, int]]:
    """Term → document → what it says about it.

    >>> scores_of({"terms": ["nan", "oom"], "counts": [2, 1], "steps": [4, 1, 7], "scores": [9, 5, 3]})
    {'nan': {4: 9, 5: 5}, 'oom': {7: 3}}
    """
    return {
        term: dict(zip(accumulate(rows["steps"][own]), rows["scores"][own], strict=True)) for term, own in _places(rows).items()
    }


def _places(rows: Rows) -> dict[str, slice]:
    """Term → where its documents are.

    >>> _places({"terms": ["nan", "oom"], "counts": [2, 1], "steps": [4, 1, 7], "scores": [9, 5, 3]})
    {'nan': slice(0, 2, None), 'oom': slice(2, 3, None)}
    """
    ends = list(accumulate(rows["counts"]))
    return dict(zip(rows["terms"], map(slice, [0, *ends], ends), strict=True))


def _distance(one: str, other: str, most: int) -> int:
    """Letters to put in, take out or replace; 0 when there are more than `most`.

    >>> _distance("gradeint", "gradient", 2), _distance("reward", "rewind", 1)
    (2, 0)
    """
    before = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        now = [row]
        for column, its in enumerate(other, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (letter != its)))
        if min(now) > most:
            return 0
        before = now
    return before[-1] if before[-1] <= most else 0
