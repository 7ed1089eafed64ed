"""A Chromium for the tests: the one of BROWSER, of the system, or of Playwright. `python -m tests.browser` says which."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

# The shell has no windows: a new reader costs it a third of the time.
CANDIDATES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# No telephone calls home: a request of the browser's own must not be taken for one of the site.
ARGUMENTS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


def find_browser() -> str | None:
    """Path of a browser; None lets Playwright look for its own."""
    named = os.environ.get("BROWSER")
    if named:
        return named
    return next((found for name in CANDIDATES if (found := shutil.which(name))), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """A running browser."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=[*ARGUMENTS, *(["--no-sandbox"] if root else [])]
        )
        try:
            yield browser
        finally:
            browser.close()


def await_keys(page: Page) -> None:
    """Wait until the search box knows keys, which it reads last: from then on no list changes by itself."""
    query = page.locator("[data-md-component=search-query]")
    query.fill("RAY_DEBUG_POST_MORTEM")
    expect(page.locator(".md-search-result__link[href*=glossary]").first).to_be_attached()
    query.fill("")
    expect(page.locator(".md-search-result__link")).to_have_count(0)


if __name__ == "__main__":
    with launched() as running:
        print(find_browser() or Path(sys.prefix), running.version)
