"""One book: which pages it holds, their text as Typst, the data of cover and indexes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from xml.etree.ElementTree import Element

from fieldguide.book.article import render_article
from fieldguide.book.calls import block, literal, plain_text
from fieldguide.book.emit import to_typst
from fieldguide.book.indexes import error_index, key_index, letters_data
from fieldguide.book.links import Links, label_of
from fieldguide.book.mapper import Mapper
from fieldguide.book.rules import RULES, leave_out
from fieldguide.book.scope import ERRORS_PAGE, Scope
from fieldguide.book.settings import Settings
from fieldguide.content.document import Document
from fieldguide.content.guide import Guide
from fieldguide.content.problems import ContentError
from fieldguide.site.configuration import NavPage, topic_of
from fieldguide.site.publish.catalog import catalog_json


@dataclass(frozen=True)
class Chapter:
    """One page of the navigation in the book, with those that follow it.

    Attributes:
        title: plain text, for the running head.
        articles: their HTML, mapped for Typst.
        listed: level and title of its headings that the contents name.
        entries: ids of the entries it holds.
        keys: ids of the keys it defines or links to.
    """

    page: NavPage
    title: str
    articles: tuple[Element, ...]
    listed: tuple[tuple[int, str], ...]
    entries: tuple[str, ...]
    keys: frozenset[str]


@dataclass(frozen=True)
class Book:
    """Everything but the pages' Typst text.

    Attributes:
        preface: what stands above the index of error strings.
        pictures: file name → SVG.
    """

    guide: Guide
    settings: Settings
    language: str
    scope: Scope
    links: Links
    chapters: tuple[Chapter, ...]
    preface: Element
    pictures: Mapping[str, str]

    @property
    def articles(self) -> list[Element]:
        return [*(article for chapter in self.chapters for article in chapter.articles), self.preface]


def gather(guide: Guide, settings: Settings, language: str, scope: Scope) -> Book:
    """Render and map every page of a book.

    Raises:
        ContentError: every construct without a rule, every dead link, every skipped heading level.
    """
    rendered, dropped = _rendered(guide, settings, language, scope)
    pages = frozenset(document.name for _, written in rendered for document, _ in written)
    links = Links(guide, language, settings.url, pages, dropped)
    mapper = Mapper(guide, links, RULES)
    chapters = tuple(_chapter(mapper, *one) for one in rendered)
    preface = _preface(mapper, guide, settings, language)
    book = Book(guide, settings, language, scope, links, chapters, preface, mapper.pictures)
    links.defined.update(letter["label"] for letter in _error_letters(book))
    problems = [*mapper.problems, *links.dangling()]
    if problems:
        raise ContentError(problems)
    return book


Written = list[tuple[Document, Element]]


def _rendered(
    guide: Guide, settings: Settings, language: str, scope: Scope
) -> tuple[list[tuple[NavPage, Written]], frozenset[str]]:
    """Chapters with the pages of each and what the book shows of them, and the labels of what it leaves out."""
    chapters, dropped = [], set[str]()
    for page in scope.pages(settings.nav, guide):
        written = []
        for name in (page.name, *scope.following(page.name, guide)):
            document = guide.documents[language][name]
            article = render_article(guide, settings, document)
            labels = _labels(name, article)
            leave_out(article)
            if topic_of(name):
                scope.prune(article, guide)
            dropped |= labels - _labels(name, article)
            written.append((document, article))
        chapters.append((page, written))
    return chapters, frozenset(dropped)


def _labels(page: str, article: Element) -> set[str]:
    return {label_of(page, element.get("id", "")) for element in article.iter() if element.get("id")}


def _chapter(mapper: Mapper, page: NavPage, written: Written) -> Chapter:
    first, article = written[0]
    heading = article.find("h1")
    title = plain_text(heading) if heading is not None else first.title
    entries = tuple(document.sections[0].id for document, _ in written if document.sections[0].id in mapper.guide.catalog.entry)
    keys = frozenset(key for _, article in written for key in _keys(article))
    articles, listed = [], []
    for number, (document, article) in enumerate(written):
        articles.append(mapper.article(document, article, page.depth, below=min(number, 1)))
        listed += mapper.listed
    return Chapter(page, title, tuple(articles), tuple(listed), entries, keys)


def _keys(article: Element) -> Iterator[str]:
    """Keys that a page defines or links to."""
    for element in article.iter():
        if element.get("data-key"):
            yield element.get("data-key", "")
        elif element.get("class") == "fg-keys":
            yield from (item.get("id", "") for item in element)
        elif element.get("class") == "fg-key":
            yield element.get("href", "").partition("#")[2]


def _preface(mapper: Mapper, guide: Guide, settings: Settings, language: str) -> Element:
    """The words above the table of error texts; its heading and letters become those of the index."""
    document = guide.documents[language].get(ERRORS_PAGE)
    if document is None:
        return block("fg-article")
    mapper.links.defined.add(label_of(ERRORS_PAGE, document.sections[0].id))
    article = render_article(guide, settings, document)
    for child in list(article):
        if child.tag != "p" or child.get("class"):
            article.remove(child)
    return mapper.article(document, article, 0)


def _error_letters(book: Book) -> list[dict[str, Any]]:
    entries = frozenset(entry for chapter in book.chapters for entry in chapter.entries)
    return letters_data(error_index(book.guide, entries, book.guide.words[book.language]["framework_any"]), ERRORS_PAGE)


def _key_letters(book: Book) -> list[dict[str, Any]]:
    ids = frozenset(key for chapter in book.chapters for key in chapter.keys)
    keys = [owned for owned in book.guide.catalog.owned_keys if owned.id in ids]
    any_framework = book.guide.words[book.language]["framework_any"]
    return letters_data(key_index(book.guide, keys, book.links.pages, any_framework), None)


def typst_files(book: Book) -> Mapping[str, str]:
    """Name → text of every file that Typst needs besides the template."""
    files = {f"{i:04}.typ": f'#import "template.typ": *\n{to_typst(article)}' for i, article in enumerate(book.articles)}
    names = list(files)
    return {
        **files,
        **book.pictures,
        "main.typ": _main(book, names),
        "book.json": json.dumps(_cover(book), ensure_ascii=False),
        "contents.json": json.dumps(_contents(book), ensure_ascii=False),
        "errors.json": json.dumps(_error_letters(book), ensure_ascii=False),
        "keys.json": json.dumps(_key_letters(book), ensure_ascii=False),
        "catalog.json": catalog_json(book.guide, book.settings),
    }


def _main(book: Book, names: Sequence[str]) -> str:
    lines = ['#import "template.typ": *', "#show: fg-book"]
    files = iter(names)
    for chapter in book.chapters:
        own = list(islice(files, len(chapter.articles)))
        lines.append(f"#fg-chapter({literal(chapter.title)}, {literal(_part(book, chapter))}, {literal(own)})")
    document = book.guide.documents[book.language].get(ERRORS_PAGE)
    anchor = label_of(ERRORS_PAGE, document.sections[0].id) if document else ERRORS_PAGE
    return "\n".join([*lines, f"#fg-indexes({literal(names[-1])}, {literal(anchor)})", ""])


def _part(book: Book, chapter: Chapter) -> str | None:
    """Name of the part that begins with a chapter."""
    part = chapter.page.part
    return book.settings.labels[book.language].get(part, part) or None


def _contents(book: Book) -> list[dict[str, Any]]:
    """What the contents will say, without pages: the template keeps room for it until Typst knows them."""
    rows: list[tuple[int, str]] = []
    for chapter in book.chapters:
        part = _part(book, chapter)
        rows += [(1, part)] if part else []
        rows += chapter.listed
    words = book.settings.words[book.language]
    rows += [(1, words["error_index"]), (1, words["key_index"])]
    return [{"level": level, "title": title} for level, title in rows]


def _cover(book: Book) -> dict[str, Any]:
    """What the template knows of the book: cover, metadata, words."""
    settings, language, catalog = book.settings, book.language, book.guide.catalog
    framework = book.scope.framework
    pinned = [
        {"name": one.name, "repository": one.repository, "commit": (one.commit or "")[:10], "date": one.date}
        for one in catalog.framework.values()
        if framework in (None, one.id, one.glossary)
    ]
    return {
        "lang": language,
        "title": settings.names[language],
        "scope": _scope_name(book),
        "description": settings.descriptions[language],
        "author": settings.words[language]["contributors"].format(settings.names[language]),
        "version": settings.version,
        "date": settings.date,
        "copyright": settings.copyrights[language],
        "address": book.links.address("index"),
        "frameworks": pinned,
        "words": settings.words[language],
        "marks": book.links.linked_marks(),
    }


def _scope_name(book: Book) -> str:
    """`slime · Memory`: what a part of the guide is about; empty for the whole."""
    scope, documents = book.scope, book.guide.documents[book.language]
    names = [book.guide.catalog.framework[scope.framework].name] if scope.framework else []
    names += [documents[f"topics/{scope.topic}/index"].title] if scope.topic else []
    return " · ".join(names)
