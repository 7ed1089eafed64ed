"""Pages of the built site, parsed once: the tests that read many of them run in one process, see `trees` in `conftest.py`."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from lxml import html

Trees = Callable[[Path], html.HtmlElement]


@cache
def parse(file: Path) -> html.HtmlElement:
    """An HTML file as a tree, which is shared: who changes it works on a copy."""
    return html.fromstring(file.read_text(encoding="utf-8"))
