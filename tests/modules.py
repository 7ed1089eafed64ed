"""The scripts of the browser on an empty page, answered from the checkout: no site has to be built."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from tests.conftest import ROOT

ASSETS = ROOT / "overrides" / "assets"
HOME = "https://guide.example/"


@contextmanager
def module_page(browser: Browser) -> Iterator[Page]:
    """An empty page that can import `/javascripts/…`, with what goes through launch scripts."""
    page = browser.new_page()
    page.route(HOME, lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.route(f"{HOME}*/**", lambda route: route.fulfill(path=ASSETS / route.request.url.removeprefix(HOME)))
    page.goto(HOME)
    page.evaluate("import('/javascripts/ui/shell.js')")
    yield page
    page.close()
