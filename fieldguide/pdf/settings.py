"""What the book takes from mkdocs.yml, pyproject.toml and git."""

import os
import subprocess
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from mkdocs.utils.yaml import yaml_load

WORDS = Path(__file__).parent / "words.yml"


class SettingsError(Exception):
    """Something the book needs to know is missing; the message says what to do."""


@dataclass(frozen=True)
class NavPage:
    """One page in reading order.

    Attributes:
        name: path below the language folder, without suffix.
        depth: 0 for a page at the top of the navigation, 1 below a group; heading levels move down by it.
        part: navigation label of a group that starts here and has no page of its own, else empty.
    """

    name: str
    depth: int
    part: str = ""


@dataclass(frozen=True)
class Settings:
    """The site and the moment it is printed.

    Attributes:
        names, descriptions, copyrights: by language.
        url: address of the site, with a slash at the end.
        labels: language → navigation label → its translation.
        extensions: Markdown extensions with their options, in order.
        words: language → name → text, from words.yml.
        timestamp: SOURCE_DATE_EPOCH, or the date of the last commit.
    """

    names: Mapping[str, str]
    descriptions: Mapping[str, str]
    copyrights: Mapping[str, str]
    url: str
    nav: tuple[NavPage, ...]
    labels: Mapping[str, Mapping[str, str]]
    extensions: Mapping[str, Mapping[str, Any]]
    words: Mapping[str, Mapping[str, str]]
    version: str
    timestamp: int

    @property
    def date(self) -> str:
        return datetime.fromtimestamp(self.timestamp, UTC).date().isoformat()


def load_settings(root: Path) -> Settings:
    """Read mkdocs.yml (environment variables included), pyproject.toml and the date.

    Raises:
        SettingsError: no date can be found.
    """
    with (root / "mkdocs.yml").open("rb") as stream:
        config: dict[str, Any] = yaml_load(stream)
    languages = _plugin(config, "i18n")["languages"]

    def translated(name: str) -> dict[str, str]:
        return {one["locale"]: one.get(name, config[name]) for one in languages}

    return Settings(
        names=translated("site_name"),
        descriptions=translated("site_description"),
        copyrights=translated("copyright"),
        url=config["site_url"].rstrip("/") + "/",
        nav=tuple(_pages(config["nav"], 0)),
        labels={one["locale"]: one.get("nav_translations", {}) for one in languages},
        extensions=_extensions(config["markdown_extensions"]),
        words=yaml.safe_load(WORDS.read_text(encoding="utf-8")),
        version=tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"],
        timestamp=_timestamp(root),
    )


def _plugin(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    return next(item[name] for item in config["plugins"] if isinstance(item, dict) and name in item)


def _pages(items: Sequence[Any], depth: int, part: str = "") -> Iterator[NavPage]:
    """Pages of a navigation list; the index page of a group heads it, a group without one is announced by its first page."""
    for item in items:
        label, target = next(iter(item.items())) if isinstance(item, dict) else ("", item)
        if isinstance(target, list):
            headed = isinstance(target[0], str) and target[0].endswith("index.md")
            if headed:
                yield NavPage(target[0].removesuffix(".md"), depth)
            yield from _pages(target[headed:], depth + 1, "" if headed else label)
        else:
            yield NavPage(target.removesuffix(".md"), depth, part)
            part = ""


def _extensions(listed: Sequence[Any]) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for item in listed:
        found.update(item if isinstance(item, dict) else {item: {}})
    return {name: options or {} for name, options in found.items()}


def _timestamp(root: Path) -> int:
    if stated := os.environ.get("SOURCE_DATE_EPOCH"):
        if not stated.isdigit():
            raise SettingsError(f"SOURCE_DATE_EPOCH must be seconds since 1970, it is {stated!r}")
        return int(stated)
    try:
        done = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=root, capture_output=True, text=True, check=True
        )  # fmt: skip
        return int(done.stdout)
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        raise SettingsError("no commit to take the date from; set SOURCE_DATE_EPOCH to seconds since 1970") from error
