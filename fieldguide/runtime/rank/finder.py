"""Finds documents by the words of a query; `rank/finder.js` does the same in the browser, over the same compiled index."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from fieldguide.runtime.guide import FORMAT, SHARED, FormatError, Guide
from fieldguide.runtime.rank.beginning import added, beginning
from fieldguide.runtime.rank.documents import Document, entries, unpack
from fieldguide.runtime.rank.index import Found, Index
from fieldguide.runtime.rank.keys import Hit, Keys, by_score
from fieldguide.runtime.rank.synonyms import Meant, meant_by, said, synonym_group
from fieldguide.runtime.rank.tokens import identifier_parts, pairs_of, process, processed, tokenize

MOST_TERMS = 120  # of a long paste that are used: the rarest
_KIND = {"entry": 1.0, "key": 0.08, "section": 0.3, "bug": 0.3}
_SPOKEN = 20  # terms up to which a query is a question, whose words count in pairs and stand for others
_LONG = 12  # terms from which on none is completed or corrected
_BEST = 12  # results that are looked at more closely
_PAIR = 1.0  # how much two neighbouring words of the query raise an entry that asks with the same two
# What an entry counts whose framework is named, is for every framework, or is another one; and an entry for every framework
# when none is named: who names none is more likely asking everybody.
_OWN, _SHARED, _FOREIGN, _UNNAMED = 1.4, 1.35, 0.2, 1.35
_WHOLE, _PART, _PART_ALONE, _NAME = 2.5, 0.5, 0.1, 0.15
_ASIDE = 0.25  # what a term of a long text counts that stands only where it sets or measures something
_ENOUGH = 6  # terms that such a text has to have besides
BUG_ID = "bug-"  # before the id of a row of the bug ledger, where its page has it
_SHORT = 200  # characters of a key with the names of frameworks
_IDENTIFIER = re.compile(r"[a-z0-9][_.][a-z0-9]")
_PLAIN = re.compile(r"[a-z]+")


class Finder:
    """Full-text search in one language."""

    def __init__(self, guide: Guide, documents: Sequence[Document], index: Index) -> None:
        self._guide = guide
        self.documents = documents
        self._index = index
        self._synonyms = [synonym_group(words) for words in guide.synonyms]
        self._names = {term for one in guide.frameworks for term in processed(tokenize(one.name))}
        self.entries = {one.id.removeprefix(BUG_ID): at for at, one in enumerate(documents) if one.kind in ("entry", "bug")}
        self._own = sum(one.kind == "entry" for one in documents)
        self._wordings: dict[str, list[str]] = {}
        for one in guide.signatures:
            self._wordings.setdefault(one.entry, []).append(one.shown)
        self._keys = Keys()
        for number, document in enumerate(documents):
            if document.kind == "key":
                self._keys.add_own(number, document.keys)
            if document.kind == "entry":
                self._keys.add_listed(number, document.keys, document.title)
        self._pairs = cache(self._pairs_in)

    def search(self, text: str, named: Set[str], most: int = MOST_TERMS) -> list[Hit]:
        """Documents, best first; the key that a query is comes right after the entry that lists it.

        Args:
            named: frameworks that the text names.
            most: terms of a long text that are used.
        """
        asked = self._keys.without_value(self._without_names(text))
        hits, begin = self._ranked(asked, named, most), beginning(asked)
        if len(begin) < len(asked):
            hits = added(hits, self._ranked(begin, named, most))
        return self._keys.second(hits, asked)

    def _without_names(self, text: str) -> str:
        """A key that is asked for with the name of a framework, without that; any other text as it is."""
        words = text.split() if len(text) < _SHORT else []
        others = [word for word in words if word.lower() not in self._names]
        return others[0] if len(others) == 1 < len(words) <= 4 and self._keys.listed(others[0]) else text

    def _ranked(self, text: str, named: Set[str], most: int) -> list[Hit]:
        terms = self._terms(text, most)
        listed = self._keys.listed(text)
        question = len(terms) <= _SPOKEN and not listed
        begin = text if question else beginning(text)
        begun = terms if question else self._all_terms(begin)
        meant = {} if listed else meant_by(self._synonyms, begin, begun, self._rarity)
        weigh = self._term_weight(terms, meant, frozenset() if question else self._aside(text, terms))
        scores: dict[int, float] = {}
        hits: dict[int, dict[str, None]] = {}
        for term in (*terms, *meant):
            for found in self._found(term, terms, meant):
                weight = weigh(term) * found.weight
                for number, score in self._index.postings(found.term).items():
                    scores[number] = scores.get(number, 0) + score * weight
                    hits.setdefault(number, {})[term] = None
        made = [
            Hit(number, score * said(hits[number], meant) * self._weight(number, named, listed), tuple(hits[number]))
            for number, score in scores.items()
        ]
        made.sort(key=by_score)
        return self._pairs_first(made, pairs_of(terms)) if question else made

    def _rarity(self, term: str) -> int:
        """How many documents have a term."""
        return len(self._index.postings(term))

    def _terms(self, text: str, most: int) -> list[str]:
        """Terms of a query, the rarest of them when a whole log was pasted."""
        terms = self._all_terms(text)
        if len(terms) <= most:
            return terms
        return sorted(filter(self._rarity, terms), key=self._rarity)[:most]

    def _all_terms(self, text: str) -> list[str]:
        return list(dict.fromkeys(processed(tokenize(self._guide.without_places(self._guide.cleaned(text))))))

    def _aside(self, text: str, terms: Sequence[str]) -> Set[str]:
        """Terms that stand only in settings and metrics, if the text says something besides."""
        bare = self._guide.without_settings(text)
        said = self._all_terms(bare) if bare != text else ()  # a text without settings is not cut into words again
        return frozenset(terms).difference(said) if len(said) >= _ENOUGH else frozenset()

    def _found(self, term: str, terms: Sequence[str], meant: Mapping[str, Meant]) -> Iterator[Found]:
        """Terms of the index for one of the query: itself, what it begins, what it misspells."""
        known = bool(self._rarity(term))
        if known:
            yield Found(term, 1)
        if term in meant or len(terms) > _LONG:
            return
        if term == terms[-1] and len(term) > 2:
            yield from self._index.begun(term)
        if not known and len(term) > 5 and _PLAIN.fullmatch(term):
            yield from self._index.misspelt(term)

    def _term_weight(self, terms: Sequence[str], meant: Mapping[str, Meant], aside: Set[str]) -> Callable[[str], float]:
        """What each term of a query counts.

        An identifier that is known whole says more than its parts, which stand everywhere; the more so if it is all of the
        query. The name of a framework narrows, it is not what is asked.
        """
        whole = {term for term in terms if _IDENTIFIER.search(term) and self._rarity(term)}
        parts = {made for term in whole for part in identifier_parts(term) if (made := process(part))}
        part = _PART_ALONE if len(whole) == 1 and len(terms) == 1 + len(parts) else _PART

        def weigh(term: str) -> float:
            if term in meant:
                weight = meant[term].weight
            elif term in self._names and len(terms) > 1:
                weight = _NAME
            else:
                weight = _WHOLE if term in whole else part if term in parts else 1.0
            return weight * (_ASIDE if term in aside else 1) * self._index.telling(term)

        return weigh

    def _weight(self, number: int, named: Set[str], listed: Set[int]) -> float:
        """What a document counts; `listed` are those that list the key that is all of the query."""
        document = self.documents[number]
        if document.framework == SHARED:
            framework = _SHARED if named else _UNNAMED
        else:
            framework = (_OWN if document.framework in named else _FOREIGN) if named else 1.0
        return _KIND[document.kind] * framework * (2 if number in listed else 1)

    def _pairs_first(self, hits: Sequence[Hit], pairs: Sequence[str]) -> list[Hit]:
        """The best results anew: entries that have two neighbouring words of the query side by side come up."""
        best = [replace(hit, score=hit.score * self._pair_weight(hit.entry, pairs)) for hit in hits[:_BEST]]
        return [*sorted(best, key=by_score), *hits[_BEST:]]

    def _pair_weight(self, number: int, pairs: Sequence[str]) -> float:
        if number >= self._own:
            return 1
        same = sum(pair in self._pairs(number) for pair in pairs)
        return 1 + _PAIR * same / max(2, len(pairs))

    def _pairs_in(self, number: int) -> frozenset[str]:
        """Neighbouring words of what stands above and around an entry's answer: its title, its errors, how people ask."""
        document = self.documents[number]
        texts = (document.title, document.asked, *self._wordings.get(document.id, ()))
        return frozenset(pair for text in texts for pair in pairs_of(processed(tokenize(text))))


def finder_of(data: Mapping[str, Any], guide: Guide) -> Finder:
    """What `<language>-search.json` holds, ready to be asked.

    Raises:
        FormatError: it has another structure.
    """
    if data.get("format") != FORMAT:
        raise FormatError(f"search data of format {data.get('format')!r}, {FORMAT} is read here")
    documents = [*entries(data["documents"], data["asked"]), *unpack(data["more"]), *unpack(data["bugs"])]
    rows = [data[name] for name in ("head", "text", "others", "known")]
    return Finder(guide, documents, Index(rows, len(data["documents"])))


def read_finder(folder: Path, language: str, guide: Guide) -> Finder:
    """Read `<language>-search.json`.

    Raises:
        FormatError: it has another structure.
        OSError: there is none.
    """
    return finder_of(json.loads((folder / f"{language}-search.json").read_text(encoding="utf-8")), guide)
