"""What can be found: entries, and keys and other sections as they are packed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_NOT_IN_SLUGS = re.compile("[^a-z0-9]+")


@dataclass(frozen=True)
class Document:
    """An entry, a key or another section of a page; `location` is its address below the root of the site."""

    id: str
    kind: str
    title: str
    location: str
    topic: str
    framework: str
    keys: tuple[str, ...] = ()
    asked: str = ""
    text: str = ""
    short: str = ""


def entries(rows: Sequence[Mapping[str, Any]], asked: Sequence[str]) -> list[Document]:
    """Entries, in the order of the compiled guide; `asked` is how people ask for each."""
    return [
        Document(**{**row, "kind": "entry", "keys": tuple(row["keys"]), "asked": words})
        for row, words in zip(rows, asked, strict=True)
    ]


def unpack(more: Mapping[str, Any]) -> list[Document]:
    """Keys and other sections: those with words of their own, then keys of which only the name is there."""
    with_words = (one for page in more["pages"] for one in _sections(page))
    return [*with_words, *(one for page in more["keys"] for one in _named_keys(page))]


def _sections(page: Mapping[str, Any]) -> Iterator[Document]:
    for anchor, kind, title, keys, text in page["documents"]:
        location = f"{page['address']}#{anchor}" if anchor else page["address"]
        yield Document(anchor, kind, title or keys[0], location, page["topic"], page["framework"], tuple(keys), text=text)


def _named_keys(page: Mapping[str, Any]) -> Iterator[Document]:
    for row in page["names"]:
        name, _, own = row.partition(" ")
        id_ = own or f"{page['owner']}-{_NOT_IN_SLUGS.sub('-', name.lower()).strip('-')}"
        title = "--" + name.replace("_", "-") if page["flags"] else name
        keys = (name.rpartition(".")[2], name) if "." in name else (name,)
        yield Document(id_, "key", title, f"{page['location']}#{id_}", page["title"], page["owner"], keys)
