"""What the site offers beside its pages: data for programs, addresses, feeds. Plain functions over guide and built site."""

from dataclasses import replace
from pathlib import Path

from fieldguide.guide import Guide
from fieldguide.publish.catalog import write_catalog
from fieldguide.publish.feed import write_feeds
from fieldguide.publish.llms import write_llms
from fieldguide.publish.permalinks import write_permalinks
from fieldguide.publish.pictures import copy_cards
from fieldguide.publish.plain import write_plain_pages
from fieldguide.publish.sitemap import write_sitemap
from fieldguide.site import load_site


def publish(guide: Guide, folder: Path, url: str) -> list[Path]:
    """Write everything into the built site.

    Args:
        folder: the built site, every language of it.
        url: the address it is served at.

    Returns:
        the files written.
    """
    site = replace(load_site(guide.root), url=url.rstrip("/") + "/")
    return [
        *write_catalog(guide, site, folder),
        *write_permalinks(guide, site, folder),
        *write_plain_pages(guide, site, folder),
        *copy_cards(folder),
        *write_feeds(guide, site, folder),
        *write_llms(guide, site, folder),
        *write_sitemap(guide, site, folder),
    ]
