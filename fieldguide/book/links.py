"""Where a link of a page leads inside the book, or on the site when the book does not hold the target."""

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import unquote, urldefrag, urlsplit

from fieldguide.book.scope import ERRORS_PAGE
from fieldguide.content.addresses import FIRST, page_address, permalink_address
from fieldguide.content.document import Document
from fieldguide.content.guide import Guide
from fieldguide.content.listing import moved_ids
from fieldguide.content.problems import Problem


@dataclass(frozen=True)
class Target:
    """A place in the book (`label`) or an address (`url`); the other one is empty."""

    label: str = ""
    url: str = ""


@dataclass
class Links:
    """Resolves links, and keeps what was defined and used until the whole book is known.

    Attributes:
        pages: names of the pages in the book.
        dropped: labels of what the scope of the book took out of them.
        defined: labels that exist.
        marks: those of them that are no headings.
        used: label → places that link to it.
    """

    guide: Guide
    language: str
    site: str
    pages: frozenset[str]
    dropped: frozenset[str] = frozenset()
    defined: set[str] = field(default_factory=set)
    marks: set[str] = field(default_factory=set)
    used: dict[str, list[Problem]] = field(default_factory=dict)

    @cached_property
    def moved(self) -> dict[str, str]:
        """Label by which a page knew something, or knows it by a former id → the label of its place now."""
        catalog, english = self.guide.catalog, self.guide.documents[FIRST]
        found: dict[str, str] = {}
        for entry in catalog.entry.values():
            page, index = catalog.page_of(entry.id), f"topics/{catalog.topic_of[entry.id]}/index"
            for id_ in moved_ids(self.guide, entry):
                here = label_of(page, id_ if id_ in english[page].by_id else entry.id)
                found |= {label_of(place, id_): here for place in (index, page)}
        for owned in catalog.owned_keys:
            page, index = self.guide.page_of_key[owned.id], f"glossary/{owned.owner}/index"
            for id_ in (owned.id, *owned.key.aliases):
                found |= {label_of(place, id_): label_of(page, owned.id) for place in (index, page)}
        return {before: now for before, now in found.items() if before != now}

    def address(self, page: str, anchor: str = "") -> str:
        """Address on the site."""
        return self.site + page_address(self.language, page) + (f"#{anchor}" if anchor else "")

    def permalink(self, entry: str) -> str:
        """Short address of an entry on the site."""
        return self.site + permalink_address(entry)

    def resolve(self, document: Document, href: str) -> Target | Problem:
        """Where `href`, written on the page of `document`, leads."""
        if urlsplit(href).scheme:
            return Target(url=href)
        path, anchor = urldefrag(href)
        here = posixpath.dirname(document.name)
        name = posixpath.normpath(posixpath.join(here, unquote(path))).removesuffix(".md") if path else document.name
        page = self.guide.documents[self.language].get(name)
        if page is None:
            return _problem(document, href, "leads to no page")
        label = label_of(name, anchor or page.sections[0].id)
        if label in self.moved:
            label = self.moved[label]
            name, _, anchor = label.partition(":")
        if (name not in self.pages and name != ERRORS_PAGE) or label in self.dropped:
            return Target(url=self.address(name, anchor))
        self.used.setdefault(label, []).append(_problem(document, href, "leads to no heading"))
        return Target(label=label)

    def linked_marks(self) -> list[str]:
        """Labels that links lead to and that are no headings; Typst names no place in the PDF after them."""
        return sorted(self.marks & self.used.keys())

    def dangling(self) -> Iterable[Problem]:
        """Links to places that no page defined."""
        return (place for label, places in self.used.items() if label not in self.defined for place in places)


def label_of(page: str, anchor: str) -> str:
    """Label of a heading or row: unique in the book even where two pages use one id."""
    return f"{page}:{anchor}"


def _problem(document: Document, href: str, what: str) -> Problem:
    written = (link.line for section in document.sections for link in section.links if link.href == href)
    line = next(written, 0)
    where = "" if line else " (made by a card or catalog block)"
    return Problem(document.path, line, f"link {href!r} {what}{where}")
