"""The text around a hit in a chunk of a log."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fieldguide.runtime.guide import Guide

Sides = tuple[str, str]  # text before a hit, and from it


@dataclass(frozen=True)
class Windows:
    """Limits of what is looked at around a hit: lines and bytes on both sides, and matches tried; see `catalog/scan.yml`."""

    lines: int
    reach: int
    tries: int

    @classmethod
    def of(cls, guide: Guide) -> "Windows":
        """Those of the guide."""
        limits = guide.scan["limits"]
        return cls(limits["linesAround"], limits["reach"], limits["tries"])

    def line(self, data: bytes, start: int) -> tuple[int, int]:
        """Bounds of the line of a hit."""
        return self._bounds(data, start, 0)

    def around(self, data: bytes, start: int) -> tuple[int, int]:
        """Bounds of the line with some more on both sides."""
        return self._bounds(data, start, self.lines)

    def _bounds(self, data: bytes, start: int, around: int) -> tuple[int, int]:
        floor, low = max(0, start - self.reach), start
        ceiling, high = min(len(data), start + self.reach), start - 1
        for _ in range(around + 1):
            low = data.rfind(b"\n", floor, low)
            if low < 0:
                break
        for _ in range(around + 1):
            high = data.find(b"\n", high + 1, ceiling)
            if high < 0:
                break
        return (floor if low < 0 else low + 1), (ceiling if high < 0 else high)

    def covering(self, regex: re.Pattern[str], sides: Sides) -> Sides | None:
        """What the pattern matches at the hit, on both sides: a match elsewhere in the window has a hit of its own."""
        text, place, at = "".join(sides), len(sides[0]), 0
        for _ in range(self.tries):
            match = regex.search(text, at)
            if match is None or match.start() > place:
                return None
            if match.end() > place:
                return text[match.start() : place], text[place : match.end()]
            at = match.start() + 1
        return None


def has(data: bytes, words: Sequence[bytes], bounds: tuple[int, int]) -> bool:
    """Whether all words stand between the bounds."""
    return all(data.find(word, *bounds) >= 0 for word in words)


def split(data: bytes, bounds: tuple[int, int], start: int) -> Sides:
    """The text of a window before and from the hit."""
    low, high = bounds
    return data[low:start].decode("utf-8", "replace"), data[start:high].decode("utf-8", "replace")


class Stands(dict[bytes, bool]):
    """Whether a word stands anywhere in the data; looked up once."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = data

    def __missing__(self, word: bytes) -> bool:
        self[word] = word in self._data
        return self[word]
