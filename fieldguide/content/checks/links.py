"""Every link inside the guide leads to a page and a heading that exist."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.document import Document, Link
from fieldguide.content.guide import Guide
from fieldguide.content.listing import generated_ids
from fieldguide.content.problems import Problem


def check_links(guide: Guide) -> Iterator[Problem]:
    """Dead links of both languages, with file and line."""
    made = generated_ids(guide)
    for language in LANGUAGES:
        pages = guide.documents[language]
        ids = {name: {*document.by_id, *_blocks(document, made)} for name, document in pages.items()}
        for document in pages.values():
            for section in document.sections:
                for link in section.links:
                    if fault := _fault(document, link, ids):
                        yield Problem(document.path, link.line, fault)


def _blocks(document: Document, made: dict[str, set[str]]) -> Iterator[str]:
    """Ids of what the catalog blocks of a page bring along."""
    for section in document.sections:
        for block in section.blocks:
            yield from made.get(block.removeprefix("/// catalog |").strip(), ())


def _fault(document: Document, link: Link, ids: dict[str, set[str]]) -> str | None:
    parts = urlsplit(link.href)
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    if path and not path.endswith(".md"):
        return f"dead link {link.href!r}: link to the .md file of a page"
    name = (
        posixpath.normpath(posixpath.join(posixpath.dirname(document.name), path)).removesuffix(".md")
        if path
        else document.name
    )
    if name not in ids:
        return f"dead link {link.href!r}: no page {name}.md"
    anchor = unquote(parts.fragment)
    if anchor and anchor not in ids[name]:
        return f"dead link {link.href!r}: no heading #{anchor} on {name}.md"
    return None
