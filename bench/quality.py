"""Right or wrong: where in a list of results the expected entry stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.cases import Asked
from bench.engines import Group, Item
from fieldguide.content.addresses import page_address
from fieldguide.content.guide import Guide

NOWHERE = 1000


@dataclass(frozen=True)
class Outcome:
    """A case and how it went.

    Attributes:
        rank: place of the expected entry, 0 the first; NOWHERE when it does not stand there.
        empty: no result at all.
        exact: a result is marked as an exact match.
    """

    asked: Asked
    rank: int
    empty: bool
    exact: bool


@dataclass(frozen=True)
class Score:
    """How often the right entry came first, or among the first three."""

    count: int
    first: int
    three: int


class Judge:
    """Knows which sections are a right answer for an entry."""

    def __init__(self, guide: Guide, ours: bool) -> None:
        """`ours`: results are single sections, and our badge for exact matches is looked for."""
        self._guide = guide
        self._ours = ours

    def judge(self, one: Asked, answer: Sequence[Group]) -> Outcome:
        """Where the expected entry stands, in the reading that is best for the engine."""
        results = [group for group in answer if not (self._ours and is_offer(group[0]))]
        right = {place for id_ in one.case.right for place in places_of(self._guide, one.language, id_)}
        mark = self._guide.words[one.language]["exact_match"]
        return Outcome(
            asked=one,
            rank=min(_rank(reading, right) for reading in readings(results)),
            empty=not results,
            exact=self._ours and any(mark in item.tag for group in results for item in group),
        )


def is_offer(item: Item) -> bool:
    """Whether a line of our list is no result but an offer: the index of errors, or the form to report one."""
    return not item.tag and (item.location.endswith("errors/") or item.location.endswith("about/#about-report"))


def readings(answer: Sequence[Group]) -> Iterable[Iterable[Item]]:
    """Ways to read a grouped list from the top, titles of pages left out where sections stand below them.

    As shown; sections of a page by weight, as the theme's Enter key and Pagefind's interface prefer them; all by weight.
    """
    sections = [[item for item in group if "#" in item.location] or list(group) for group in answer]
    yield [item for group in sections for item in group]
    yield [item for group in sections for item in sorted(group, key=lambda item: -item.weight)]
    yield sorted((item for group in sections for item in group), key=lambda item: -item.weight)


def _rank(items: Iterable[Item], right: set[str]) -> int:
    return next((rank for rank, item in enumerate(items) if right & {*item.location.partition("#")[::2]}), NOWHERE)


def places_of(guide: Guide, language: str, id_: str) -> set[str]:
    """The page of an entry, whatever place on it, and its id elsewhere; of anything else its id and those inside it."""
    home = guide.home_of.get(id_)
    if home is None:
        return {id_}
    if id_ in guide.catalog.entry:
        return {page_address(language, home), id_}
    return {id_, *(section.id for section in guide.documents["en"][home].subtree(id_))} - {""}


def score(outcomes: Iterable[Outcome]) -> Score:
    """Count the cases that have an answer."""
    judged = [one for one in outcomes if one.asked.case.expect]
    return Score(len(judged), sum(one.rank == 0 for one in judged), sum(one.rank < 3 for one in judged))
