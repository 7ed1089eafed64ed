"""HTML to Typst by pandoc."""

import subprocess
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
    # pypandoc brings the program; its own convert_text starts it twice more per page to ask for formats.
    command = [pypandoc.get_pandoc_path(), "--from=html", "--to=typst", "--wrap=none", f"--lua-filter={FILTER}"]
    done = subprocess.run(command, input=html, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise ConvertError(done.stderr.strip())
    return done.stdout
