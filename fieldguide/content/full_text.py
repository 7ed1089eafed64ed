"""What full-text search needs: the documents of each language, and the rows of its index."""

import re
from collections.abc import Mapping
from typing import Any

from fieldguide.content.addresses import FIRST, LANGUAGES
from fieldguide.content.bugs import in_order
from fieldguide.content.catalog.models import Bug
from fieldguide.content.document import plain_inline
from fieldguide.content.guide import Guide
from fieldguide.content.ranking import HEAD, TEXT, Scores, compile_rows, score, without_rare_pairs
from fieldguide.content.searchable import Searchable, searchable
from fieldguide.content.signature import display_signature
from fieldguide.runtime import guide as runtime
from fieldguide.runtime.rank.documents import unpack
from fieldguide.runtime.rank.tokens import CJK, is_cjk

_CHINESE = re.compile(f"[{CJK}]+")
# For a run of Chinese characters where only the Latin words around it count.
_ONE = "字"
# Fields in which an entry says what it is about.
_SPOKEN = ("title", "short", "asked")


def compile_search(guide: Guide) -> dict[str, dict[str, Any]]:
    """What full-text search needs, by language.

    Latin letters are looked up in what the English page says, whoever asks: errors are pasted in English into the Chinese site.
    Chinese characters are looked up in what the Chinese page says; the English site has of that only how it calls an entry.

    Returns:
        `{"format", "documents", "asked", "more", "bugs", "head", "text", "others", "known"}`: entries, how people ask for each,
        the rest packed, the bug ledger packed, and rows of the index: what the head of each entry says, what its answer says,
        what is said of the rest, and of bugs.
    """
    order = list(guide.catalog.entry)
    found = {language: searchable(guide, language, order) for language in LANGUAGES}
    fields = {language: _fields(guide, found, language) for language in LANGUAGES}
    scores = {language: (score(fields[language], HEAD), score(fields[language], TEXT)) for language in LANGUAGES}
    made = {}
    for language in LANGUAGES:
        head, text = map(_by_script, scores[FIRST], scores[language]) if language != FIRST else scores[FIRST]
        spoken = ["\n".join(one[name] for name in _SPOKEN) for one in fields[language][: len(order)]]
        made[language] = _search(found[language], *without_rare_pairs(head, text, spoken), len(fields[language]))
    return made


def _fields(guide: Guide, found: Mapping[str, Searchable], language: str) -> list[dict[str, str]]:
    """Texts of every document by field: entries, other sections and keys, rows of the bug ledger."""
    own, others = found[language], [found[other] for other in LANGUAGES if other != language]
    entries = [
        {
            "title": record["title"],
            "short": record["short"],
            "asked": own.asked[at],
            "keys": "\n".join(record["keys"]),
            "wordings": "\n".join(display_signature(one.text) for one in guide.catalog.signatures_of.get(record["id"], ())),
            "other": "\n".join(text for other in others for text in _called(other, at)),
            "text": own.answers[at],
        }
        for at, record in enumerate(own.entries)
    ]
    more = [{"title": one.title, "keys": "\n".join(one.keys), "text": one.text} for one in unpack(own.more)]
    return [*entries, *more, *(_bug_fields(one, language) for one in in_order(guide.catalog))]


def _called(other: Searchable, at: int) -> tuple[str, str, str]:
    """What the page of another language calls an entry: who types its words finds it on either site."""
    return other.entries[at]["title"], other.asked[at], other.entries[at]["short"]


def _bug_fields(bug: Bug, language: str) -> dict[str, str]:
    """What a row is found by; the list of results shows the rest."""
    what = plain_inline(bug.words(language).what)
    return {"title": what, "keys": "\n".join(bug.keys), "text": "\n".join(map(display_signature, bug.errors))}


def _by_script(first: Scores, own: Scores) -> Scores:
    """Terms of Latin letters as the first language scores them, those of Chinese characters as the own one does."""
    return {term: one for term, one in first.items() if not is_cjk(term)} | {
        term: one for term, one in own.items() if is_cjk(term)
    }


def _search(found: Searchable, head: Scores, text: Scores, documents: int) -> dict[str, Any]:
    entries = len(found.entries)
    all_but_bugs = entries + len(unpack(found.more))
    own, rest, known = range(entries), range(entries, all_but_bugs), range(all_but_bugs, documents)
    return {
        "format": runtime.FORMAT,
        "documents": found.entries,
        "asked": [_CHINESE.sub(_ONE, one) for one in found.asked],
        "more": found.more,
        "bugs": found.bugs,
        "head": compile_rows([head], own),
        "text": compile_rows([text], own),
        "others": compile_rows([head, text], rest),
        "known": compile_rows([head, text], known),
    }
