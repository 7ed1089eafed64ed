"""Compile the index of full-text search: how much each term says about each document (BM25+ over weighted fields).

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the lower bound of Lv and Zhai,
"Lower-Bounding Term Frequency Normalization" (2011). Nothing of that is left to who asks: scores are looked up and added.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from math import log
from typing import Any

from fieldguide.runtime.rank.tokens import is_cjk, processed, tokenize

# How much a field says. The head is what a first answer needs; the rest comes in a piece of its own.
HEAD = {"title": 5.0, "wordings": 3.0, "keys": 3.0}
TEXT = {"asked": 3.0, "other": 2.0, "text": 1.5, "short": 1.0}
# Running text is found by whole identifiers, not by their parts: a fifth fewer terms.
_RUNNING = "text"
_K, _B, _LEAST = 1.2, 0.7, 0.5
# A pair of Chinese characters that fewer documents have is mostly two halves of words.
_RARE = 3
# Scores are kept as whole numbers of this part.
_SCALE = 1 / 3

Fields = Mapping[str, str]
Rows = dict[str, list[Any]]
Scores = dict[str, dict[int, float]]


def score(documents: Sequence[Fields], boosts: Mapping[str, float]) -> Scores:
    """What the terms of some fields say about each document.

    Args:
        documents: all of them, since how rare a term is counts in all: text by field.
        boosts: how much each field says.

    Returns:
        term → document → score.
    """
    total: Scores = {}
    for name, boost in boosts.items():
        counts = [Counter(processed(tokenize(one.get(name, ""), whole=name == _RUNNING))) for one in documents]
        for term, number, own in _scores(counts):
            scores = total.setdefault(term, {})
            scores[number] = scores.get(number, 0) + boost * own
    return total


def without_rare_pairs(head: Scores, text: Scores, spoken: Sequence[str]) -> tuple[Scores, Scores]:
    """The same scores without the pairs of Chinese characters that few documents have, a third of what the pairs weigh.

    Args:
        head, text: scores of all documents.
        spoken: texts whose pairs are kept however rare they are.

    >>> without_rare_pairs({"卡死": {0: 5}}, {"存不": {0: 1, 7: 2}, "ckpt": {0: 1}}, ["训练卡死"])
    ({'卡死': {0: 5}}, {'ckpt': {0: 1}})
    """
    kept = {term for one in spoken for term in processed(tokenize(one))}
    having = Counter(term for part in (head, text) for term in part if is_cjk(term) for _ in part[term])
    rare = {term for term, number in having.items() if number < _RARE} - kept
    return _without(head, rare), _without(text, rare)


def _without(scores: Scores, terms: Set[str]) -> Scores:
    return {term: one for term, one in scores.items() if term not in terms}


def compile_rows(parts: Sequence[Scores], among: range, scale: float = _SCALE) -> Rows:
    """Scores of the documents of a range, added up and scaled, as `Rows` of `fieldguide.runtime.rank.index`."""
    total: Scores = {}
    for part in parts:
        for term, scores in part.items():
            for number, own in scores.items():
                if number in among:
                    held = total.setdefault(term, {})
                    held[number] = held.get(number, 0) + own
    rows: Rows = {"terms": [], "counts": [], "steps": [], "scores": []}
    for term, scores in sorted(total.items()):
        rows["terms"].append(term)
        rows["counts"].append(len(scores))
        before = 0
        for number, own in sorted(scores.items()):
            rows["steps"].append(number - before)
            rows["scores"].append(max(1, round(own * scale)))
            before = number
    return rows


def _scores(counts: Sequence[Counter[str]]) -> Iterator[tuple[str, int, float]]:
    """(term, document, score) of one field; `counts` is how often each term stands in that of each document."""
    average = sum(map(len, counts)) / len(counts)
    having = Counter(term for one in counts for term in one)
    rare = {term: log(1 + (len(counts) - number + 0.5) / (number + 0.5)) for term, number in having.items()}
    for number, one in enumerate(counts):
        size = _K * (1 - _B + _B * len(one) / average) if average else _K
        for term, times in one.items():
            yield term, number, rare[term] * (_LEAST + times * (_K + 1) / (times + size))
