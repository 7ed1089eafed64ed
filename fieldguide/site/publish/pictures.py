"""The social cards that a build takes in: SOCIAL_CARDS names the folder that `python -m fieldguide.site.social` has filled."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from fieldguide.content.problems import ContentError, Problem

BELOW = "assets/social"


def find_cards(environment: Mapping[str, str] = os.environ) -> dict[str, Path]:
    """`<language>/<page>` → picture; none where SOCIAL_CARDS is not set.

    Raises:
        ContentError: there are none where it points.
    """
    stated = environment.get("SOCIAL_CARDS")
    if not stated:
        return {}
    folder = Path(stated)
    found = {file.relative_to(folder).with_suffix("").as_posix(): file for file in sorted(folder.rglob("*.png"))}
    if not found:
        raise ContentError([Problem(folder, 0, "SOCIAL_CARDS names a folder without cards; `make social` writes them")])
    return found


def default_card(language: str) -> str:
    """Address of the card of the site, which is part of the theme: for a page that has none of its own."""
    return f"assets/images/card-{language}.png"


def card_addresses() -> dict[str, str]:
    """`<language>/<page>` → address of its card below the site root."""
    return {name: f"{BELOW}/{name}.png" for name in find_cards()}


def copy_cards(folder: Path) -> list[Path]:
    """Put the cards into the built site.

    Returns:
        the files written.
    """
    written = []
    for name, file in find_cards().items():
        target = folder / BELOW / f"{name}.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        written.append(Path(shutil.copyfile(file, target)))
    return written
