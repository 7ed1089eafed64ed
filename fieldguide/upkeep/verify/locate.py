"""Find a cited line again in a later version of its file: by what stands there, not by its number."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from fieldguide.upkeep.verify.commits import Hunk

# Below this share of equal characters two lines are different lines, not two wordings of one.
ALIKE = 0.6


class State(StrEnum):
    """What became of a line."""

    HELD = "held"  # stands there, on whatever line
    EDITED = "edited"  # stands there in other words
    LOST = "lost"


@dataclass(frozen=True)
class Spot:
    """Where a line stands now and what it reads; no number when it is lost."""

    state: State
    line: int | None = None
    text: str = ""


@dataclass(frozen=True)
class Change:
    """Two versions of a file and what differs between them."""

    old: Sequence[str]
    new: Sequence[str]
    hunks: Sequence[Hunk]


def locate(change: Change, line: int, contains: str | None) -> Spot:
    """Follow line `line` of the old version into the new one.

    Args:
        contains: the part of the line that is cited; it finds the line again when the rest was edited.
    """
    number, hunk = _follow(change.hunks, line)
    if hunk is None:
        return Spot(State.HELD, number, change.new[number - 1])
    wanted = _plain(change.old[line - 1])
    same = [n for n, text in enumerate(change.new, 1) if _plain(text) == wanted]
    if len(same) == 1 and sum(_plain(text) == wanted for text in change.old) == 1:
        return Spot(State.HELD, same[0], change.new[same[0] - 1])
    return _edited(change, hunk, wanted, contains)


def locate_anywhere(lines: Sequence[str], contains: str) -> Spot:
    """The first line that contains a text: for citations of a file as a whole."""
    number = next((n for n, text in enumerate(lines, 1) if contains in text), None)
    return Spot(State.HELD, number, lines[number - 1]) if number else Spot(State.LOST)


def _follow(hunks: Sequence[Hunk], line: int) -> tuple[int, Hunk | None]:
    """The new number of a line, or the hunk that took it away."""
    offset = 0
    for hunk in hunks:
        if hunk.old <= line < hunk.old + hunk.old_count:
            return line, hunk
        if hunk.old + max(hunk.old_count, 1) <= line:
            offset += hunk.new_count - hunk.old_count
    return line + offset, None


def _edited(change: Change, hunk: Hunk, wanted: str, contains: str | None) -> Spot:
    here = range(hunk.new, hunk.new + hunk.new_count)
    if contains:
        kept = [n for n in here if contains in change.new[n - 1]]
        kept = kept or [n for n, text in enumerate(change.new, 1) if contains in text]
        if len(kept) == 1:
            return Spot(State.EDITED, kept[0], change.new[kept[0] - 1].strip())
    alike = [(difflib.SequenceMatcher(None, wanted, _plain(change.new[n - 1])).ratio(), -n) for n in here]
    best = max(alike, default=(0.0, 0))
    if best[0] < ALIKE:
        return Spot(State.LOST)
    return Spot(State.EDITED, -best[1], change.new[-best[1] - 1].strip())


def _plain(text: str) -> str:
    return " ".join(text.split())
