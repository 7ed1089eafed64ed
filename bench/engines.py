"""Search engines in Chromium: how long they take to be ready, what they transfer, what they answer."""

import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Request

FIRST_QUERY = "batch size"
MINUTES = 60_000


@dataclass(frozen=True)
class Engine:
    """A search engine; `key` is its name in harness.js, `title` the one in the table."""

    key: str
    title: str


@dataclass(frozen=True)
class Item:
    """One line of a result list.

    Attributes:
        location: address below the site root, with `#id` for a section.
        weight: what the engine sorts by inside a group.
        tag: first badge that the reader sees on it.
    """

    location: str
    weight: float
    tag: str


Group = tuple[Item, ...]


@dataclass(frozen=True)
class Opened:
    """First use of an engine: milliseconds to the first result and until all is searched, and the paths transferred."""

    ready: float
    complete: float
    paths: tuple[str, ...]


@dataclass
class Session:
    """A page with one engine running in it."""

    page: Page
    opened: Opened

    def times(self, queries: Sequence[str], rounds: int, budget: int = MINUTES) -> list[float]:
        """Milliseconds of each query; stops early when `budget` milliseconds are spent."""
        arguments = [list(queries), rounds, budget]
        result = self.page.evaluate("([queries, rounds, budget]) => bench.ask(queries, rounds, budget, false)", arguments)
        return [float(ms) for ms in result["ms"]]

    def answers(self, queries: Sequence[str]) -> list[tuple[Group, ...]]:
        """Groups of results for each query, best first."""
        result = self.page.evaluate("(queries) => bench.ask(queries, 1, 0, true)", list(queries))
        return [tuple(tuple(_item(item) for item in group) for group in answer) for answer in result["answers"]]


def _item(record: dict[str, object]) -> Item:
    return Item(str(record["location"]), float(str(record["weight"])), str(record["tag"]))


@contextmanager
def session(browser: Browser, base: str, engine: Engine, language: str) -> Iterator[Session]:
    """Open the engine in a browser context of its own, with an empty cache.

    Args:
        base: address of the site to search, with a trailing slash.
    """
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(10 * MINUTES)
    try:
        page.goto(f"{base}bench/{language}.html")
        paths: list[str] = []

        def note(request: Request) -> None:
            path = urlsplit(request.url).path
            paths.append(path.removeprefix(urlsplit(base).path))

        context.on("request", note)
        times = page.evaluate(
            "([engine, language, first]) => bench.open(engine, language, first)", [engine.key, language, FIRST_QUERY]
        )
        yield Session(page, Opened(float(times["ready"]), float(times["complete"]), tuple(dict.fromkeys(paths))))
    finally:
        context.close()


def transferred(site: Path, paths: Sequence[str]) -> int:
    """Bytes of these files as a web server with gzip sends them; what is packed already is not packed again."""
    return sum(min(file.stat().st_size, gzipped(file)) for path in paths if (file := site / path).is_file())


def gzipped(file: Path) -> int:
    """Bytes of a file after gzip."""
    return len(gzip.compress(file.read_bytes(), 9))
