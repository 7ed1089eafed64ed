"""The pages of the bug ledger in a browser, and what the log page says of a known bug to who runs which release."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from fieldguide.content.bugs import anchor, rows_of, span
from fieldguide.content.guide import load_guide, load_words
from fieldguide.runtime.guide import Guide, Signature
from tests.conftest import ROOT
from tests.logpage import FINDING, opened

pytestmark = pytest.mark.browser
WORDS = load_words(ROOT)
CATALOG = load_guide(ROOT).catalog
SHOWN = ".fg-bugs article:not(.fg-unmatched)"
TEXT = "(TaskRunner pid=7) File /x/verl/trainer/main_ppo.py\nRuntimeError: {error}\n"


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    yield from opened(context, address)


@pytest.fixture
def ledger(context: BrowserContext, address: str) -> Iterator[Page]:
    yield from opened(context, address, "bugs/verl/")


def bites(guide: Guide, release: str, to: str | None = None) -> int:
    """How many of the bugs on verl's page a release has, and another has not."""
    rows = [guide.bugs[one.id] for one in rows_of(CATALOG, "verl")]
    return sum(one.by(release) == "bug" and (to is None or one.by(to) == "fix") for one in rows)


def test_a_release_shows_what_bites_there_and_what_upgrading_mends(ledger: Page, compiled: Guide) -> None:
    assert ledger.locator(SHOWN).count() == len(rows_of(CATALOG, "verl"))
    ledger.locator("[data-field=release]").select_option("v0.8.0")
    assert ledger.locator(SHOWN).count() == bites(compiled, "v0.8.0")
    ledger.locator("[data-field=to]").select_option("v0.9.0")
    assert ledger.locator(SHOWN).count() == bites(compiled, "v0.8.0", "v0.9.0") > 0
    expect(ledger.locator(".fg-bugfilter output")).to_contain_text(str(bites(compiled, "v0.8.0", "v0.9.0")))
    ledger.reload()
    expect(ledger.locator("[data-field=release]")).to_have_value("v0.8.0")


def test_words_and_topics_narrow_and_nothing_is_said_to_be_nothing(ledger: Page) -> None:
    ledger.locator("[data-field=words]").fill("LoRA")
    rows = ledger.locator(SHOWN)
    assert rows.count() and all("lora" in text.lower() for text in rows.all_text_contents())
    whole = rows.count()
    ledger.locator("[data-field=topic]").select_option("checkpoints")
    assert 0 < rows.count() < whole
    ledger.locator("[data-field=words]").fill("no such word")
    expect(ledger.locator(".fg-bugfilter output")).to_have_text("No known bug matches.")
    assert ledger.locator("details.fg-bugs:not(.fg-unmatched)").count() == 0


def test_a_topic_shows_its_rows(ledger: Page) -> None:
    bugs = rows_of(CATALOG, "verl")
    for topic in ("agents", "stability"):
        ledger.locator("[data-field=topic]").select_option(topic)
        own = sorted(f"bug-{one.id}" for one in bugs if one.topic == topic)
        assert sorted(row.get_attribute("id") or "" for row in ledger.locator(SHOWN).all()) == own


def test_a_link_to_a_row_shows_it(context: BrowserContext, address: str) -> None:
    bug = next(one for one in rows_of(CATALOG, "verl") if one.fixed)
    page = context.new_page()
    page.goto(f"{address}zh/bugs/verl/#{anchor(bug.id)}")
    row = page.locator(f"#{anchor(bug.id)}")
    expect(row).to_be_in_viewport()
    expect(row.locator(f"a[href='#{anchor(bug.id)}']")).to_have_text(span(CATALOG, bug, WORDS["zh"]))


def test_a_row_that_has_moved_to_the_page_of_old_releases_is_found_there(context: BrowserContext, address: str) -> None:
    bug = rows_of(CATALOG, "verl-old")[-1]
    page = context.new_page()
    page.goto(f"{address}bugs/verl/#{anchor(bug.id)}")
    expect(page.locator(f"#{anchor(bug.id)}")).to_be_in_viewport()
    expect(page).to_have_url(f"{address}bugs/verl-old/#{anchor(bug.id)}")


def test_old_releases_have_a_page_which_leads_to_the_other_and_back(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}bugs/verl/")
    expect(page.locator("p", has=page.locator("#bugs-twin"))).to_contain_text(f"({len(rows_of(CATALOG, 'verl-old'))})")
    page.locator("#bugs-twin").click()
    releases = page.locator("[data-field=release]")
    assert releases.locator("option").nth(1).text_content() == CATALOG.framework["verl"].old_bugs
    releases.select_option("v0.5.0")
    rows = [one for one in rows_of(CATALOG, "verl-old") if one.fixed not in ("v0.5.0", "v0.4.1", "v0.4.0", "v0.3.0.post0")]
    assert 0 < page.locator(SHOWN).count() <= len(rows)
    page.locator("#bugs-twin").click()
    expect(page).to_have_url(f"{address}bugs/verl/")
    expect(releases).to_have_value("v0.5.0")


@pytest.fixture(scope="module")
def bug(compiled: Guide) -> Signature:
    """A text that the ledger alone has, of a bug that v0.8.0 has and v0.9.0 has not."""
    entries = {one.shown for one in compiled.signatures if not one.bug}
    return next(
        one
        for one in compiled.signatures
        if one.bug and one.framework == "verl" and "…" not in one.shown and compiled.bugs[one.entry].fixed == "v0.9.0"
        and len(one.shown) > 30 and not any(other in one.shown or one.shown in other for other in entries)
    )  # fmt: skip


def test_the_search_box_says_what_a_known_bug_means_for_the_release(page: Page, address: str, bug: Signature) -> None:
    result = page.locator(".md-search-result__item", has=page.locator(f'a[href*="#bug-{bug.entry}"]'))
    for release, said, exact in (
        ("verl==0.8.0", "You run 0.8.0, which has this bug.", 1),
        ("verl==0.9.1", "You run 0.9.1, which has the fix. Look on.", 0),
        ("", "You run v0.8.0, which has this bug.", 1),
    ):
        page.goto(address)
        if not release:
            page.evaluate("localStorage.setItem('fieldguide.release.verl', 'v0.8.0')")
        search = page.locator("[data-md-component=search-query]")
        search.focus()
        search.fill(f"{TEXT.format(error=bug.shown)} {release}".replace("\n", " "))
        expect(result.locator(".fg-hit__line")).to_contain_text(said)
        expect(result.locator(".fg-exact")).to_have_count(exact)


def test_the_log_page_says_what_a_known_bug_means_for_the_release(page: Page, address: str, bug: Signature) -> None:
    for release, said in (
        ("0.8.0", "You run 0.8.0, which has this bug."),
        ("0.9.1", "You run 0.9.1, which has the fix. Look on."),
    ):
        page.goto(address + "diagnose/")
        page.locator("[data-part=input]").fill(f"verl version: {release}\n{TEXT.format(error=bug.shown)}")
        page.locator("[data-part=run]").click()
        found = page.locator(FINDING).first
        expect(found).to_have_attribute("data-entry", bug.entry)
        expect(found.locator(".fg-log__release")).to_have_text(said)
        expect(found.locator(".fg-log__bug")).to_have_text("Known bug")
        page.locator("[data-part=clear]").click()
