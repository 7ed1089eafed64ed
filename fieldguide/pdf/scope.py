"""Which part of the guide a book holds: all of it, one framework's, one topic's."""

from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from fieldguide.catalog.store import SHARED
from fieldguide.guide import Guide
from fieldguide.markdown.sections import heading_level
from fieldguide.pdf.settings import SettingsError
from fieldguide.site import NavPage

ERRORS_PAGE = "errors"


@dataclass(frozen=True)
class Scope:
    """The framework and the topic that the book is about; None for all."""

    framework: str | None = None
    topic: str | None = None

    @property
    def whole(self) -> bool:
        return self.framework is None and self.topic is None

    @property
    def file_part(self) -> str:
        """`-slime-memory`: what the file name says of it; empty for the whole guide."""
        return "".join(f"-{part}" for part in (self.framework, self.topic) if part)

    def check(self, guide: Guide) -> None:
        """See that framework and topic exist.

        Raises:
            SettingsError: one does not; the known ones are named.
        """
        topics = sorted({*guide.catalog.topic_of.values()})
        for given, known, what in ((self.framework, list(guide.catalog.framework), "framework"), (self.topic, topics, "topic")):
            if given is not None and given not in known:
                raise SettingsError(f"no {what} {given!r}; known: {', '.join(known)}")

    def pages(self, nav: tuple[NavPage, ...], guide: Guide) -> list[NavPage]:
        """Pages of the book in order, a landing page first; the page of error texts becomes the index at the back."""
        if self.whole:
            return [page for page in nav if page.name != ERRORS_PAGE]
        held = [replace(page, depth=0, part="") for page in nav if self._holds(page.name, guide)]
        return sorted(held, key=lambda page: not page.name.startswith("frameworks/"))

    def _holds(self, name: str, guide: Guide) -> bool:
        if self.topic:
            return name == f"topics/{self.topic}"
        folder, _, page = name.partition("/")
        glossary = guide.catalog.glossary_of(self.framework or "")
        return page in (glossary, SHARED) if folder in ("frameworks", "glossary") else folder == "topics" and page != "index"

    def prune(self, article: Element, guide: Guide) -> bool:
        """Take other frameworks' sections out of a topic page, and a heading below which nothing else stood.

        Returns:
            whether an entry is left; a page without one is left out of the book.
        """
        if self.framework is None:
            return True
        same = {one.id for one in guide.catalog.framework.values() if one.glossary == self.framework}
        members = frozenset({self.framework, SHARED} | same)
        for group in _groups(article):
            owners = {section.get("data-fw") for one in group for section in one.iter("section")} - {None}
            if owners and not owners & members:
                for one in group:
                    article.remove(one)
        _remove_foreign(article, members)
        return any(section.get("data-entry") for section in article.iter("section"))


def _remove_foreign(parent: Element, members: frozenset[str]) -> None:
    for child in list(parent):
        if child.tag == "section" and child.get("data-fw", SHARED) not in members:
            parent.remove(child)
        else:
            _remove_foreign(child, members)


def _groups(article: Element) -> list[list[Element]]:
    """Children of the article, each second-level heading or section with what stands below it."""
    groups: list[list[Element]] = [[]]
    for child in article:
        head = child[0] if child.tag == "section" and len(child) else child
        if heading_level(head) == 2:
            groups.append([])
        groups[-1].append(child)
    return groups[1:]
