"""Queries that are a key and nothing else."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from fieldguide.runtime.rank.tokens import CHUNK

_IDENTIFIER = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z][A-Z]")
_LIKE_A_KEY = re.compile(r"[_.-]|[a-z][A-Z]")
# A key as it is set, `--key value`, `some.key=value` or `key: value`.
_SET = re.compile(
    r"[ \t\n\r\f\v]*\+{0,2}((?:--)?[A-Za-z][A-Za-z0-9_.-]*)([ \t\n\r\f\v]*[=:][ \t\n\r\f\v]*|[ \t\n\r\f\v]+)"
    r"[^ \t\n\r\f\v]{1,80}[ \t\n\r\f\v]*"
)
_FLAG_OR_SNAKE = re.compile(r"--|.*_", re.DOTALL)


def bare(text: str) -> str:
    """A key without what may be written around it.

    >>> bare(" --max-tokens")
    'max_tokens'
    """
    return re.sub(r"^-+", "", text.strip(" \t\n\r\f\v")).replace("-", "_").lower()


def last_part(name: str) -> str:
    """The last part of a dotted name."""
    return name.rpartition(".")[2]


@dataclass(frozen=True)
class Hit:
    """A document found by its words; `card`: the key itself, shown above the list."""

    entry: int
    score: float
    terms: tuple[str, ...] = ()
    card: bool = False


def by_score(hit: Hit) -> tuple[float, int]:
    """Sorts hits, best first."""
    return -hit.score, hit.entry


@dataclass
class Keys:
    """Documents of keys, and the entries that list one, by spelling."""

    own: dict[str, list[int]] = field(default_factory=dict)
    listing: dict[str, set[int]] = field(default_factory=dict)

    def add_own(self, number: int, keys: Iterable[str]) -> None:
        """Note the document of a key."""
        for key in map(bare, keys):
            self.own.setdefault(key, []).append(number)

    def add_listed(self, number: int, keys: Sequence[str], title: str) -> None:
        """Note an entry with the keys that it lists or has in its title."""
        listed = [bare(key) for key in keys]
        titled = [bare(word) for word in CHUNK.findall(title) if _IDENTIFIER.search(word)]
        for name in (*listed, *map(last_part, listed), *titled):
            self.listing.setdefault(name, set()).add(number)

    def listed(self, query: str) -> set[int]:
        """Entries that list the key that a query is."""
        name = bare(query)
        return self.listing.get(name) or self.listing.get(last_part(name)) or set()

    def without_value(self, text: str) -> str:
        """A known key with a value without it; any other text as it is."""
        found = _SET.fullmatch(text)
        if not found or not (re.search("[=:]", found[2]) or _FLAG_OR_SNAKE.match(found[1])):
            return text
        return found[1] if bare(found[1]) in self.own or self.listed(found[1]) else text

    def second(self, hits: Sequence[Hit], query: str) -> list[Hit]:
        """The entry that lists the key first, if there is one, then the key itself in the glossaries."""
        name = bare(query)
        own = set(self.own.get(name, ()))
        if not own:
            return list(hits)
        listing = self.listing.get(name, set())
        others = sorted((hit for hit in hits if hit.entry not in own), key=lambda hit: hit.entry not in listing)
        before = 1 if listing else 0
        card = before > 0 and bool(_LIKE_A_KEY.search(query.strip(" \t\n\r\f\v")))
        keys = [replace(hit, card=card) for hit in hits if hit.entry in own]
        return [*others[:before], *keys, *others[before:]]
