"""Which part of the guide a book holds: all of it, one framework's, one topic's."""

from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from fieldguide.book.settings import SettingsError
from fieldguide.content.addresses import FIRST
from fieldguide.content.bugs import ledgers, owner_of
from fieldguide.content.catalog.models import Entry
from fieldguide.content.guide import Guide
from fieldguide.content.listing import key_index
from fieldguide.runtime.guide import SHARED
from fieldguide.site.configuration import NavPage, topic_of
from fieldguide.site.markdown.sections import heading_level

ERRORS_PAGE = "errors"
_OWNED = ("section", "li")  # what can belong to one framework


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
        """Pages that begin a chapter, in order, a landing page first; that of error texts becomes the index at the back."""
        if self.whole:
            return [page for page in nav if page.name != ERRORS_PAGE]
        held = [replace(page, depth=0, part="") for page in nav if self._holds(page.name, guide)]
        return sorted(held, key=lambda page: not page.name.startswith("frameworks/"))

    def _holds(self, name: str, guide: Guide) -> bool:
        folder, _, page = name.partition("/")
        if folder == "topics":
            topic = topic_of(name)
            entries = guide.catalog.entries_of.get(topic or "", ())
            return self.topic in (None, topic) and any(self._has(guide, entry) for entry in entries)
        owners = (guide.catalog.glossary_of(self.framework or ""), SHARED)
        if name == "bugs/index":
            return not self.topic and bool(self.following(name, guide))
        return not self.topic and folder in ("frameworks", "glossary") and page.removesuffix("/index") in owners

    def _has(self, guide: Guide, entry: Entry) -> bool:
        return self.framework is None or entry.framework in self._members(guide)

    def _members(self, guide: Guide) -> frozenset[str]:
        """The framework, its legacy line, and what all frameworks share."""
        same = {one.id for one in guide.catalog.framework.values() if one.glossary == self.framework}
        return frozenset({self.framework or SHARED, SHARED} | same)

    def following(self, page: str, guide: Guide) -> list[str]:
        """Pages outside the navigation that follow this one in its chapter: entries of a topic, groups of a glossary."""
        if topic := topic_of(page):
            return [guide.catalog.page_of(one.id) for one in guide.catalog.entries_of.get(topic, ()) if self._has(guide, one)]
        if page == "bugs/index":
            own = guide.catalog.glossary_of(self.framework) if self.framework else None
            return [f"bugs/{name}" for name in ledgers(guide.catalog) if own in (None, owner_of(name))]
        folder, _, owner = page.removesuffix("/index").partition("/")
        if folder != "glossary" or not owner:
            return []
        listed = [group.page for group in key_index(guide, owner) if group.page]
        home = f"glossary/{owner}/"
        pages = [name for name in guide.documents[FIRST] if name.startswith(home) and name != f"{home}index"]
        return [*listed, *(name for name in pages if name not in listed)]  # those of removed keys alone are last

    def prune(self, article: Element, guide: Guide) -> None:
        """Take what belongs to other frameworks out of a topic's page, and a heading below which nothing else stood."""
        if self.framework is None:
            return
        members = self._members(guide)
        for group in _groups(article):
            owners = {part.get("data-fw") for one in group for part in one.iter() if part.tag in _OWNED} - {None}
            if owners and not owners & members:
                for one in group:
                    article.remove(one)
        _remove_foreign(article, members)


def _remove_foreign(parent: Element, members: frozenset[str]) -> None:
    for child in list(parent):
        if child.tag in _OWNED and child.get("data-fw", SHARED) not in members:
            parent.remove(child)
        else:
            _remove_foreign(child, members)
            if child.tag == "ul" and not len(child):
                parent.remove(child)


def _groups(article: Element) -> list[list[Element]]:
    """Children of the article, each second-level heading or section with what stands below it."""
    groups: list[list[Element]] = [[]]
    for child in article:
        head = child[0] if child.tag == "section" and len(child) else child
        if heading_level(head) == 2:
            groups.append([])
        groups[-1].append(child)
    return groups[1:]
