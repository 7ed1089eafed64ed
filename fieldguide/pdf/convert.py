"""HTML to Typst by pandoc."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pypandoc

FILTER = Path(__file__).parent / "filter.lua"


class ConvertError(Exception):
    """pandoc refuses a page; the message is pandoc's."""


def to_typst(articles: Sequence[Element]) -> list[str]:
    """Convert mapped articles (see `fieldguide.pdf.mapping`), each by its own pandoc.

    Raises:
        ConvertError: pandoc refuses one.
    """
    with ThreadPoolExecutor(cpu_count()) as pool:
        return list(pool.map(_convert, articles))


def _convert(article: Element) -> str:
    html = ElementTree.tostring(article, encoding="unicode", method="html")
    options = ["--wrap=none", f"--lua-filter={FILTER}"]
    try:
        return str(pypandoc.convert_text(html, "typst", format="html", extra_args=options))
    except RuntimeError as error:
        raise ConvertError(str(error)) from error
