"""Which entries a text names by an error it contains.

The browser does the same in `overrides/assets/javascripts/match/matcher.js`; `tests/test_find.py` holds both to one set of
vectors.
"""

from collections.abc import Collection
from dataclasses import dataclass

from fieldguide.runtime.dialect import expression
from fieldguide.runtime.guide import SHARED, Guide, Signature


@dataclass(frozen=True)
class Match:
    """A signature found in a text.

    Attributes:
        start, end: offsets in the cleaned text.
        score: weight, plus the bonus when the text names the entry's framework.
    """

    signature: Signature
    start: int
    end: int
    score: int


def is_hinted(signature: Signature, named: Collection[str]) -> bool:
    """Whether a text that names these frameworks names the entry's: any of them for a generic text of an `any-` entry."""
    return bool(named) if signature.generic and signature.framework == SHARED else signature.framework in named


def find(text: str, guide: Guide) -> list[Match]:
    """Best match of each entry in a text of moderate size, best first.

    Ties go to the one that stands later: the last error of a traceback is the one that ended the run.
    """
    cleaned, named = guide.cleaned(text), guide.frameworks_named(text)
    # A text with an error in it is about that error, not about a line of normal output beside it.
    has_error = bool(expression(guide.error_name).search(cleaned))
    best: dict[str, Match] = {}
    for one in sorted(guide.signatures, key=lambda signature: signature.generic):
        if one.anchor not in cleaned or (one.output and has_error):
            continue
        found = one.compiled.search(cleaned)
        if not found or (one.generic and not is_hinted(one, named) and one.entry not in best):
            continue
        bonus = guide.hint_bonus if is_hinted(one, named) else 0
        match = Match(one, found.start(), found.end(), one.weight + bonus)
        if one.entry not in best or match.score > best[one.entry].score:
            best[one.entry] = match
    return sorted(best.values(), key=lambda match: (-match.score, -match.start, match.signature.entry))
