"""Which entries a text names by an error it contains.

The browser does the same in `overrides/assets/javascripts/match/matcher.js`; `tests/test_find.py` holds both to one set of
vectors.
"""

import re
from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass

from fieldguide.runtime.guide import SHARED, Guide, Signature

# Texts at most so many characters apart belong to one report of an error: its traceback, and what caused it.
NEAR = 1000
MOST_TEXT = 200_000  # characters of a text that are looked at: the last ones, where the error is

_LINE_ENDS = re.compile("[ \t\n\r\f\v]*[\r\n]+[ \t\n\r\f\v]*")


def in_one_line(text: str) -> str:
    """The end of a text as a search box has it."""
    return _LINE_ENDS.sub(" ", text[-MOST_TEXT:])


@dataclass(frozen=True)
class Match:
    """A signature found in a text.

    Attributes:
        start, end: offsets in the cleaned text of the last place where it stands.
        score: weight, plus the bonus when the text names the entry's framework.
        exact: the entry applies: its own framework prints the text, or the text names that framework, or the entry is for every
            framework. Otherwise a library prints it, and who runs what is not known.
    """

    signature: Signature
    start: int
    end: int
    score: float
    exact: bool


def is_hinted(signature: Signature, named: Set[str]) -> bool:
    """Whether a text that names these frameworks names the entry's: any of them for a generic text of an `any-` entry.

    That raises an entry above others; a bug is below them however long its text is.
    """
    if signature.bug:
        return False
    return bool(named) if signature.generic and signature.framework == SHARED else signature.framework in named


def applies(signature: Signature, named: Set[str]) -> bool:
    """Whether the entry is an answer for who runs these frameworks.

    What a framework itself prints tells that it runs; a library's text is answered for those that are named alone.
    """
    return signature.framework == SHARED or not signature.foreign or signature.framework in named


def find(text: str, guide: Guide, chosen: str | None = None) -> list[Match]:
    """Best match of each entry in a text of moderate size: first the error that ended the run.

    That is the last error but for those that only report another one; of one report, the text that says most. What may not
    apply is there only if nothing does; a library's text whose entry is for another framework than those that the text names
    is left out.

    Args:
        chosen: a framework that the reader runs.
    """
    cleaned, named = guide.cleaned(text), guide.frameworks_named(text)
    if chosen:
        named |= guide.family(chosen)
    found = [match for one in guide.signatures if (match := _match(one, cleaned, named, guide))]
    specific = {match.signature.entry for match in found if not match.signature.generic}
    found = [match for match in found if _counts(match, named, specific)]
    has_error, has_cause = guide.errors_in(cleaned, [(m.start, m.end) for m in found if m.signature.echo])
    has_error |= any(not match.signature.output for match in found)
    best: dict[str, Match] = {}
    for match in found:
        if (match.signature.output and has_error) or (match.signature.echo and has_cause):
            continue
        held = best.get(match.signature.entry)
        if held is None or match.score > held.score:
            best[match.signature.entry] = match
    known = [match for match in best.values() if match.exact]
    return list(_in_order(known or list(best.values())))


def _in_order(matches: Collection[Match]) -> Iterator[Match]:
    """Causes before echoes; report by report from the last one, best match first."""
    for echo in (False, True):
        ours = sorted((one for one in matches if one.signature.echo == echo), key=lambda one: (one.start, one.end))
        reports: list[list[Match]] = []
        end = -1
        for match in ours:
            if not reports or match.start > end + NEAR:
                reports.append([])
            reports[-1].append(match)
            end = max(end, match.end)
        for report in reversed(reports):
            yield from sorted(report, key=lambda one: (-one.score, -one.start, one.signature.entry))


def _match(signature: Signature, cleaned: str, named: Set[str], guide: Guide) -> Match | None:
    if signature.anchor not in cleaned or (named and not applies(signature, named)):
        return None
    found = None
    for found in signature.compiled.finditer(cleaned):  # noqa: B007 (the last one is wanted)
        pass
    if not found:
        return None
    bonus = guide.hint_bonus if is_hinted(signature, named) else 0
    return Match(signature, found.start(), found.end(), signature.weight + bonus, applies(signature, named))


def _counts(match: Match, named: Set[str], specific: Set[str]) -> bool:
    """A text that many programs print counts only with a hint of the framework, or beside another text of the entry."""
    one = match.signature
    return not one.generic or is_hinted(one, named) or one.entry in specific
