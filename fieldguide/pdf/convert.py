"""HTML to Typst by pandoc."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pypandoc

FILTER = Path(__file__).parent / "filter.lua"


def to_typst(articles: Sequence[Element]) -> list[str]:
    """Convert mapped articles (see `fieldguide.pdf.mapping`), each by its own pandoc.

    Raises:
        RuntimeError: pandoc refuses one; the message is pandoc's.
    """
    with ThreadPoolExecutor(cpu_count()) as pool:
        return list(pool.map(_convert, articles))


def _convert(article: Element) -> str:
    html = ElementTree.tostring(article, encoding="unicode", method="html")
    options = ["--wrap=none", f"--lua-filter={FILTER}"]
    return str(pypandoc.convert_text(html, "typst", format="html", extra_args=options))
