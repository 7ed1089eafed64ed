"""What a page view costs, per kind of page: bytes after gzip, requests, time in scripts, and how far the page moves.

`python -m bench.weight` measures the same on a slow line and a slow machine, beside other sites.
"""

import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from playwright.sync_api import Browser, expect

from bench.weight import packed, view
from tests.server import served

pytestmark = pytest.mark.browser

# kB and requests of one cold view. The theme alone takes about 80 kB in 14 requests.
BUDGETS = {
    "": (110, 20),
    "zh/": (110, 20),
    "about/": (110, 21),
    "diagnose/": (110, 25),
    "calculate/": (130, 30),
    "topics/": (110, 20),
    "topics/batch-size/": (120, 20),
    "zh/topics/memory/": (120, 20),
    "topics/memory/verl-actor-oom/": (110, 20),
    "zh/topics/stability/any-logprob-mismatch/": (110, 20),
    "frameworks/verl/": (110, 20),
    "glossary/verl/": (130, 20),
    "zh/glossary/verl/": (130, 20),
    "glossary/verl/rollout/": (130, 20),
    "compare/": (130, 20),
    "errors/": (130, 20),
    "status/": (120, 20),
}
SCRIPT = 1500  # milliseconds; a quiet machine takes a tenth of it
SHIFT = 0.02


@pytest.fixture(scope="module")
def base(site: Path) -> Iterator[str]:
    with packed(site) as address:
        yield address


@pytest.mark.parametrize("page", BUDGETS)
def test_a_view_stays_within_its_budget(browser: Browser, base: str, page: str) -> None:
    seen = view(browser, base, page, slow=False, settle=500)
    size, requests = BUDGETS[page]
    assert seen.bytes <= size * 1000 and seen.requests <= requests, seen
    assert seen.script <= SCRIPT and seen.shift <= SHIFT and seen.offsite == 0, seen


@pytest.mark.parametrize("link", ["topics/batch-size/#rules-slime", "zh/topics/checkpoints/verl-merge-fails/#versions"])
def test_the_place_that_a_link_leads_to_stays_where_it_is(browser: Browser, base: str, link: str) -> None:
    """The theme's script boxes the tables above it; they must not take more or less room then."""
    assert view(browser, base, link, slow=False, settle=500).shift <= SHIFT


class _Piecemeal(SimpleHTTPRequestHandler):
    """Sends the first 60 kB of an article as a slow line does: a little at a time, cut anywhere."""

    def copyfile(self, source: BinaryIO, outputfile: BinaryIO) -> None:  # type: ignore[override]
        head, mark, article = source.read().partition(b"<article")
        outputfile.write(head + mark)
        for start in range(0, 60_000 if mark else 0, 1500):
            outputfile.write(article[start : start + 1500])
            time.sleep(0.05)
        outputfile.write(article[60_000:])

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.mark.parametrize(
    "page", ["topics/batch-size/", "zh/topics/checkpoints/verl-merge-fails/", "errors/", "compare/", "glossary/verl/"]
)
def test_a_page_that_arrives_in_pieces_stays_where_it_is(browser: Browser, site: Path, page: str) -> None:
    """Each further row of a table may change the width of its columns."""
    with served(partial(_Piecemeal, directory=str(site))) as address:
        assert view(browser, address, page, slow=False, settle=500).shift <= SHIFT


def test_the_place_that_a_link_leads_to_is_in_sight_before_the_scripts_are(browser: Browser, base: str) -> None:
    """A browser goes to the place in the address at the very end; on a slow line that is seconds later."""
    page = browser.new_page()
    page.route("**/*.js", lambda route: route.abort())
    page.add_init_script("addEventListener('DOMContentLoaded', () => { window.early = scrollY; })")
    page.goto(base + "topics/batch-size/#rules-slime")
    heading = page.locator("#rules-slime")
    assert page.evaluate("window.early") > 1000
    expect(heading).to_be_in_viewport()
    page.close()
