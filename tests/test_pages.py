"""Every page in a real browser, each loaded once: no trouble, nothing too wide or too high, the fix in sight."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import Browser, Page

from tests.test_browser import DESKTOP, PHONE, Trouble, addresses

pytestmark = pytest.mark.browser

# Screens, in pixels of height, that a page may take on a desk (1440 wide) and on a phone (390).
HIGHEST = {1440: 12_000, 390: 25_000}
# From the top of an entry's title to its fix, on a phone.
MEDIAN_TO_FIX, MOST_TO_FIX = 200, 400
MEASURE = """() => {
  document.getAnimations().forEach((one) => one.finish());  // of the resize
  const title = document.querySelector("article h1");
  const fix = document.querySelector(".fg-entry > :is([data-part=fix], [data-part=answer])");
  return {
    height: document.documentElement.scrollHeight,
    wide: document.documentElement.scrollWidth > innerWidth,
    toFix: fix ? fix.getBoundingClientRect().top - title.getBoundingClientRect().top : null,
    fixTop: fix ? fix.getBoundingClientRect().top : null,
  };
}"""


@dataclass(frozen=True)
class Seen:
    """What a page is like at one width."""

    path: str
    width: int
    height: int
    wide: bool
    to_fix: float | None
    fix_top: float | None


@pytest.fixture(scope="module")
def seen(browser: Browser, site: Path, address: str) -> list[Seen]:
    """Every page on a desk and on a phone."""
    trouble = Trouble(address)
    context = browser.new_context(viewport=PHONE, locale="en-US")
    page = context.new_page()
    trouble.watch(page)
    found = [one for path in addresses(site) for one in _views(page, address, path)]
    context.close()
    assert not trouble.found, "\n".join(trouble.found)
    return found


def _views(page: Page, base: str, path: str) -> Iterator[Seen]:
    page.goto(base + path)
    for width, height in ((1440, DESKTOP["height"]), (PHONE["width"], PHONE["height"])):
        page.set_viewport_size({"width": width, "height": height})
        now = page.evaluate(MEASURE)
        yield Seen(path, width, now["height"], now["wide"], now["toFix"], now["fixTop"])


def test_no_page_is_wider_than_the_screen(seen: list[Seen]) -> None:
    assert not [one for one in seen if one.wide]


def test_no_page_is_too_high(seen: list[Seen]) -> None:
    assert not [one for one in seen if one.height > HIGHEST[one.width]]


def test_the_fix_of_an_entry_begins_on_the_first_screen_of_a_phone(seen: list[Seen]) -> None:
    entries = [one for one in seen if one.width == PHONE["width"] and one.to_fix is not None and one.fix_top is not None]
    assert len(entries) > 200
    distances = [one.to_fix for one in entries if one.to_fix is not None]
    assert median(distances) <= MEDIAN_TO_FIX and max(distances) <= MOST_TO_FIX, (median(distances), max(distances))
    late = [one for one in entries if one.fix_top is not None and one.fix_top > PHONE["height"] * 0.6]
    assert not late
