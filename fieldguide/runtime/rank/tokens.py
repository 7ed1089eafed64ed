"""Words of a text as the index files them.

The browser does the same in `overrides/assets/javascripts/rank/tokens.js`; `tests/test_find.py` holds both to the same answers.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
# A run of Chinese or Japanese characters, a word or identifier, or what a broken model prints.
CHUNK = re.compile(rf"[{CJK}]+|[A-Za-z0-9_][A-Za-z0-9_.\-]*|!!!+")
_IS_CJK = re.compile(f"[{CJK}]")
_PARTS = re.compile(r"[_.-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD_WITH_HYPHEN = re.compile(r"[A-Za-z]+-")
_PLURAL = re.compile(r"[a-z]{4,}s")
_NUMBER = re.compile(r"[0-9]{5,}")
_LONGEST = 80
_ENGLISH = (
    "a an the of to in on at by for from with and or is are was be it its this that as not no do does did can could how "
    "what when why which who i my me we you your if then than there here have has had get gets got but into one so"
)
_CHINESE = "的了是在和与或有吗呢么也就都要会我你它这那把被给用时个怎什为啊吧着"
STOP = frozenset([*_ENGLISH.split(), *_CHINESE])
# A pair of characters with one of them tells no entry from another.
_PARTICLES = frozenset("的了是在和与或吗呢么也就都这那把被给为啊吧着它我你")


def is_cjk(text: str) -> bool:
    """Whether a text has Chinese or Japanese characters."""
    return bool(_IS_CJK.search(text))


def identifier_parts(word: str) -> list[str]:
    """Parts of an identifier; none of a plain word.

    >>> identifier_parts("max_tokens_per_gpu"), identifier_parts("rolloutManager"), identifier_parts("rollout")
    (['max', 'tokens', 'per', 'gpu'], ['rollout', 'Manager'], [])
    """
    parts = _PARTS.split(word)
    return parts if len(parts) > 1 else []


def tokenize(text: str, whole: bool = False) -> Iterator[str]:
    """Words, identifiers whole and in parts, Chinese by pairs of characters.

    Args:
        whole: only words with hyphens in parts, off-policy but not off_policy.

    >>> list(tokenize("显存不足 max_tokens"))
    ['显存', '存不', '不足', 'max_tokens', 'max', 'tokens']
    """
    for run in CHUNK.findall(text):
        yield from _tokens_of(run, whole)


@lru_cache(maxsize=65536)
def _tokens_of(run: str, whole: bool) -> tuple[str, ...]:
    if run[0] == "!":
        return ("!!!",)
    if _IS_CJK.match(run):
        return tuple(_pairs_of_characters(run))
    chunk = run.rstrip(".-")
    if len(chunk) > _LONGEST or _NUMBER.fullmatch(chunk):
        return ()
    parts = () if whole and not _WORD_WITH_HYPHEN.match(chunk) else identifier_parts(chunk)
    return (chunk.replace("-", "_"), *(part for part in parts if len(part) > 1))


def _pairs_of_characters(run: str) -> Iterator[str]:
    if len(run) == 1:
        if run not in STOP:
            yield run
        return
    for one, other in pairwise(run):
        if one not in _PARTICLES and other not in _PARTICLES:
            yield one + other


def process(token: str) -> str | None:
    """A token as it is filed; None for a word that says nothing.

    >>> process("Workers"), process("loss"), process("the")
    ('worker', 'loss', None)
    """
    lower = token.lower()
    if lower in STOP:
        return None
    # The plural of plain English words only: identifiers and acronyms stay as they are.
    return lower[:-1] if _PLURAL.fullmatch(lower) and not lower.endswith(("ss", "us", "is")) else lower


def processed(tokens: Iterable[str]) -> list[str]:
    """The terms of some tokens, those left out that say nothing."""
    return [term for token in tokens if (term := process(token)) is not None]


def pairs_of(terms: list[str]) -> list[str]:
    """Neighbouring words, without Chinese, which is filed by pairs anyway."""
    return [f"{one} {other}" for one, other in pairwise(terms) if not is_cjk(one) and not is_cjk(other)]
