"""Which edition of the guide this is, and what it was checked against: `about.json`, which `content.about` writes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fieldguide.runtime.guide import FormatError

FORMAT = 1


@dataclass(frozen=True)
class Pin:
    """The commit of a framework that answers were checked at, with its day; `release` is the newest that is known."""

    id: str
    name: str
    repository: str
    commit: str
    date: str
    release: str

    @property
    def said(self) -> str:
        """In one line, `ROLL 8eb27cc, 2026-08-19 (v0.3.0)`."""
        newest = f" ({self.release})" if self.release else ""
        return f"{self.name} {self.commit[:7]}, {self.date}{newest}"


@dataclass(frozen=True)
class About:
    """An edition.

    Attributes:
        version: of the program.
        date: of the content, as 2026-11-22; empty where it is not known.
        site: address of the root of the site; empty where it is not known.
    """

    pins: tuple[Pin, ...]
    version: str = ""
    date: str = ""
    site: str = ""

    def page(self, address: str) -> str:
        """Address of a page, below the root of the site where that is not known."""
        return self.site + address


def as_about(data: Mapping[str, Any]) -> About:
    """What `about.json` holds.

    Raises:
        FormatError: it has another structure.
    """
    if data.get("format") != FORMAT:
        raise FormatError(f"about of format {data.get('format')!r}, {FORMAT} is read here")
    pins = tuple(Pin(**one) for one in data["pins"])
    return About(pins, *(data.get(name, "") for name in ("version", "date", "site")))


def read_about(folder: Path) -> About:
    """Read `about.json`.

    Raises:
        FormatError: it has another structure.
        OSError: there is none.
    """
    return as_about(json.loads((folder / "about.json").read_text(encoding="utf-8")))
