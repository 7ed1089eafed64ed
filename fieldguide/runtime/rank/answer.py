"""One answer to one text: errors that are known, then what is about the same words.

The browser does the same in `overrides/assets/javascripts/rank/finder.js`: search box, log page and terminal name the same
entry first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fieldguide.runtime.guide import SHARED, Guide
from fieldguide.runtime.match import Match, find, in_one_line
from fieldguide.runtime.rank.documents import Document
from fieldguide.runtime.rank.finder import MOST_TERMS, Finder
from fieldguide.runtime.rank.keys import Hit
from fieldguide.runtime.told import version_told

_RESULTS = 30
_PAST = ("fix", "none")  # what a release has of a bug that it does not have
_BESIDE_MATCH = 30  # terms of a long paste that are used when an error in it is known


@dataclass(frozen=True)
class Result:
    """Something found: by an error in the text (`match`), or by its words (`hit`).

    Attributes:
        exact: the error that ended the run, and the entry applies. At most one result is.
        release, has: of a known bug, the release that runs, and what that has of it, see `Affected.by`; "" where neither the
            text nor the reader says.
    """

    document: int
    exact: bool
    match: Match | None = None
    hit: Hit | None = None
    release: str = ""
    has: str = ""


def search(
    text: str,
    guide: Guide,
    finder: Finder,
    chosen: str | None = None,
    releases: Mapping[str, str] = MappingProxyType({}),
) -> list[Result]:
    """What answers a text, best first.

    Args:
        chosen: a framework that the reader runs: what is only for others is left out.
        releases: package → release that the reader runs, as far as the text does not say another.
    """
    text = in_one_line(text)
    family = guide.family(chosen) | {SHARED} if chosen else None
    matches = [one for one in find(text, guide, chosen) if family is None or one.signature.framework in family]
    known = {finder.entries[one.signature.entry] for one in matches}
    named = guide.frameworks_named(text) | (guide.family(chosen) if chosen else set())
    hits = finder.search(text, named, _BESIDE_MATCH if matches else MOST_TERMS)
    others = (hit for hit in hits if hit.entry not in known)
    runs = {one.signature.entry: _runs(one, text, guide, releases) for one in matches}
    # A bug that the release does not have is not what ended the run.
    matches.sort(key=lambda one: runs[one.signature.entry][1] in _PAST)
    if family is not None:
        others = (hit for hit in others if finder.documents[hit.entry].framework in family)
    return [
        *(
            Result(
                finder.entries[one.signature.entry],
                one.exact and not at and runs[one.signature.entry][1] not in _PAST,
                one,
                None,
                *runs[one.signature.entry],
            )
            for at, one in enumerate(matches)
        ),
        *[Result(hit.entry, False, hit=hit) for hit in others][:_RESULTS],
    ]


def _runs(match: Match, text: str, guide: Guide, releases: Mapping[str, str]) -> tuple[str, str]:
    """For a known bug the release that runs, and what that has of it."""
    affected = guide.bugs.get(match.signature.entry)
    if affected is None:
        return "", ""
    release = version_told(affected.package, text) or releases.get(affected.package, "")
    return (release, affected.by(release)) if release else ("", "")


def nearest(text: str, guide: Guide, finder: Finder, most: int = 3) -> list[Document]:
    """What comes first for a text in which no error is known."""
    if not text.strip():
        return []
    return [finder.documents[one.document] for one in search(text, guide, finder)[:most]]
