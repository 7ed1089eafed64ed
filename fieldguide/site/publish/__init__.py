"""What the site offers beside its pages: data for programs, addresses, feeds. Plain functions over guide and built site."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

from fieldguide.content.addresses import FIRST, OTHERS, page_address
from fieldguide.content.guide import Guide
from fieldguide.site.answers import write_fixes
from fieldguide.site.configuration import Site, load_site
from fieldguide.site.parallel import at_once
from fieldguide.site.publish.catalog import write_catalog
from fieldguide.site.publish.feed import write_feeds
from fieldguide.site.publish.llms import write_llms
from fieldguide.site.publish.permalinks import write_permalinks
from fieldguide.site.publish.pictures import BELOW, copy_cards
from fieldguide.site.publish.plain import write_plain_pages
from fieldguide.site.publish.sitemap import write_sitemap
from fieldguide.site.publish.stylesheet import STYLESHEETS, write_stylesheets
from fieldguide.site.scripts import SCRIPTS, write_scripts
from fieldguide.site.search import write_search_data
from fieldguide.site.versions import DATA, write_data


@dataclass(frozen=True)
class Product:
    """Files beside the pages that are made in one go.

    Attributes:
        addresses: patterns of their addresses below the root of the site; `*` goes over slashes.
        write: writes them into the built site and returns them.
    """

    addresses: tuple[str, ...]
    write: Callable[[Guide, Site, Path], list[Path]]

    def has(self, address: str) -> bool:
        return any(fnmatchcase(address, pattern) for pattern in self.addresses)


# What takes longest comes first, so that all processes end together.
PRODUCTS = (
    *(
        Product((f"{page_address(language, 'index')}*index.md",), partial(write_plain_pages, language))
        for language in (*OTHERS, FIRST)  # the first language's pattern fits the others' addresses, too
    ),
    Product(tuple(SCRIPTS), lambda guide, _, folder: write_scripts(guide.root / "overrides", folder)),
    Product((DATA,), lambda guide, _, folder: [write_data(guide.catalog, folder)]),
    Product(("search/fixes-*.json",), lambda guide, _, folder: write_fixes(guide, folder)),
    Product(("search/*.json",), lambda guide, _, folder: write_search_data(guide, folder)),
    Product(STYLESHEETS, lambda guide, _, folder: write_stylesheets(guide, folder)),
    Product(("catalog.json", "catalog.schema.json"), write_catalog),
    Product(("e/*",), write_permalinks),
    Product((f"{BELOW}/*",), lambda _guide, _site, folder: copy_cards(folder)),
    Product(("*feed.xml",), write_feeds),
    Product(("*llms.txt",), write_llms),
    Product(("sitemap.xml*",), write_sitemap),
)


def publish(guide: Guide, folder: Path, url: str) -> list[Path]:
    """Write everything into the built site.

    Args:
        folder: the built site, every language of it.
        url: the address it is served at.

    Returns:
        the files written.
    """
    site = site_at(guide.root, url)
    makers = [partial(product.write, guide, site, folder) for product in PRODUCTS]
    return at_once(makers)


def site_at(root: Path, url: str) -> Site:
    """The site as it is configured below `root`, served at `url`."""
    return replace(load_site(root), url=url.rstrip("/") + "/")
