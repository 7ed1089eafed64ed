"""The site's stylesheets without what a browser skips; the first has the frameworks' colours, facts of the catalog."""

from collections.abc import Iterable
from pathlib import Path

from rcssmin import cssmin

from fieldguide.content.catalog.models import Framework
from fieldguide.content.guide import Guide

STYLESHEET = "assets/stylesheets/fieldguide.css"
STYLESHEETS = (STYLESHEET, *(f"assets/stylesheets/{name}.css" for name in ("noscript", "run", "tools")))


def write_stylesheets(guide: Guide, folder: Path) -> list[Path]:
    """Write the stylesheets of the theme folder into the built site, the colours behind the first.

    Returns:
        the files written.
    """
    written = []
    for address in STYLESHEETS:
        file, text = folder / address, (guide.root / "overrides" / address).read_text(encoding="utf-8")
        file.parent.mkdir(parents=True, exist_ok=True)
        text += colour_rules(guide.catalog.framework.values()) if address == STYLESHEET else ""
        file.write_text(str(cssmin(text)), encoding="utf-8")
        written.append(file)
    return written


def colour_rules(frameworks: Iterable[Framework]) -> str:
    """A rule for each framework's badge, on paper and in the dark."""
    lines = ["/* ---- Frameworks, from catalog/frameworks.yml ---- */"]
    for one in frameworks:
        badge = f'.md-typeset .fg-badge[data-fw="{one.id}"]'
        lines.append(f"{badge} {{ color: {one.color}; }}")
        lines.append(f'[data-md-color-scheme="slate"] {badge} {{ color: {one.color_dark}; }}')
    return "\n".join([*lines, ""])
