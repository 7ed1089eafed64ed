"""The site's stylesheet with the colours of the frameworks, which are facts of the catalog: one file, one request."""

from collections.abc import Iterable
from pathlib import Path

from fieldguide.content.catalog.models import Framework
from fieldguide.content.guide import Guide

STYLESHEET = "assets/stylesheets/fieldguide.css"


def write_stylesheet(guide: Guide, folder: Path) -> list[Path]:
    """Write the stylesheet of the theme folder into the built site, the colours behind it.

    Returns:
        the file written.
    """
    file = folder / STYLESHEET
    file.parent.mkdir(parents=True, exist_ok=True)
    written = (guide.root / "overrides" / STYLESHEET).read_text(encoding="utf-8")
    file.write_text(written + colour_rules(guide.catalog.framework.values()), encoding="utf-8")
    return [file]


def colour_rules(frameworks: Iterable[Framework]) -> str:
    """A rule for each framework's badge, on paper and in the dark."""
    lines = ["/* ---- Frameworks, from catalog/frameworks.yml ---- */"]
    for one in frameworks:
        badge = f'.md-typeset .fg-badge[data-fw="{one.id}"]'
        lines.append(f"{badge} {{ color: {one.color}; }}")
        lines.append(f'[data-md-color-scheme="slate"] {badge} {{ color: {one.color_dark}; }}')
    return "\n".join([*lines, ""])
