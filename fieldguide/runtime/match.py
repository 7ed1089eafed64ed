"""Which entries a text names by an error it contains.

The browser does the same in `overrides/assets/javascripts/match/matcher.js`; `tests/test_find.py` holds both to one set of
vectors.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from fieldguide.content.catalog.models import Signature
from fieldguide.content.catalog.store import SHARED, Catalog
from fieldguide.content.signature import parse_signature, signature_regex
from fieldguide.runtime.clean import clean

# A log that names the framework of an entry counts like this many more characters of error text.
HINT_BONUS = 30
GENERIC_WEIGHT = 10
# A text with an error in it is about that error, not about a line of normal output beside it.
ERROR_NAME = re.compile(r"[A-Za-z](?:Error|Exception)\b")


@dataclass(frozen=True)
class Pattern:
    """A signature ready to be looked for.

    Attributes:
        regex: source, in the subset that Python and JavaScript share.
        generic: counts only when the text names the entry's framework, or another signature of the entry stands in it.
        output: stands in the log of an ordinary run, too, so that it counts only in a text that names no error.
        weight: literal characters, white space aside; the more, the more specific. Little for a generic text.
        anchor: longest run of literal text without white space; a text without it cannot match.
    """

    entry: str
    framework: str
    signature: Signature
    regex: str
    weight: int
    anchor: str
    generic: bool
    output: bool

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.regex)

    def hinted(self, named: Collection[str]) -> bool:
        """Whether a text that names these frameworks names the entry's: any of them for a generic text of an `any-` entry."""
        return bool(named) if self.generic and self.framework == SHARED else self.framework in named


@dataclass(frozen=True)
class Match:
    """A signature found in a text.

    Attributes:
        start, end: offsets in the cleaned text.
        score: weight, plus the bonus when the text names the entry's framework.
    """

    pattern: Pattern
    start: int
    end: int
    score: int


def patterns(catalog: Catalog) -> list[Pattern]:
    """Every signature of every entry, in catalog order."""
    return [
        _pattern(entry, catalog.entry[entry].framework, signature)
        for entry, signatures in catalog.signatures_of.items()
        for signature in signatures
    ]


def _pattern(entry: str, framework: str, signature: Signature) -> Pattern:
    literals = [piece.text for piece in parse_signature(signature.text) if not piece.placeholder]
    words = [word for text in literals for word in text.split()]
    weight = sum(map(len, words))
    if signature.generic or signature.ordinary:
        weight = min(weight, GENERIC_WEIGHT)
    regex, anchor = signature_regex(signature.text), max(words, key=len)
    return Pattern(entry, framework, signature, regex, weight, anchor, signature.generic, signature.ordinary)


def frameworks_named(text: str, catalog: Catalog) -> set[str]:
    """Ids of the frameworks whose hints stand in the text."""
    return {framework.id for framework in catalog.framework.values() if any(hint in text for hint in framework.hints)}


def find(text: str, catalog: Catalog, known: Iterable[Pattern]) -> list[Match]:
    """Best match of each entry in a text of moderate size, best first.

    Ties go to the one that stands later: the last error of a traceback is the one that ended the run.
    """
    cleaned = clean(text, [item.record for item in catalog.cleaning])
    named = frameworks_named(text, catalog)
    best: dict[str, Match] = {}
    for pattern in sorted(known, key=lambda pattern: pattern.generic):
        if pattern.anchor not in cleaned or (pattern.output and ERROR_NAME.search(cleaned)):
            continue
        found = pattern.compiled.search(cleaned)
        if not found:
            continue
        if pattern.generic and not pattern.hinted(named) and pattern.entry not in best:
            continue
        bonus = HINT_BONUS if pattern.hinted(named) else 0
        match = Match(pattern, found.start(), found.end(), pattern.weight + bonus)
        held = best.get(pattern.entry)
        if held is None or match.score > held.score:
            best[pattern.entry] = match
    return sorted(best.values(), key=lambda match: (-match.score, -match.start, match.pattern.entry))
