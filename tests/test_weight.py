"""What a page view costs, per kind of page: bytes after gzip, requests, time in scripts, and how far the page moves.

`python -m bench.weight` measures the same on a slow line and a slow machine, beside other sites.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bench.weight import View, packed, view

pytestmark = pytest.mark.browser

# kB and requests of one cold view. The theme alone takes about 80 kB in 14 requests.
BUDGETS = {
    "": (110, 20),
    "zh/": (110, 20),
    "about/": (110, 20),
    "diagnose/": (110, 22),
    "calculate/": (160, 28),
    "topics/": (110, 20),
    "topics/batch-size/": (150, 20),
    "zh/topics/memory/": (150, 20),
    "frameworks/verl/": (110, 20),
    "glossary/verl/": (210, 20),
    "zh/glossary/verl/": (210, 20),
    "compare/": (140, 20),
    "errors/": (140, 20),
    "status/": (120, 20),
}
SCRIPT = 1500  # milliseconds; a quiet machine takes a tenth of it


@pytest.fixture(scope="module")
def base(site: Path) -> Iterator[str]:
    with packed(site) as address:
        yield address


def calmest(browser: Browser, base: str, page: str) -> View:
    """The view that moves least, of up to three: on a busy machine one in many is painted while it is being laid out."""
    views: list[View] = []
    while len(views) < 3 and not (views and views[-1].shift <= 0.02):
        views.append(view(browser, base, page, slow=False, settle=500))
    return min(views, key=lambda one: one.shift)


@pytest.mark.parametrize("page", BUDGETS)
def test_a_view_stays_within_its_budget(browser: Browser, base: str, page: str) -> None:
    seen = calmest(browser, base, page)
    size, requests = BUDGETS[page]
    assert seen.bytes <= size * 1000 and seen.requests <= requests, seen
    assert seen.script <= SCRIPT and seen.shift <= 0.02 and seen.offsite == 0, seen


@pytest.mark.parametrize("link", ["topics/batch-size/#roll-batch-size-chunks", "zh/topics/checkpoints/#verl-merge-fails"])
def test_the_entry_that_a_link_leads_to_stays_where_it_is(browser: Browser, base: str, link: str) -> None:
    """The theme's script boxes the tables above it; they must not take more or less room then."""
    assert calmest(browser, base, link).shift <= 0.1


def test_the_entry_that_a_link_leads_to_is_in_sight_before_the_scripts_are(browser: Browser, base: str) -> None:
    """A browser goes to the place in the address at the very end; on a slow line that is seconds later."""
    page = browser.new_page()
    page.route("**/*.js", lambda route: route.abort())
    page.add_init_script("addEventListener('DOMContentLoaded', () => { window.early = scrollY; })")
    page.goto(base + "topics/batch-size/#roll-batch-size-chunks")
    heading = page.locator("#roll-batch-size-chunks")
    assert page.evaluate("window.early") > 1000
    expect(heading).to_be_in_viewport()
    page.close()
