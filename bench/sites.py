"""The sites that are measured: the real content, and twenty times as much of it."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.scale import more_documents, more_index, more_pages, more_rows, more_signatures, moved, vary, vary_page
from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.writing import write_json
from fieldguide.runtime.rank.documents import unpack

ROOT = Path(__file__).resolve().parent.parent
HARNESS = Path(__file__).resolve().parent / "harness.js"
THEME_WORKERS = "assets/javascripts/workers"
# What Pagefind reads of a page: the text, without navigation, search box and the paragraph signs behind headings.
_LANGUAGE = re.compile(r"<html[^>]*\blang=\"(\w+)\"")
_ARTICLE = re.compile(r"<article class=\"md-content__inner.*</article>", re.S)
_MARKS = re.compile(r"<a class=\"headerlink\".*?</a>|<script\b.*?</script>", re.S)


@dataclass(frozen=True)
class Html:
    """The text of a page: its address below the site root, its language, and its HTML."""

    address: str
    language: str
    text: str


def build_site(directory: Path, theme_search: bool = True) -> None:
    """Build the site into `directory`, on demand with the theme's own search index beside ours."""
    environment = os.environ | {"SITE_DIR": str(directory), "NO_MKDOCS_2_WARNING": "1"}
    if theme_search:
        environment["FIELDGUIDE_THEME_SEARCH"] = "1"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def add_harness(site: Path) -> None:
    """Put an empty page per language below `bench/`, with harness.js in it."""
    worker = next((site / THEME_WORKERS).glob("search.*.min.js")).relative_to(site).as_posix()
    folder = site / "bench"
    folder.mkdir(exist_ok=True)
    shutil.copy(HARNESS, folder / "harness.js")
    for language in LANGUAGES:
        head = f'<html lang="{language}" data-material="{worker}"><head><meta charset="utf-8"><link rel="icon" href="data:,">'
        body = '<title>bench</title></head><body><script src="harness.js"></script></body></html>'
        (folder / f"{language}.html").write_text(f"<!doctype html>{head}{body}\n", encoding="utf-8")


def pages_of(site: Path) -> list[Html]:
    """Every page of a built site."""
    return [page for file in sorted(site.rglob("index.html")) if (page := _page(site, file))]


def _page(site: Path, file: Path) -> Html | None:
    source = file.read_text(encoding="utf-8")
    language, article = _LANGUAGE.search(source), _ARTICLE.search(source)
    if not language or not article:
        return None
    return Html(address_of(file.parent.relative_to(site)), language.group(1), _MARKS.sub("", article.group()))


def address_of(folder: Path) -> str:
    """Address of a folder below the site root: nothing for the root itself."""
    return "" if folder == Path() else f"{folder.as_posix()}/"


def enlarge(site: Path, directory: Path, times: int) -> list[Html]:
    """Write a site whose search data hold `times` the content of `site`; the original content is part of it.

    Returns:
        the pages of the larger site, for engines that read HTML; they are not written.
    """
    for folder in ("assets", "search"):
        shutil.copytree(site / folder, directory / folder)
    _rewrite(directory / "search" / "guide.json", lambda data: _enlarged_guide(data, times))
    entries = len(_read(site / "search" / "guide.json")["entries"])
    _rewrite(directory / "search" / "bugs.json", lambda data: _enlarged_bugs(data, entries, times))
    for language in LANGUAGES:
        _enlarge(directory / "search", language, times)
    _rewrite(directory / "search" / "search_index.json", lambda data: data | {"docs": more_index(data["docs"], times)})
    pages = pages_of(site)
    return [
        Html(moved(page.address, copy), page.language, vary_page(page.text, copy)) for copy in range(times) for page in pages
    ]


def _enlarge(folder: Path, language: str, times: int) -> None:
    """Enlarge the search data of a language."""
    entries = len(_read(folder / f"{language}.json")["documents"])
    more, bugs = _read(folder / f"{language}-more.json"), _read(folder / f"{language}-bugs.json")
    all_others, known = len(unpack(more)), len(unpack(bugs))
    # Keys without words are names only; the copies are of what has words.
    others = all_others - sum(len(page["names"]) for page in more["keys"])
    _rewrite(
        folder / f"{language}.json",
        lambda data: (
            data | {"documents": more_documents(data["documents"], times), "head": more_rows(data["head"], entries, times)}
        ),
    )
    _rewrite(
        folder / f"{language}-text.json",
        lambda data: {
            "asked": [vary(words, copy) for copy in range(times) for words in data["asked"]],
            "shown": [vary(text, copy) for copy in range(times) for text in data["shown"]],
            "index": more_rows(data["index"], entries, times),
        },
    )
    index = more_rows(more["index"], others, times, entries, entries * times)
    write_json(folder / f"{language}-more.json", {"pages": more_pages(more["pages"], times), "keys": [], "index": index})
    index = more_rows(bugs["index"], known, times, entries + all_others, (entries + others) * times)
    write_json(folder / f"{language}-bugs.json", {"pages": more_pages(bugs["pages"], times), "keys": [], "index": index})


def _enlarged_guide(data: dict[str, Any], times: int) -> dict[str, Any]:
    return data | {
        "entries": _more_records(data["entries"], times),
        "signatures": more_signatures(data["signatures"], len(data["entries"]), times),
    }


def _enlarged_bugs(data: dict[str, Any], entries: int, times: int) -> dict[str, Any]:
    """Their documents stand after those of the entries, of which there are more, too."""
    return {
        "entries": _more_records(data["entries"], times),
        "signatures": more_signatures(data["signatures"], len(data["entries"]), times, entries * (times - 1)),
        "keys": data["keys"] * times,
    }


def _more_records(records: Sequence[list[Any]], times: int) -> list[list[Any]]:
    return [[f"{id_}-{copy}" if copy else id_, *facts] for copy in range(times) for id_, *facts in records]


def _rewrite(file: Path, change: Any) -> None:
    write_json(file, change(_read(file)))


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def add_pagefind(site: Path, pages: Sequence[Html]) -> str | None:
    """Index pages with Pagefind, each in the language it says it is in.

    Returns:
        None, or why Pagefind cannot be had here.
    """
    try:
        from pagefind.index import IndexConfig, PagefindIndex
        from pagefind.service import get_executable
    except ImportError:
        return "not installed"
    if get_executable() is None:
        return "no program for this system"

    async def index(folder: str) -> None:
        for page in pages:
            file = Path(folder) / page.address / "index.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_document(page), encoding="utf-8")
        async with PagefindIndex(config=IndexConfig(output_path=str(site / "pagefind"))) as running:
            await running.add_directory(folder)

    with TemporaryDirectory() as folder:
        asyncio.run(index(folder))
    return None


def _document(page: Html) -> str:
    return f'<!doctype html><html lang="{page.language}"><body>{page.text}</body></html>'
