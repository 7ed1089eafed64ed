"""The pages of the bug ledger in a browser, and what the log page says of a known bug to who runs which release."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from fieldguide.content.bugs import span
from fieldguide.content.guide import load_guide, load_words
from fieldguide.runtime.guide import Guide, Signature
from tests.conftest import ROOT
from tests.logpage import FINDING, opened

pytestmark = pytest.mark.browser
WORDS = load_words(ROOT)
SHOWN = ".fg-bugs article:not(.fg-unmatched)"
TEXT = "(TaskRunner pid=7) File /x/verl/trainer/main_ppo.py\nRuntimeError: {error}\n"


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    yield from opened(context, address)


@pytest.fixture
def ledger(context: BrowserContext, address: str) -> Iterator[Page]:
    yield from opened(context, address, "bugs/verl/")


def bites(guide: Guide, release: str, to: str | None = None) -> int:
    """How many of verl's bugs a release has, and another has not."""
    rows = [one for one in guide.bugs.values() if one.repository == "verl"]
    return sum(one.by(release) == "bug" and (to is None or one.by(to) == "fix") for one in rows)


def test_a_release_shows_what_bites_there_and_what_upgrading_mends(ledger: Page, compiled: Guide) -> None:
    assert ledger.locator(SHOWN).count() == len([one for one in compiled.bugs.values() if one.repository == "verl"])
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
    bugs = [item.record for item in load_guide(ROOT).catalog.bugs if item.path.stem == "verl"]
    for topic in ("agents", "stability"):
        ledger.locator("[data-field=topic]").select_option(topic)
        own = sorted(f"bug-{one.id}" for one in bugs if one.topic == topic)
        assert sorted(row.get_attribute("id") or "" for row in ledger.locator(SHOWN).all()) == own


def test_a_link_to_a_row_shows_it(context: BrowserContext, address: str) -> None:
    bug = next(item.record for item in load_guide(ROOT).catalog.bugs if item.path.stem == "verl" and item.record.fixed)
    page = context.new_page()
    page.goto(f"{address}zh/bugs/verl/#bug-{bug.id}")
    row = page.locator(f"#bug-{bug.id}")
    expect(row).to_be_in_viewport()
    expect(row.locator(f"a[href='#bug-{bug.id}']")).to_have_text(span(load_guide(ROOT).catalog, bug, WORDS["zh"]))


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
