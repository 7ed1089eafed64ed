"""What the products that are made beside the site take from mkdocs.yml and pyproject.toml."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mkdocs.utils.yaml import yaml_load

from fieldguide.content.addresses import FIRST, LANGUAGES, page_address, permalink_address
from fieldguide.content.problems import ContentError, Problem


@dataclass(frozen=True)
class NavPage:
    """One page in reading order.

    Attributes:
        name: path below the language folder, without suffix.
        depth: 0 for a page at the top of the navigation, 1 below a group; heading levels move down by it.
        part: navigation label of a group that starts here and has no page of its own, else empty.
        group: navigation label of the group it stands in, empty at the top.
    """

    name: str
    depth: int
    part: str = ""
    group: str = ""

    @property
    def topic(self) -> str | None:
        """The topic that the page is the index of."""
        return topic_of(self.name)


def topic_of(page: str) -> str | None:
    """The topic that a page is the index of.

    >>> topic_of("topics/memory/index"), topic_of("topics/index"), topic_of("topics/memory/slime-oom")
    ('memory', None, None)
    """
    match page.split("/"):
        case ["topics", topic, "index"]:
            return topic
    return None


@dataclass(frozen=True)
class Site:
    """The site as it is configured.

    Attributes:
        names, descriptions, copyrights: by language.
        url: address of the site, with a slash at the end.
        nav: its pages in reading order.
        labels: language → navigation label → its translation.
        extensions: Markdown extensions with their options, in order.
    """

    names: Mapping[str, str]
    descriptions: Mapping[str, str]
    copyrights: Mapping[str, str]
    url: str
    nav: tuple[NavPage, ...]
    labels: Mapping[str, Mapping[str, str]]
    extensions: Mapping[str, Mapping[str, Any]]
    version: str

    def page(self, language: str, name: str, anchor: str = "") -> str:
        """Address of a page, or of a heading on it."""
        return self.url + page_address(language, name) + (f"#{anchor}" if anchor else "")

    def permalink(self, entry: str) -> str:
        """Short address of an entry, the same for every language."""
        return self.url + permalink_address(entry)


def load_site(root: Path) -> Site:
    """Read mkdocs.yml (environment variables included) and pyproject.toml.

    Raises:
        ContentError: mkdocs.yml names other languages than the guide has, or another one first.
    """
    with (root / "mkdocs.yml").open("rb") as stream:
        config: dict[str, Any] = yaml_load(stream)
    languages = _plugin(config, "i18n")["languages"]
    _agree([(one["locale"], one.get("default", False)) for one in languages])

    def translated(name: str) -> dict[str, str]:
        return {one["locale"]: one.get(name, config[name]) for one in languages}

    return Site(
        names=translated("site_name"),
        descriptions=translated("site_description"),
        copyrights=translated("copyright"),
        url=config["site_url"].rstrip("/") + "/",
        nav=tuple(_pages(config["nav"], 0)),
        labels={one["locale"]: one.get("nav_translations", {}) for one in languages},
        extensions=_extensions(config["markdown_extensions"]),
        version=tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"],
    )


def _agree(named: Sequence[tuple[str, bool]]) -> None:
    if [*named] != [(language, language == FIRST) for language in LANGUAGES]:
        message = f"plugin i18n must have the languages {', '.join(LANGUAGES)}, in this order, the first one as default"
        raise ContentError([Problem(Path("mkdocs.yml"), 0, message)])


def _plugin(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    return next(item[name] for item in config["plugins"] if isinstance(item, dict) and name in item)


def _pages(items: Sequence[Any], depth: int, part: str = "", group: str = "") -> Iterator[NavPage]:
    """Pages of a navigation list; the index page of a group heads it, a group without one is announced by its first page."""
    for item in items:
        label, target = next(iter(item.items())) if isinstance(item, dict) else ("", item)
        if isinstance(target, list):
            headed = isinstance(target[0], str) and target[0].endswith("index.md")
            if headed:
                yield NavPage(target[0].removesuffix(".md"), depth, group=label)
            yield from _pages(target[headed:], depth + 1, "" if headed else label, label)
        else:
            yield NavPage(target.removesuffix(".md"), depth, part, group)
            part = ""


def _extensions(listed: Sequence[Any]) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for item in listed:
        found.update(item if isinstance(item, dict) else {item: {}})
    return {name: options or {} for name, options in found.items()}
