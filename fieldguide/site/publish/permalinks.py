"""/e/<id>/: one short address per entry and per former id, which leads to the reader's language; /zh/e/<id>/ to Chinese.

A script (permalink.js) goes on to the language; without JavaScript the page shows both links.
"""

from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from fieldguide.content.addresses import FIRST, LANGUAGES, page_address, permalink_address
from fieldguide.content.guide import Guide
from fieldguide.site.configuration import Site
from fieldguide.site.publish.catalog import plain_title
from fieldguide.site.publish.pictures import card_addresses, default_card


def write_permalinks(guide: Guide, site: Site, folder: Path) -> list[Path]:
    """Write the page of every entry's id and aliases.

    Returns:
        the files written.
    """
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = environment.get_template("permalink.html")
    written = []
    for id_, entry in _addresses(guide):
        for language in LANGUAGES:
            file = folder / permalink_address(id_, language) / "index.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(template.render(_values(guide, site, entry, language)) + "\n", encoding="utf-8")
            written.append(file)
    return written


def _addresses(guide: Guide) -> Iterator[tuple[str, str]]:
    """(id or alias, id of the entry it leads to)."""
    for id_, entry in guide.catalog.entry.items():
        yield from ((one, id_) for one in (id_, *entry.aliases))


def _values(guide: Guide, site: Site, entry: str, asked: str) -> dict[str, object]:
    """What the template shows; `asked` is the language that the address says, the first one says none."""
    page = guide.catalog.page_of(entry)
    links = [
        {
            "language": language,
            "tag": guide.words[language]["language_tag"],
            "address": page_address(language, page),
            "title": plain_title(guide, language, entry),
            "site": site.names[language],
        }
        for language in LANGUAGES
    ]
    card = card_addresses().get(f"{asked}/{page}", default_card(asked))
    stated = asked if asked != FIRST else ""
    return {
        "links": sorted(links, key=lambda link: link["language"] != asked),
        "first": FIRST,
        "stated": stated,
        "titles": [link["title"] for link in links],
        "description": guide.documents[asked][page].description,
        "address": site.url + permalink_address(entry, asked),
        "canonical": site.page(asked, page),
        "card": f"{site.url}{card}",
        "up": "../" * permalink_address(entry, asked).count("/"),
    }
