"""Words that a query means and does not say."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from fieldguide.runtime.rank.tokens import is_cjk, processed, tokenize

_WEIGHT = 0.4  # of a word that the query means and does not say


@dataclass(frozen=True)
class Synonym:
    """A word as it is looked for in a query, and its terms."""

    word: str
    chinese: bool
    terms: tuple[str, ...]

    def stands_in(self, lower: str, terms: set[str]) -> bool:
        """Whether a query says it; `lower` is its text, `terms` its terms."""
        return self.word in lower if self.chinese else bool(self.terms) and terms.issuperset(self.terms)


@dataclass(frozen=True)
class Meant:
    """A term that is meant: the number of its group, and what it counts."""

    group: int
    weight: float


def synonym_group(words: Sequence[str]) -> tuple[Synonym, ...]:
    """A group of words that mean the same."""
    return tuple(Synonym(word, is_cjk(word), tuple(processed(tokenize(word, whole=True)))) for word in words)


def meant_by(
    groups: Sequence[Sequence[Synonym]], text: str, terms: Sequence[str], rarity: Callable[[str], int]
) -> dict[str, Meant]:
    """Terms of the index that the query means; `terms` are those that it says."""
    lower, own = text.lower(), set(terms)
    meant: dict[str, Meant] = {}
    for number, group in enumerate(groups):
        if not any(one.stands_in(lower, own) for one in group):
            continue
        for one in group:
            for term in one.terms:
                if term not in own and term not in meant and rarity(term):
                    meant[term] = Meant(number, _WEIGHT / sqrt(len(one.terms)))
    return meant


def said(terms: Iterable[str], meant: Mapping[str, Meant]) -> float:
    """How many words of a query were found; all words for one thing are half a word."""
    own, groups = 0, set()
    for term in terms:
        if held := meant.get(term):
            groups.add(held.group)
        else:
            own += 1
    return own + len(groups) / 2
