"""The copy that opens from a folder: links, search, language switch and filter without a server."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.cases import asked, load_cases
from fieldguide.content.guide import load_guide
from fieldguide.content.problems import ContentError
from fieldguide.site.offline import file_link, make_offline
from tests.conftest import ROOT
from tests.logpage import drop


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    page = browser.new_page(locale="en-US")
    outside: list[str] = []
    page.on("request", lambda r: None if r.url.startswith((folder.as_uri(), "data:", "blob:")) else outside.append(r.url))
    page.on("pageerror", lambda error: outside.append(str(error)))
    yield page
    page.close()
    assert not outside, "\n".join(outside)


@pytest.mark.parametrize(
    ("href", "local"),
    [
        ("../topics/memory/#slime-oom", "../topics/memory/index.html#slime-oom"),
        (".", "./index.html"),
        ("..", "../index.html"),
        ("../", "../index.html"),
        ("?fw=slime", "?fw=slime"),
        ("#here", "#here"),
        ("assets/a.css", "assets/a.css"),
    ],
)
def test_links_name_files(href: str, local: str) -> None:
    assert file_link(href) == local


def test_same_site_same_bytes(site: Path, archive: Path, tmp_path: Path) -> None:
    assert make_offline(site, tmp_path / "again.zip", "guide").archive.read_bytes() == archive.read_bytes()


def test_a_link_that_leads_nowhere_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text('<!doctype html><html><body>\n<a href="gone/">x</a></body></html>', encoding="utf-8")
    with pytest.raises(ContentError, match=r"index.html:2: link 'gone/' leads to no file"):
        make_offline(site, tmp_path / "out.zip", "guide")
    assert not list(tmp_path.glob("out*"))


def results(page: Page, query: str) -> list[str]:
    """Where the first three results of the search box lead: the same addresses on the web and in the folder."""
    box = page.locator("[data-md-component=search-query]")
    box.click()
    page.evaluate("document.querySelector('.md-search-result__list').innerHTML = ''")
    box.fill(query.replace("\n", " "))
    box.dispatch_event("keyup")
    page.wait_for_selector(".md-search-result__item a")
    links = page.locator(".md-search-result__item a").evaluate_all("links => links.slice(0, 3).map(link => link.href)")
    return [re.sub(r"^.*/guide/|index\.html|\?h=[^#]*", "", link) for link in links]


def expect_key(page: Page) -> None:
    """Wait until the search finds keys."""
    results(page, "RAY_DEBUG_POST_MORTEM")
    expect(page.locator(".md-search-result__link[href*=glossary]").first).to_be_attached(timeout=10000)


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "zh"])
def test_search_gives_what_it_gives_on_the_web(page: Page, folder: Path, browser: Browser, address: str, language: str) -> None:
    prefix = "zh/" if language == "zh" else ""
    queries = [one.case.query for one in asked(load_cases(ROOT / "tests" / "search"), language)][::6]
    web = browser.new_page(locale="en-US")
    web.goto(address + prefix + "topics/speed/")
    page.goto((folder / prefix / "topics/speed/index.html").as_uri())
    for reader in (web, page):  # keys are searched a moment after the entries: only then are the answers final
        expect_key(reader)
    differing = [query[-80:] for query in queries if results(web, query) != results(page, query)]
    web.close()
    assert len(queries) >= 15
    assert not differing, "\n".join(differing)


@pytest.mark.browser
def test_an_unknown_error_becomes_a_report_in_a_folder_too(page: Page, folder: Path) -> None:
    page.goto((folder / "index.html").as_uri())
    page.locator("[data-fg=paste] textarea").fill("qwertzuiop yxcvbnm")
    page.locator("[data-fg=paste] button[type=submit]").click()
    ways = page.locator(".md-search-result__item a")
    expect(ways.first).to_have_attribute("href", (folder / "errors/index.html").as_uri())
    ways.last.click()
    expect(page).to_have_url((folder / "about/index.html").as_uri() + "#about-report")
    expect(page.locator("[data-fg=report] textarea")).to_have_value(re.compile("qwertzuiop yxcvbnm"))
    page.go_back()
    expect(ways.first).to_be_visible()
    page.goto((folder / "status/index.html").as_uri() + "#q=memory")
    expect(ways.first).to_be_visible()


@pytest.mark.browser
def test_a_key_leads_to_a_file(page: Page, folder: Path) -> None:
    page.goto((folder / "zh/index.html").as_uri())
    expect_key(page)
    results(page, "entropy_from_logits_chunk_size")
    group = (folder / "zh/glossary/verl/actor/index.html").as_uri()
    expect(page.locator(".md-search-result__link").first).to_have_attribute("href", re.compile(f"^{re.escape(group)}#"))


@pytest.mark.browser
def test_reading_works_from_a_folder(page: Page, folder: Path) -> None:
    page.goto((folder / "topics/batch-size/index.html").as_uri() + "#roll-grad-accum")  # leads to the entry's page
    expect(page.locator("[data-entry=roll-grad-accum]")).to_be_visible()
    page.locator("header .md-select").hover()
    page.locator("header a[hreflang=zh]").click()
    expect(page).to_have_url((folder / "zh/topics/batch-size/roll-grad-accum/index.html").as_uri())
    page.locator(".fg-crumbs a").last.click()
    expect(page).to_have_url((folder / "zh/topics/batch-size/index.html").as_uri())
    page.wait_for_selector("html[data-framework]")  # the filter is at work
    page.locator("article [data-filter=slime]").click()
    expect(page.locator("#roll-lr-decay-steps")).to_be_hidden()
    page.locator("#slime-batch-size a").first.click()
    page.locator("[data-entry=slime-batch-size] a.fg-key").first.click()
    expect(page).to_have_url((folder / "zh/glossary/slime/batch/index.html").as_uri() + "#slime-rollout-batch-size")


@pytest.mark.browser
def test_the_log_page_works_from_a_folder(page: Page, folder: Path) -> None:
    page.goto((folder / "diagnose/index.html").as_uri())
    page.locator("[data-part=input]").fill("ROLL run\nAssertionError: batch_size 32 < chunks 64\n")
    page.locator("[data-part=run]").click()
    expect(page.locator("[data-fg=log]")).to_contain_text("batch_size 32 < chunks 64 at dispatch", timeout=10000)


@pytest.mark.browser
@pytest.mark.parametrize("language", ["", "zh/"])
def test_the_logs_of_a_run_are_read_from_a_folder(page: Page, folder: Path, language: str, tmp_path: Path) -> None:
    logs = ROOT / "tests/runs/report-cuda-oom-clocks/logs"
    packed = shutil.make_archive(str(tmp_path / "logs"), "gztar", logs)
    address = (folder / f"{language}diagnose/index.html").as_uri()
    for give in (
        lambda: drop(page, Path(packed)),
        lambda: page.locator("[data-part=folder]").set_input_files(logs),
    ):
        page.goto(address)
        give()
        expect(page.locator(".fg-run__first")).to_contain_text("rank 1")
        expect(page.locator("[data-entry=verl-actor-oom] .fg-log__fix pre").first).to_be_visible()
        method = (folder / f"{language}methods/worker-died/index.html").as_uri()
        expect(page.locator(".fg-run__first a")).to_have_attribute("href", method)


@pytest.mark.browser
def test_a_folder_that_a_browser_keeps_closed_is_said(page: Page, folder: Path) -> None:
    """Chromium lets no page that is open from a folder look into one that is dropped on it."""
    page.goto((folder / "diagnose/index.html").as_uri())
    drop(page, ROOT / "tests/runs/report-cuda-oom-clocks/logs")
    expect(page.locator("[data-part=status]")).to_have_text(load_guide(ROOT).words["en"]["log_folder_closed"])
