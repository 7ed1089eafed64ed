"""Short addresses: each id and alias leads to its entry in the reader's language, and none ever disappears."""

import subprocess
from pathlib import Path

import pytest
from lxml import html
from playwright.sync_api import Browser, expect

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.checks import run
from fieldguide.content.checks.published import ADDRESSES, RECORD, addresses, known_ids, record_ids, recorded_ids, tagged_ids
from fieldguide.content.guide import Guide, load_guide
from fieldguide.content.history import git
from fieldguide.content.problems import ContentError
from fieldguide.site.configuration import load_site
from fieldguide.site.markdown import PageContext
from fieldguide.site.publish.permalinks import write_permalinks
from tests.conftest import ROOT
from tests.test_markdown import render
from tests.trees import Trees

BASE = "https://example.org/guide/"
ENTRY = "roll-batch-size-chunks"
SOURCE_ENTRIES = 42  # questions of the five source documents


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


def home(guide: Guide, language: str, entry: str) -> str:
    return page_address(language, guide.catalog.page_of(entry))


@pytest.mark.parametrize("asked", LANGUAGES)
def test_every_entry_has_an_address_with_both_links(guide: Guide, site: Path, trees: Trees, asked: str) -> None:
    """`/e/<id>/` says no language, `/zh/e/<id>/` says Chinese: its link is first and the page there is the canonical one."""
    folder = site / page_address(asked, "index") / "e"
    ids = {id_ for entry in guide.catalog.entry.values() for id_ in (entry.id, *entry.aliases)}
    assert {file.name for file in folder.iterdir()} == ids
    for entry in guide.catalog.entry:
        tree = trees(folder / entry / "index.html")
        links = {link.get("data-lang"): link for link in tree.xpath("//a")}
        targets = {language: (folder / entry / link.get("href")).resolve() for language, link in links.items()}
        assert targets == {language: (site / home(guide, language, entry)).resolve() for language in LANGUAGES}
        assert next(iter(links)) == asked and all(link.text_content().strip() for link in links.values())
        assert tree.xpath("//link[@rel='canonical']/@href") == [BASE + home(guide, asked, entry)]
        assert tree.xpath("/html/@data-language") == [asked][: asked != LANGUAGES[0]]
        assert not tree.xpath("//script[not(@src)] | //style | //*[@style]"), "a strict policy forbids what is inline"


def test_pages_print_it(guide: Guide, site: Path, trees: Trees) -> None:
    for entry in guide.catalog.entry:
        for language in LANGUAGES:
            page = site / home(guide, language, entry)
            tree = trees(page / "index.html")
            (link,) = tree.xpath(f"//section[@data-entry='{entry}']//a[@class='fg-permalink']")
            assert link.text == f"/e/{entry}/"
            assert (page / link.get("href")).resolve() == (site / "e" / entry).resolve()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "stored", "language"),
    [("en-US", None, "en"), ("zh-TW", None, "zh"), ("fr-FR", None, "en"), ("zh-CN", "en", "en"), ("en-GB", "zh", "zh")],
)
def test_it_leads_to_the_readers_language(
    browser: Browser, address: str, guide: Guide, locale: str, stored: str | None, language: str
) -> None:
    context = browser.new_context(locale=locale)
    if stored:
        context.add_init_script(f"localStorage.setItem('fieldguide.language', '{stored}')")
    page = context.new_page()
    page.goto(f"{address}e/{ENTRY}/")
    expect(page).to_have_url(address + home(guide, language, ENTRY))
    expect(page.locator(f"[id='{ENTRY}']")).to_be_in_viewport()
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_an_address_that_says_its_language_leads_there(browser: Browser, address: str, guide: Guide, locale: str) -> None:
    page = browser.new_page(locale=locale)
    page.goto(f"{address}zh/e/{ENTRY}/")
    expect(page).to_have_url(address + home(guide, "zh", ENTRY))
    page.close()


@pytest.mark.browser
def test_back_does_not_return_to_it(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "about/")
    page.goto(f"{address}e/{ENTRY}/")
    page.wait_for_url(f"**/topics/*/{ENTRY}/")
    page.go_back()
    expect(page).to_have_url(address + "about/")
    page.close()


@pytest.mark.browser
def test_without_javascript_both_links_are_there(browser: Browser, address: str, guide: Guide) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}e/{ENTRY}/")
    page.locator("a[data-lang=zh]").click()
    expect(page).to_have_url(address + home(guide, "zh", ENTRY))
    context.close()


def test_an_alias_keeps_its_address_and_its_anchor(small: Path, tmp_path: Path) -> None:
    guide = run(small)
    written = write_permalinks(guide, load_site(ROOT), tmp_path)
    assert {file.parent.name for file in written} == {"alpha-oom", "beta-oom", "beta-memory"}
    tree = html.fromstring((tmp_path / "e" / "beta-memory" / "index.html").read_text(encoding="utf-8"))
    assert tree.xpath("//a/@href")[0] == "../../topics/memory/beta-oom/"
    page = render(small, "# How { #beta-oom }\n\ntext\n", page="topics/memory/beta-oom")
    assert '<h1 id="beta-oom"><span id="beta-memory"></span>How</h1>' in page


def test_permalinks_are_relative_to_their_page(small: Path) -> None:
    name = PageContext("zh", "topics/memory/beta-oom").name
    assert name in load_guide(small).documents["zh"]
    assert 'href="../../../../e/beta-oom/"' in render(small, "# How { #beta-oom }\n", language="zh", page=name)
    assert 'href="../../../e/beta-oom/"' in render(small, "# How { #beta-oom }\n", page=name)


def test_the_questions_of_the_source_documents_are_recorded() -> None:
    entries = load_guide(ROOT).catalog.entry
    assert len([id_ for id_ in recorded_ids(ROOT) if id_ in entries]) >= SOURCE_ENTRIES


def test_a_release_records_its_ids(guide: Guide) -> None:
    """On the commit of a release: run `python -m fieldguide record-ids` before tagging."""
    if [tag for tag in git(ROOT, "tag", "--points-at", "HEAD").split() if tag.startswith("v")]:
        assert not known_ids(guide.catalog) - set(recorded_ids(ROOT))


def test_recording_adds_and_keeps(small: Path) -> None:
    (small / RECORD).write_text("alpha-oom\n", encoding="utf-8")
    added = record_ids(run(small))
    assert {"beta-oom", "beta-memory"} <= set(added[RECORD]) and "alpha-oom" not in added[RECORD]
    assert set(recorded_ids(small)) == {"alpha-oom", *added[RECORD]} == known_ids(load_guide(small).catalog)
    assert {"compare", "topics/memory/alpha-oom"} <= set(added[ADDRESSES])
    assert "compare#concept-tokens" not in added[ADDRESSES], "that one is recorded already"
    assert (small / ADDRESSES).read_text(encoding="utf-8").splitlines() == sorted(addresses(run(small)))
    assert record_ids(run(small)) == {RECORD: [], ADDRESSES: []}


def test_an_id_of_a_tagged_release_must_not_disappear(small: Path) -> None:
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"], ["tag", "v1.0.0"]):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *command], cwd=small, check=True)
    assert set(tagged_ids(small)) == {"alpha-oom", "beta-oom"}
    run(small)
    for file in [*small.rglob("*.md"), *small.rglob("*.yml"), small / RECORD]:
        file.write_text(file.read_text(encoding="utf-8").replace("beta-oom", "beta-renamed"), encoding="utf-8")
    with pytest.raises(ContentError, match=r"v1\.0\.0:catalog/entries: id 'beta-oom' was published and is gone"):
        run(small)
