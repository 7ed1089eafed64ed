"""What a long text says in its first words: they are asked as a question of their own.

The browser does the same in `overrides/assets/javascripts/rank/beginning.js`.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from fieldguide.runtime.rank.keys import Hit, by_score
from fieldguide.runtime.rank.tokens import CJK, is_cjk

_COLUMNS = 80  # a Chinese character is two wide
_SHARE = 0.5  # what the beginning counts beside the whole
_GOES_ON = re.compile(rf"[^ \t{CJK}]{{2}}")
_LAST_WORD = re.compile(rf"[ \t]*[^ \t{CJK}]+$")


def beginning(text: str, columns: int = _COLUMNS) -> str:
    """The first words of a text, as many as fit.

    >>> beginning("loss is nan after resume", 14), beginning("恢复训练后显存不足", 8), beginning("OOM", 14)
    ('loss is nan', '恢复训练', 'OOM')
    """
    wide = list(accumulate(2 if is_cjk(character) else 1 for character in text[: columns + 1]))
    if not wide or wide[-1] <= columns:
        return text
    fits = text[: bisect_right(wide, columns)]
    return _LAST_WORD.sub("", fits) if _GOES_ON.match(text[len(fits) - 1 :]) else fits


def added(hits: Sequence[Hit], begun: Sequence[Hit]) -> list[Hit]:
    """What a whole text finds, with what its beginning finds: both as parts of their best."""
    if not hits or not begun:
        return [*hits]
    made = {hit.entry: replace(hit, score=hit.score / hits[0].score) for hit in hits}
    for hit in begun:
        held = made.get(hit.entry, replace(hit, score=0))
        made[hit.entry] = replace(held, score=held.score + _SHARE * hit.score / begun[0].score)
    return sorted(made.values(), key=by_score)
