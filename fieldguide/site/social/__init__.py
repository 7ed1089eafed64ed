"""Pictures that chats and social networks show beside a link: one per page and language, set by Typst."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import typst

from fieldguide.book.fonts import unpack_fonts
from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.guide import Guide
from fieldguide.site.configuration import Site
from fieldguide.site.markdown.render import Renderer
from fieldguide.site.theme import describe, is_key_group

TEMPLATE = Path(__file__).parent / "card.typ"
PIXELS_PER_INCH = 144
LENGTH = 200


class CardError(Exception):
    """Typst refuses a card; the message is Typst's."""


def write_cards(guide: Guide, site: Site, folder: Path) -> list[Path]:
    """Write `<language>/<page>.png` for every page but those of keys, which show the site's.

    Raises:
        FontError: see `unpack_fonts`.
        CardError: see there.

    Returns:
        the files written.
    """
    names = [(language, name) for language in LANGUAGES for name in guide.documents[language] if not is_key_group(name)]
    cards = {folder / language / f"{name}.png": _card(guide, site, language, name) for language, name in names}
    return _write(cards)


def write_site_cards(site: Site, folder: Path) -> list[Path]:
    """Write `card-<language>.png`, which is part of the theme: the site's name and what it is, without an address.

    Raises, returns:
        as `write_cards`.
    """
    cards = {}
    for language in LANGUAGES:
        text = shortened(site.descriptions[language], LENGTH)
        cards[folder / f"card-{language}.png"] = {"lang": language, "site": "", "title": site.names[language], "text": text}
    return _write({file: card | {"address": ""} for file, card in cards.items()})


def _write(cards: dict[Path, dict[str, str]]) -> list[Path]:
    for file, picture in zip(cards, _pictures(list(cards.values())), strict=True):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(picture)
    return list(cards)


def _card(guide: Guide, site: Site, language: str, name: str) -> dict[str, str]:
    document = guide.documents[language][name]
    address = urlsplit(site.page(language, name))
    return {
        "lang": language,
        "site": site.names[language],
        "title": str(Renderer.code_title(document.title).striptags()),
        "text": shortened(describe(guide, document) or site.descriptions[language], LENGTH),
        "address": f"{address.netloc}{address.path}".rstrip("/"),
    }


def shortened(text: str, width: int) -> str:
    """At most `width` columns of a text, a Chinese character counted as two; cut at a space where there is one.

    >>> shortened("one two three", 10), shortened("一二三四五六", 8)
    ('one two …', '一二三…')
    """
    columns = 0
    for place, character in enumerate(text):
        columns += 2 if character > "\u2e7f" else 1
        if columns > width:
            head, space, _ = text[: place - 1].rpartition(" ")
            return f"{head} …" if space else f"{text[: place - 1]}…"
    return text


def _pictures(cards: list[dict[str, str]]) -> list[bytes]:
    """A PNG per card; the same cards give the same bytes."""
    with TemporaryDirectory(prefix="fieldguide-social-") as temporary:
        root = Path(temporary)
        (root / "fonts").mkdir()
        unpack_fonts(root / "fonts")
        (root / "cards.json").write_text(json.dumps(cards, ensure_ascii=False), encoding="utf-8")
        (root / "card.typ").write_text(TEMPLATE.read_text(encoding="utf-8"), encoding="utf-8")
        fonts = typst.Fonts(include_system_fonts=False, font_paths=[root / "fonts"])
        try:
            made = typst.compile(
                root / "card.typ", root=root, font_paths=fonts, ignore_system_fonts=True, format="png", ppi=PIXELS_PER_INCH
            )
        except typst.TypstError as error:
            raise CardError(str(error)) from error
    return made if isinstance(made, list) else [made]
