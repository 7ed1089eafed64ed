"""What the theme's templates need from the guide."""

from collections.abc import Mapping
from dataclasses import dataclass

from fieldguide.content.addresses import FIRST, LANGUAGES, page_address, twin_address
from fieldguide.content.document import Document, plain_inline
from fieldguide.content.guide import Guide

# Keys that the description of a page names.
KEYS_NAMED = 8


@dataclass(frozen=True)
class Chip:
    """One choice of the framework filter; a framework and its legacy line are one choice."""

    id: str
    name: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class ThemeData:
    """Values for the templates in `overrides/`.

    Attributes:
        words: language → name → text, the first language first.
        chips: choices of the framework filter.
        cards: address of a page's social card below the site root, by `<language>/<page>`; empty when there are none.
        pages: language → (address below the site root, title) of all but the keys, for suggestions on the 404 page.
    """

    words: Mapping[str, Mapping[str, str]]
    first: str
    chips: tuple[Chip, ...]
    pages: Mapping[str, tuple[tuple[str, str], ...]]
    cards: Mapping[str, str]

    @staticmethod
    def twin(address: str, language: str) -> str:
        """See `twin_address`."""
        return twin_address(address, language)


def theme_data(guide: Guide, cards: Mapping[str, str]) -> ThemeData:
    """Gather them."""
    frameworks = guide.catalog.framework.values()
    chips = tuple(
        Chip(one.id, one.name, tuple(other.id for other in frameworks if other.glossary == one.id))
        for one in frameworks
        if one.id == one.glossary
    )
    pages = {
        language: tuple(
            (page_address(language, doc.name), plain_inline(doc.title))
            for doc in guide.documents[language].values()
            if not (doc.name.startswith("glossary/") and doc.name.count("/") > 1)
        )
        for language in LANGUAGES
    }
    return ThemeData(guide.words, FIRST, chips, pages, cards)


def describe(guide: Guide, document: Document) -> str:
    """What a search engine shows below a page's title: of a page of keys that says nothing itself, the names."""
    keys = [owned.key.display for owned in guide.keys_on.get(document.name, ())]
    if document.description or not keys:
        return document.description
    home = guide.documents[document.language][document.name.rpartition("/")[0] + "/index"]
    return f"{plain_inline(home.title)}: {', '.join(dict.fromkeys(keys[:KEYS_NAMED]))}"


def is_key_group(name: str) -> bool:
    """Whether a page holds a group of keys.

    >>> is_key_group("glossary/verl/actor"), is_key_group("glossary/verl/index")
    (True, False)
    """
    return name.startswith("glossary/") and not name.endswith("/index")


def hidden_columns(guide: Guide, document: Document, in_navigation: bool) -> list[str]:
    """Columns of the theme that a page has no use for: a navigation that lists it alone, contents of what is a list itself."""
    entry = document.sections and document.sections[0].id in guide.catalog.entry
    listing = any("key-index" in block for section in document.sections for block in section.blocks)
    stated = document.meta.get("hide", [])
    return [*stated, *([] if in_navigation else ["navigation"]), *(["toc"] if entry or listing else [])]
