"""Blocks of commands that stop or delete something get a label; commands that only read stay plain."""

import html
import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from fieldguide.content.catalog.store import Catalog
from fieldguide.site.markdown.crosslinks import stashed
from fieldguide.site.markdown.render import Renderer

_SHELLS = re.compile(r"language-(?:bash|sh|shell|console)\b")


def label_commands(root: Element, catalog: Catalog, renderer: Renderer, stash: Sequence[object]) -> None:
    """Put the label before every shell block with such a command.

    Args:
        stash: Python-Markdown's raw HTML blocks, where fenced code waits.
    """
    for parent in list(root.iter()):
        for child in list(parent):
            block = stashed(child, stash)
            if block and _SHELLS.search(block) and destroys(catalog, html.unescape(re.sub(r"<[^>]+>", "", block))):
                parent.insert(list(parent).index(child), renderer.element("destroys"))


def destroys(catalog: Catalog, script: str) -> bool:
    """Whether a line of a script, comments aside, is one of `catalog/commands.yml`."""
    lines = [re.sub(r"(^|\s)#.*", "", line) for line in script.splitlines()]
    return any(re.search(item.record.pattern, line) for item in catalog.destroying for line in lines)
