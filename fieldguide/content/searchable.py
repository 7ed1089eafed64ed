"""What search finds: entries, keys and other sections, as they are indexed and packed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fieldguide.content.addresses import page_address
from fieldguide.content.answer import labelled_parts, text_of
from fieldguide.content.bugs import bug_address, in_order, standing
from fieldguide.content.catalog.models import Bug, KeyKind
from fieldguide.content.catalog.store import Owned
from fieldguide.content.document import Document, plain_inline, plain_text
from fieldguide.content.guide import Guide
from fieldguide.content.keys import resolve_keys
from fieldguide.content.versions import package_names, pairs_of, shown_range
from fieldguide.runtime.guide import SHARED

# Bytes kept of a key's and of another section's text, enough for a teaser in either script; entries are indexed whole.
KEY_TEXT = 96
SECTION_TEXT = 140
CODE = re.compile(r"`[^`]+`")


def by_page(documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same documents in less space: what those of a page share stands once.

    Returns:
        `[{"address", "topic", "framework", "documents": [[id, kind, title, keys, text], …]}, …]`, as rank/documents.js
        reads it. The title of a key is its first spelling and is left out; a document without an id is the page itself.
    """
    pages: dict[tuple[str, str, str], dict[str, Any]] = {}
    for document in documents:
        address, _, anchor = document["location"].partition("#")
        shared = {"address": address, "topic": document["topic"], "framework": document["framework"], "documents": []}
        page = pages.setdefault((address, document["topic"], document["framework"]), shared)
        title = "" if document["kind"] == "key" else document["title"]
        page["documents"].append([anchor, document["kind"], title, document["keys"], document["text"]])
    return list(pages.values())


def key_names(guide: Guide, language: str) -> list[dict[str, Any]]:
    """Per page of a glossary: owner, title, address, and the keys that have no words there, by name or by place.

    A row is `name`, `dotted.place` or, when the id follows from neither, `name id`. One name is there once in a glossary, with
    its first place: the box of the glossary's index shows the others.
    """
    known = {(owned.owner, owned.key.name) for owned in guide.catalog.owned_keys if owned.id in guide.home_of}
    found = []
    for page, rows in guide.rows_of.items():
        fresh = {(owned.owner, owned.key.name): _row(owned) for owned in reversed(rows)}
        names = sorted(row for name, row in fresh.items() if name not in known)
        known |= fresh.keys()
        if names:
            found.append(
                {
                    "owner": rows[0].owner,
                    "title": plain_text(guide.documents[language][f"glossary/{rows[0].owner}/index"].title),
                    "location": page_address(language, page),
                    "flags": any(owned.key.kind is KeyKind.FLAG for owned in rows),
                    "names": names,
                }
            )
    return found


def _row(owned: Owned) -> str:
    for written in (owned.key.name, *owned.key.paths[:1]):
        if owned.id == f"{owned.owner}-{re.sub(r'[^a-z0-9]+', '-', written.lower()).strip('-')}":
            return written
    return f"{owned.key.name} {owned.id}"


@dataclass(frozen=True)
class Searchable:
    """What is found in one language.

    Attributes:
        entries: records of entries, in the order asked for: what a list of results shows.
        asked, answers: how people ask for each of them, and the text of its answer.
        more, bugs: keys and other sections, and the bug ledger, packed; `fieldguide.runtime.rank.documents` unpacks them.
    """

    entries: list[dict[str, Any]]
    asked: list[str]
    answers: list[str]
    more: dict[str, list[dict[str, Any]]]
    bugs: dict[str, list[dict[str, Any]]]


def searchable(guide: Guide, language: str, order: Sequence[str]) -> Searchable:
    """Collect what is found.

    Args:
        order: ids of all entries.
    """
    made = [_entry(guide, guide.entry_document(language, entry)) for entry in order]
    others = [
        _other(guide, document, index)
        for document in guide.documents[language].values()
        if not (document.sections and document.sections[0].id in guide.catalog.entry)
        for index in range(len(document.sections))
    ]
    others += _pairs(guide, language)
    more = {"pages": by_page(others), "keys": key_names(guide, language)}
    records, asked, answers = map(list, zip(*made, strict=True)) if made else ([], [], [])
    bugs = {"pages": by_page([_bug(guide, language, one) for one in in_order(guide.catalog)]), "keys": []}
    return Searchable(records, asked, answers, more, bugs)


