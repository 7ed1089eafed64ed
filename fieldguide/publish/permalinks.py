"""/e/<id>/: one short address per entry and per former id, which leads to the reader's language.

A script (permalink.js) goes on to the language; without JavaScript the page shows both links.
"""

from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from fieldguide.guide import LANGUAGES, TAGS, Guide
from fieldguide.publish.catalog import plain_title
from fieldguide.publish.pictures import card_addresses
from fieldguide.site import Site
from fieldguide.theme import page_address, permalink_address


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
        file = folder / permalink_address(id_) / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(template.render(_values(guide, site, entry)) + "\n", encoding="utf-8")
        written.append(file)
    return written


def _addresses(guide: Guide) -> Iterator[tuple[str, str]]:
    """(id or alias, id of the entry it leads to)."""
    for id_, entry in guide.catalog.entry.items():
        yield from ((one, id_) for one in (id_, *entry.aliases))


def _values(guide: Guide, site: Site, entry: str) -> dict[str, object]:
    page = f"topics/{guide.catalog.topic_of[entry]}"
    links = [
        {
            "language": language,
            "tag": TAGS[language],
            "address": f"{page_address(language, page)}#{entry}",
            "title": plain_title(guide, language, entry),
            "site": site.names[language],
        }
        for language in LANGUAGES
    ]
    card = card_addresses().get(f"{LANGUAGES[0]}/{page}")
    return {
        "links": links,
        "titles": [link["title"] for link in links],
        "description": guide.documents[LANGUAGES[0]][page].meta.get("description", ""),
        "address": site.permalink(entry),
        "canonical": site.page(LANGUAGES[0], page),
        "card": f"{site.url}{card}" if card else None,
        "up": "../../",
    }
