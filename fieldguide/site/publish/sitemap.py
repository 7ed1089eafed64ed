"""sitemap.xml: every page of every language with its translations."""

import gzip
from pathlib import Path

from lxml import etree

from fieldguide.content.addresses import FIRST, LANGUAGES
from fieldguide.content.guide import Guide
from fieldguide.site.configuration import Site

_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML = "http://www.w3.org/1999/xhtml"


def write_sitemap(guide: Guide, site: Site, folder: Path) -> list[Path]:
    """Write `sitemap.xml` and `sitemap.xml.gz` in place of the theme's, which knows neither `x-default` nor language tags.

    Returns:
        the files written.
    """
    data = sitemap(guide, site)
    files = {folder / "sitemap.xml": data, folder / "sitemap.xml.gz": gzip.compress(data, mtime=0)}
    for file, content in files.items():
        file.write_bytes(content)
    return list(files)


def sitemap(guide: Guide, site: Site) -> bytes:
    """The sitemap as XML."""
    root = etree.Element(f"{{{_SITEMAP}}}urlset", nsmap={None: _SITEMAP, "xhtml": _XHTML})
    for language in LANGUAGES:
        for name in guide.documents[language]:
            url = etree.SubElement(root, f"{{{_SITEMAP}}}url")
            etree.SubElement(url, f"{{{_SITEMAP}}}loc").text = site.page(language, name)
            twins = [(guide.words[one]["language_tag"], one) for one in LANGUAGES] + [("x-default", FIRST)]
            for tag, other in twins:
                attributes = {"rel": "alternate", "hreflang": tag, "href": site.page(other, name)}
                etree.SubElement(url, f"{{{_XHTML}}}link", attributes)
    return bytes(etree.tostring(root, encoding="utf-8", xml_declaration=True, pretty_print=True))
