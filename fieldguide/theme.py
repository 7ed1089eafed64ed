"""What the theme's templates need from the guide."""

from collections.abc import Mapping
from dataclasses import dataclass

from fieldguide.guide import LANGUAGES, Guide


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
        words: language → name → text.
        chips: choices of the framework filter.
        cards: address of a page's social card below the site root, by `<language>/<page>`; empty when there are none.
        pages: language → (address below the site root, title), for suggestions on the 404 page.
    """

    words: Mapping[str, Mapping[str, str]]
    chips: tuple[Chip, ...]
    pages: Mapping[str, tuple[tuple[str, str], ...]]
    cards: Mapping[str, str]


def theme_data(guide: Guide, cards: Mapping[str, str]) -> ThemeData:
    """Gather them."""
    frameworks = guide.catalog.framework.values()
    chips = tuple(
        Chip(one.id, one.name, tuple(other.id for other in frameworks if other.glossary == one.id))
        for one in frameworks
        if one.id == one.glossary
    )
    pages = {
        language: tuple((page_address(language, doc.name), doc.title) for doc in guide.documents[language].values())
        for language in LANGUAGES
    }
    return ThemeData(guide.words, chips, pages, cards)


def page_address(language: str, name: str) -> str:
    """Address of a page below the site root.

    >>> page_address("zh", "topics/memory"), page_address("en", "index"), page_address("en", "topics/index")
    ('zh/topics/memory/', '', 'topics/')
    """
    path = "" if name == "index" else name.removesuffix("/index")
    parts = ([] if language == LANGUAGES[0] else [language]) + ([path] if path else [])
    return "".join(f"{part}/" for part in parts)


def permalink_address(entry: str) -> str:
    """Short address of an entry below the site root, the same for every language.

    >>> permalink_address("slime-oom")
    'e/slime-oom/'
    """
    return f"e/{entry}/"