def _entry(guide: Guide, document: Document) -> tuple[dict[str, Any], str, str]:
    """An entry's record, how people ask for it, and the text of its answer."""
    section = document.sections[0]
    entry, text = guide.catalog.entry[section.id], text_of(guide, document.language, section.id)
    displays = [owned.key.display for owned in resolve_keys(guide.keys, entry.keys, entry.framework)]
    # A dotted path is how a key of a YAML is copied; its last part alone is the display.
    keys = list(dict.fromkeys([*displays, *(key for key in entry.keys if "." in key)]))
    parts = dict(labelled_parts(guide, document.language, text))
    asked = parts.get("asked", "")
    # Nobody searches by commits and dates: of the paragraph on versions, what is printed or typed counts.
    versions = parts.get("versions", "").partition("\n\n")[0]
    names = " ".join(CODE.findall(versions))
    # Every entry has these labels: they tell none from the other.
    words = [word for name, word in guide.words[document.language].items() if name.startswith("label_")]
    label = re.compile(rf"\*\*(?:{'|'.join(map(re.escape, words))})\*\*[:：]?[ ]?")
    record = {
        "id": entry.id,
        "location": page_address(document.language, document.name),
        "title": plain_text(section.title),
        "short": plain_inline(document.short),
        "topic": plain_text(guide.documents[document.language][f"topics/{guide.catalog.topic_of[entry.id]}/index"].title),
        "framework": entry.framework,
        "keys": keys,
    }
    return record, plain_text(asked), plain_text(label.sub("", text.replace(asked, "")).replace(versions, names))


def _other(guide: Guide, document: Document, index: int) -> dict[str, Any]:
    section = document.sections[index]
    owned = guide.catalog.key_by_id.get(section.id)
    address = page_address(document.language, document.name)
    return {
        "id": section.id,
        "kind": "key" if owned else "section",
        "location": f"{address}#{section.id}" if section.level > 1 else address,
        "title": plain_text(section.title),
        "topic": plain_text(document.title) if section.level > 1 else "",
        "framework": guide.framework_at(document, index) or SHARED,
        "keys": list(dict.fromkeys([owned.key.display, *owned.key.paths[:1]])) if owned else [],
        "text": beginning(plain_text(section.text), KEY_TEXT if owned else SECTION_TEXT),
    }


def _pairs(guide: Guide, language: str) -> list[dict[str, Any]]:
    """Versions that do not go together, each on the page that shows it."""
    catalog, names = guide.catalog, package_names(guide.catalog)
    pages = {
        "versions/index": None,
        **{f"versions/{name}": name for name in {one.glossary for one in catalog.framework.values()}},
    }
    shown = [(page, fw, document) for page, fw in sorted(pages.items()) if (document := guide.documents[language].get(page))]
    return [
        {
            "id": f"pair-{pair.id}",
            "kind": "section",
            "location": f"{page_address(language, page)}#pair-{pair.id}",
            "title": " + ".join(f"{names[name]} {shown_range(spec)}".strip() for name, spec in pair.packages.items()),
            "topic": plain_text(document.title),
            "framework": framework or SHARED,
            "keys": [],
            "text": beginning(plain_text(f"{pair.words(language).what} {pair.error or ''}"), SECTION_TEXT),
        }
        for page, framework, document in shown
        for pair in pairs_of(catalog, framework)
    ]


def _bug(guide: Guide, language: str, bug: Bug) -> dict[str, Any]:
    """A row of the bug ledger: what happens, and which releases have it."""
    catalog = guide.catalog
    return {
        "id": bug.id,
        "kind": "bug",
        "location": bug_address(catalog, bug, language),
        "title": plain_inline(bug.words(language).what),
        "topic": "",
        "framework": catalog.framework_of_bug(bug.id),
        "keys": [],
        "text": plain_inline(standing(catalog, bug, guide.words[language])),
    }


def beginning(text: str, size: int) -> str:
    """As much of a text as fits into `size` bytes, up to the end of a word, with an ellipsis where more followed.

    >>> beginning("显存不足", 7), beginning("sets max_tokens_per_gpu", 12), beginning("max_tokens_per_gpu", 9)
    ('显存…', 'sets…', '')
    """
    fits = text.encode()[:size].decode(errors="ignore")
    if fits == text:
        return text
    whole = _LAST_WORD.sub("", fits) if _WORD_GOES_ON.match(text[len(fits) - 1 :]) else fits
    return f"{whole.rstrip()}…" if whole.strip() else ""


_WORD_GOES_ON = re.compile(r"[!-~]{2}")
_LAST_WORD = re.compile(r"[!-~]+$")
