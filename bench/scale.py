"""More content of the same kind: copies whose addresses, and one word in six, are other than in the original."""

import re
from collections.abc import Sequence
from typing import Any
from zlib import crc32

from fieldguide.content.ranking import Scores, compile_rows
from fieldguide.content.signature import escape
from fieldguide.runtime.rank.index import Rows, scores_of

# Tags and entities of HTML stay as they are; of the text, words and Chinese characters.
_WORD = re.compile(r"<[^>]*>|&[#\w]+;|[A-Za-z]{4,}|[\u4e00-\u9fff]")
WORDS_CHANGED = 6
CHARACTERS_CHANGED = 12


def vary(text: str, copy: int) -> str:
    """`text` with some of its words changed, others in each copy; 0 is the original."""
    return _WORD.sub(lambda match: _varied(match.group(), copy), text) if copy else text


def _varied(word: str, copy: int) -> str:
    if word[0] in "<&":
        return word
    share = CHARACTERS_CHANGED if len(word) == 1 else WORDS_CHANGED
    if crc32(f"{copy} {word.lower()}".encode()) % share:
        return word
    return chr(0x4E00 + (ord(word) - 0x4E00 + 37 * copy) % 0x5000) if len(word) == 1 else word + letters(copy)


def letters(copy: int) -> str:
    """A short ending of letters, another for each copy.

    >>> letters(1), letters(2), letters(21)
    ('qb', 'qc', 'qbb')
    """
    return "q" + "".join("abcdefghijklmnopqrst"[int(digit)] for digit in _digits(copy, 20))


def _digits(number: int, base: int) -> list[int]:
    return [*(_digits(number // base, base) if number >= base else []), number % base]


def moved(location: str, copy: int) -> str:
    """Address of a copy: of its page and of its section.

    >>> moved("zh/topics/memory/#slime-oom", 3), moved("", 3), moved("zh/", 3)
    ('zh/topics/memory/copy-3/#slime-oom-3', 'copy-3/', 'zh/copy-3/')
    """
    if not copy:
        return location
    page, mark, anchor = location.partition("#")
    return f"{page}copy-{copy}/{mark}{anchor}" + (f"-{copy}" if mark else "")


def more_documents(documents: Sequence[dict[str, Any]], times: int) -> list[dict[str, Any]]:
    """Documents of our search data, `times` as many."""
    return [_document(document, copy) for copy in range(times) for document in documents]


def _document(document: dict[str, Any], copy: int) -> dict[str, Any]:
    if not copy:
        return document
    changed: dict[str, Any] = {
        "id": f"{document['id']}-{copy}",
        "location": moved(document["location"], copy),
        "title": vary(document["title"], copy),
        "short": vary(document["short"], copy),
        "keys": [vary(key, copy) for key in document["keys"]],
    }
    return document | changed


def more_rows(rows: Rows, documents: int, times: int, first: int = 0, start: int = 0) -> dict[str, list[Any]]:
    """Rows of our index, `times` as many documents: see `fieldguide.runtime.rank.index`.

    Args:
        documents: how many a copy has; what the rows say of later ones is left out.
        first, start: number of the first document, here and in what is made.
    """
    scores: Scores = {}
    for term, found in scores_of(rows).items():
        own = {number - first: score for number, score in found.items() if number < first + documents}
        for copy in range(times if own else 0):
            held = scores.setdefault(vary(term, copy), {})
            held.update({start + documents * copy + number: score for number, score in own.items()})
    return compile_rows([scores], range(start, start + documents * times), scale=1)


def more_pages(pages: Sequence[dict[str, Any]], times: int) -> list[dict[str, Any]]:
    """Pages of the second part of our search data, `times` as many: see `by_page` in fieldguide/content/searchable.py."""
    return [_page(page, copy) for copy in range(times) for page in pages]


def _page(page: dict[str, Any], copy: int) -> dict[str, Any]:
    if not copy:
        return page
    rows = [
        [f"{anchor}-{copy}" if anchor else "", kind, vary(title, copy), [vary(key, copy) for key in keys], vary(text, copy)]
        for anchor, kind, title, keys, text in page["documents"]
    ]
    return page | {"address": moved(page["address"], copy), "documents": rows}


def more_signatures(rows: Sequence[list[Any]], documents: int, times: int, start: int = 0) -> list[list[Any]]:
    """Signatures of our search data, `times` as many, another text in each: rows of `fieldguide.runtime.guide.Signature`.

    Args:
        documents: how many documents a copy has.
        start: how much further on the documents of the first copy stand.
    """
    return [_signature(row, start + documents * copy, copy) for copy in range(times) for row in rows]


def _signature(row: list[Any], further: int, copy: int) -> list[Any]:
    entry, pattern, weight, kind, anchor = row
    if copy:
        escaped = escape(anchor)
        pattern, anchor = pattern.replace(escaped, escaped + letters(copy), 1), anchor + letters(copy)
    return [entry + further, pattern, weight, kind, anchor]


def more_index(docs: Sequence[dict[str, Any]], times: int) -> list[dict[str, Any]]:
    """Documents of the theme's search index, `times` as many; pages stay before their sections."""
    return [
        doc | {"location": moved(doc["location"], copy), "title": vary(doc["title"], copy), "text": vary(doc["text"], copy)}
        for copy in range(times)
        for doc in docs
    ]


def vary_page(text: str, copy: int) -> str:
    """HTML of a page with some of its words, and the ids of its headings, changed."""
    return vary(re.sub(r'(<h[1-6][^>]*\bid=")([^"]*)"', rf'\1\2-{copy}"', text), copy) if copy else text
