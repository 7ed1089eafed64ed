"""Mapped articles to Typst by pandoc."""

import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from xml.etree.ElementTree import Element

import pypandoc

from fieldguide.book.tree import document

_CUT = "#fg-cut();"  # between two articles


class ConvertError(Exception):
    """pandoc refuses a page; the message is pandoc's."""


def to_typst(articles: Sequence[Element]) -> list[str]:
    """Convert mapped articles (see `fieldguide.book.mapping`); a pandoc takes several, because it is slow to start.

    Raises:
        ConvertError: pandoc refuses one.
    """
    count = min(len(articles), 4 * (cpu_count() or 1))
    with ThreadPoolExecutor(cpu_count()) as pool:
        converted = list(pool.map(lambda first: _convert(articles[first::count]), range(count)))
    return [converted[i % count][i // count] for i in range(len(articles))]


def _convert(articles: Sequence[Element]) -> list[str]:
    # pypandoc brings the program; its own convert_text starts it twice more to ask for formats.
    command = [pypandoc.get_pandoc_path(), "--from=json", "--to=typst", "--wrap=none"]
    tree = document(articles, _CUT)
    done = subprocess.run(command, input=tree, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise ConvertError(done.stderr.strip())
    return done.stdout.split(f"{_CUT}\n")
