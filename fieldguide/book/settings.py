"""What the book takes from the site's configuration, its own words and git."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

from fieldguide.content.guide import load_words
from fieldguide.content.history import commit_time
from fieldguide.site.configuration import Site, load_site

# How the names of the book's own words begin.
OWN = "book_"


class SettingsError(Exception):
    """Something the book needs to know is missing; the message says what to do."""


@dataclass(frozen=True)
class Settings(Site):
    """The site and the moment it is printed.

    Attributes:
        words: language → name → text: the book's own words, the beginning of their names left out.
        timestamp: SOURCE_DATE_EPOCH, or the date of the last commit.
    """

    words: Mapping[str, Mapping[str, str]]
    timestamp: int

    @property
    def date(self) -> str:
        return datetime.fromtimestamp(self.timestamp, UTC).date().isoformat()


def load_settings(root: Path) -> Settings:
    """Read them.

    Raises:
        SettingsError: no date can be found.
    """
    site = load_site(root)
    return Settings(
        **{field.name: getattr(site, field.name) for field in fields(site)},
        words={language: _own(words) for language, words in load_words(root).items()},
        timestamp=_timestamp(root),
    )


def _own(words: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(OWN): text for name, text in words.items() if name.startswith(OWN)}


def _timestamp(root: Path) -> int:
    try:
        found = commit_time(root)
    except ValueError as error:
        raise SettingsError(str(error)) from error
    if found is None:
        raise SettingsError("no commit to take the date from; set SOURCE_DATE_EPOCH to seconds since 1970")
    return found
