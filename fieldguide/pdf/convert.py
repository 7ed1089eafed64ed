"""HTML to Typst by pandoc."""

import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from heapq import heapreplace
from os import cpu_count
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pypandoc

FILTER = Path(__file__).parent / "filter.lua"
_LARGEST = 1_000_000  # characters of HTML for one pandoc: it needs some 600 MB for that
_CUT = ('<div data-typst="fg-cut()"></div>', "#fg-cut();")  # between two articles, as HTML and as the filter writes it


class ConvertError(Exception):
    """pandoc refuses a page; the message is pandoc's."""


def to_typst(articles: Sequence[Element]) -> list[str]:
    """Convert mapped articles (see `fieldguide.pdf.mapping`); a pandoc takes several, because it is slow to start.

    Raises:
        ConvertError: pandoc refuses one.
    """
    pages = [ElementTree.tostring(article, encoding="unicode", method="html") for article in articles]
    batches = _batches([len(page) for page in pages], cpu_count() or 1)
    with ThreadPoolExecutor(cpu_count()) as pool:
        converted = pool.map(lambda batch: _convert([pages[i] for i in batch]), batches)
        texts = {i: text for batch, done in zip(batches, converted, strict=True) for i, text in zip(batch, done, strict=True)}
    return [texts[i] for i in range(len(pages))]


def _batches(sizes: Sequence[int], processors: int) -> list[list[int]]:
    """Positions of the pages, in groups of about the same size, two per processor or more: the largest go first."""
    count = max(2 * processors, -(-sum(sizes) // _LARGEST))
    filled: list[tuple[int, list[int]]] = [(0, []) for _ in range(count)]
    for i in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        size, batch = filled[0]
        heapreplace(filled, (size + sizes[i], [*batch, i]))
    return [batch for _, batch in filled if batch]


def _convert(pages: Sequence[str]) -> list[str]:
    html, typst = _CUT
    # pypandoc brings the program; its own convert_text starts it twice more per page to ask for formats.
    command = [pypandoc.get_pandoc_path(), "--from=html", "--to=typst", "--wrap=none", f"--lua-filter={FILTER}"]
    done = subprocess.run(command, input=html.join(pages), capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise ConvertError(done.stderr.strip())
    return done.stdout.split(f"{typst}\n")
