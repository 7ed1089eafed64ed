"""`make serve`: an edit is in the browser within seconds, whatever is wrong with it, and the server answers all the time."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from fieldguide.content.addresses import page_address
from fieldguide.content.guide import load_guide
from fieldguide.content.lenient import load_anyway
from fieldguide.upkeep.new_entry import Draft, write_stub
from scripts.serve.server import FILES, FOLDERS
from tests.conftest import ROOT
from tests.live import EVERY_PAGE, ONE_PAGE, SCRIPT, WORD, Live, added, is_up, replaced, used


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The server on a copy of the checkout, with a reader who never rests."""
    root = tmp_path_factory.mktemp("live") / "checkout"
    for name in FOLDERS:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, root / name)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "SITE_URL": "https://example.org/guide/"}
    with (root / "terminal").open("w") as terminal:
        command = [sys.executable, "-m", "scripts.serve", "--port", str(port)]
        process = subprocess.Popen(command, cwd=root, env=environment, stdout=terminal, stderr=subprocess.STDOUT)
        try:
            live = Live(root, f"http://127.0.0.1:{port}/")
            while not is_up(live):
                assert process.poll() is None, (root / "terminal").read_text(encoding="utf-8")
            yield from used(live)
        finally:
            process.terminate()
            process.wait(10)


def test_what_cannot_be_read_stays_as_it_was(small: Path) -> None:
    before = load_anyway(small, None)
    entry = next((small / "catalog/entries").rglob("*.yml"))
    (small / "docs/en/errors.md").write_bytes(b"# Errors { #errors }\n\n\xff\n")
    for file in (entry, small / "catalog/frameworks.yml", small / "locales/zh.yml"):
        file.write_text("{[", encoding="utf-8")
    after = load_anyway(small, before)
    assert (after.catalog, after.words) == (before.catalog, before.words)
    assert {fault.path.name for fault in after.faults} == {"errors.md", "frameworks.yml", "zh.yml"}
    shutil.copy(ROOT / "tests/fixtures/small/catalog/frameworks.yml", small / "catalog")
    again = load_anyway(small, after)
    assert again.catalog.entry == before.catalog.entry
    assert {fault.path.name for fault in again.faults} == {"errors.md", entry.name, "zh.yml"}


def test_what_is_deleted_does_not_stay(small: Path) -> None:
    before = load_anyway(small, None)
    rules = small / "catalog/rules/alpha.yml"
    rules.unlink()
    (small / "catalog/keys/beta.yml").write_text("{[", encoding="utf-8")
    after = load_anyway(small, before)
    assert before.catalog.rules and not after.catalog.rules
    assert after.catalog.owned_keys == before.catalog.owned_keys


def test_a_fresh_checkout_has_no_problems(live: Live) -> None:
    assert live.problems() == []


def test_english_alone(live: Live) -> None:
    with live.edited("docs/en/about.md", added(WORD)):
        page = live.seen("English alone", "about/", WORD)
        assert 'data-source="docs/en/about.md"' in page
        live.lists("English alone", "docs/zh/about.md")  # its stamp is stale
    live.wait(lambda: live.problems() == [], "mended")


def test_chinese_alone(live: Live) -> None:
    with live.edited("docs/zh/about.md", added("从来没有人写过的话")):
        live.seen("Chinese alone", "zh/about/", "从来没有人写过的话")


def test_a_misspelt_key(live: Live) -> None:
    with live.edited("docs/en/frameworks/roll.md", added("Set `rollout_batch_sise` first.")) as line:
        live.seen("misspelt key", "frameworks/roll/", "rollout_batch_sise")
        live.lists("misspelt key", f"docs/en/frameworks/roll.md:{line}: unknown key 'rollout_batch_sise'")
        terminal = (live.root / "terminal").read_text(encoding="utf-8")
        assert terminal.count("unknown key 'rollout_batch_sise'") == 1


def test_a_broken_line_of_the_catalog_and_mended(live: Live) -> None:
    before = live.get("frameworks/roll/")[1]
    with live.edited("catalog/keys/roll.yml", replaced("\n  - ", "\n  - {[\n  - ")):
        page = live.seen("broken YAML line", "frameworks/roll/", "<article")
        assert SCRIPT.sub("", page) == SCRIPT.sub("", before), "what cannot be read stays as it was"
        live.lists("broken YAML line", "catalog/keys/roll.yml:")
        assert len(live.problems()) == 1, "what follows from it is not listed"
    live.wait(lambda: live.problems() == [], "mended")


def test_a_record_with_a_fault(live: Live) -> None:
    entry = "catalog/entries/memory/slime-oom.yml"
    with live.edited(entry, replaced("status: ", "statuss: ")):
        live.seen("record with a fault", "e/slime-oom/", "topics/memory/slime-oom/")
        live.lists("record with a fault", f"{entry}:")


def test_a_key_of_the_catalog(live: Live) -> None:
    with live.edited("catalog/keys/roll.yml", replaced("used: 95", "used: 9595")):
        live.seen("key of the catalog", "catalog.json", "9595", EVERY_PAGE)  # which holds what every page says


def test_a_new_page_and_a_deleted_one(live: Live) -> None:
    with live.changed({f"docs/{language}/notes.md": f"# Notes {{ #notes }}\n\n{WORD}\n".encode() for language in ("en", "zh")}):
        live.seen("new page", "zh/notes/", WORD)
    live.seen("deleted page", "notes/", "404")


def test_a_new_entry(live: Live, tmp_path: Path) -> None:
    for name in ("catalog", "docs", "locales"):
        shutil.copytree(ROOT / name, tmp_path / name)
    written = write_stub(load_guide(tmp_path), Draft("roll", "roll-brand-new", "memory", "roll", "brand new error {int}"))
    home = load_guide(tmp_path).home_of["roll-brand-new"]
    with live.changed({path.as_posix(): (tmp_path / path).read_bytes() for path in written}):
        live.seen("new entry", page_address("zh", home), 'id="roll-brand-new"')
        live.lists("new entry", "to be filled in")
        assert live.get("e/roll-brand-new/")[0] == 200
    live.seen("deleted entry", "e/roll-brand-new/", "404")


def test_a_page_of_one_language_only(live: Live) -> None:
    with live.changed({"docs/zh/alone.md": f"# 只有中文 {{ #alone }}\n\n{WORD}\n".encode()}):
        live.seen("page of one language", "zh/alone/", WORD)
        live.lists("page of one language", "docs/zh/alone.md")


def test_a_title_that_the_navigation_shows(live: Live) -> None:
    with live.edited("docs/en/frameworks/roll.md", replaced("# ROLL {", "# ROLL, renamed {")):
        live.seen("renamed title", "frameworks/verl/", "ROLL, renamed")


def test_a_page_without_front_matter(live: Live) -> None:
    with live.edited("docs/en/compare.md", lambda text: text.split("---\n", 2)[2] + WORD):
        live.seen("no front matter", "compare/", WORD)


def test_a_file_that_is_no_text(live: Live) -> None:
    with live.changed({"docs/en/status.md": (live.root / "docs/en/status.md").read_bytes() + b"\xff\n"}):
        live.seen("not UTF-8", "status/", "This page cannot be shown")
        live.lists("not UTF-8", "docs/en/status.md")
        assert "<article" in live.get("compare/")[1]
    assert "<article" in live.get("status/")[1]


def test_a_template_of_the_theme_broken_and_mended(live: Live) -> None:
    block = "{% block content %}"
    with live.edited("overrides/main.html", replaced(block, block + f"<p>{WORD}</p>")):
        live.seen("template", "zh/about/", WORD, EVERY_PAGE)
    with live.edited("overrides/main.html", replaced(block, block + "{% if %}")):
        line = (live.root / "overrides/main.html").read_text(encoding="utf-8").split("{% if %}")[0].count("\n") + 1
        live.seen("broken template", "about/", f"overrides/main.html:{line}", EVERY_PAGE)
        live.lists("broken template", f"overrides/main.html:{line}")
    live.wait(lambda: "<article" in live.get("about/")[1], "mended")


def test_a_template_of_a_card(live: Live) -> None:
    with live.edited("fieldguide/site/templates/framework.html", replaced("</dl>", f"<dt>{WORD}</dt></dl>")):
        live.seen("template of a card", "frameworks/verl/", WORD, EVERY_PAGE)
    with live.edited("fieldguide/site/templates/framework.html", added("{% for %}")):
        live.seen("broken template of a card", "frameworks/verl/", "fieldguide/site/templates/framework.html:", EVERY_PAGE)
        assert "<article" in live.get("about/")[1]


def test_a_style(live: Live) -> None:
    with live.edited("overrides/assets/stylesheets/fieldguide.css", added(f'.x::after {{ content: "{WORD}"; }}')):
        live.seen("style", "assets/stylesheets/fieldguide.css", WORD, EVERY_PAGE)


def test_a_word_of_the_interface(live: Live) -> None:
    with live.edited("locales/zh.yml", replaced("filter_all: 全部", "filter_all: 所有的")):
        live.seen("word of the interface", "zh/about/", "所有的", EVERY_PAGE)
    with live.edited("locales/zh.yml", added("filter_all: [")):
        live.seen("broken words", "zh/about/", "全部", EVERY_PAGE)
        live.lists("broken words", "locales/zh.yml:")


def test_the_frameworks(live: Live) -> None:
    with live.edited("catalog/frameworks.yml", replaced("name: ROLL", "name: ROLLING")):
        live.seen("frameworks.yml", "zh/about/", ">ROLLING<", EVERY_PAGE)
    with live.edited("catalog/frameworks.yml", replaced("name: ROLL", "name: [ROLL")):
        live.seen("broken frameworks.yml", "about/", ">ROLL<", EVERY_PAGE)
        live.lists("broken frameworks.yml", "catalog/frameworks.yml:")


def test_the_configuration(live: Live) -> None:
    with live.edited("mkdocs.yml", replaced("- About: about.md", "- About us: about.md")):
        live.seen("navigation", "compare/", "About us", EVERY_PAGE)
    with live.edited("mkdocs.yml", replaced("nav:\n", "nav: [\n")):
        live.seen("broken mkdocs.yml", "about/", "<article", EVERY_PAGE)
        live.lists("broken mkdocs.yml", "mkdocs.yml:")


def test_the_code(live: Live) -> None:
    with live.edited("fieldguide/site/publish/llms.py", replaced("## Optional", f"## {WORD}")):
        live.seen("Python code", "llms.txt", WORD, EVERY_PAGE)
        with live.edited("fieldguide/site/publish/llms.py", added("def (")) as line:
            live.seen("broken Python code", "llms.txt", WORD, EVERY_PAGE)
            live.lists("broken Python code", f"fieldguide/site/publish/llms.py:{line}")


def test_pages_are_those_of_a_build(live: Live, site: Path) -> None:
    """Apart from the address of the site and the script that reloads."""
    for address in ("", "about/", "zh/about/", "frameworks/roll/", "zh/topics/", "zh/status/", "calculate/", "zh/diagnose/"):
        served = SCRIPT.sub("", live.get(address)[1]).replace(live.url, "https://example.org/guide/")
        assert served == (site / address / "index.html").read_text(encoding="utf-8"), address


def test_everything_that_a_build_writes_is_served(live: Live, site: Path) -> None:
    """One file of each kind in each folder at the top."""
    files = [file.relative_to(site) for file in sorted(site.rglob("*")) if file.is_file()]
    kinds = {(file.parts[: len(file.parts) > 1], file.suffix): file.as_posix() for file in files}
    assert len(kinds) > 20
    answers = {file: live.get(file) for file in kinds.values()}
    assert [file for file, (status, text) in answers.items() if status != 200 or "This page cannot be shown" in text] == []
    index = site / "search/search_index.json"
    assert live.get("search/search_index.json")[1] == index.read_text(encoding="utf-8")


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_problems_stand_on_the_page(live: Live, context: BrowserContext, width: int, height: int) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.goto(live.url + "frameworks/roll/")
    expect(page.locator(".live-problems")).to_have_count(0)
    with live.edited("docs/en/frameworks/roll.md", added("Set `rollout_batch_sise` first.")) as line:
        expect(page.locator("article")).to_contain_text("rollout_batch_sise")
        banner = page.locator(".live-problems")
        expect(banner).to_contain_text("of this page")
        expect(banner.locator("li").first).to_contain_text(f"docs/en/frameworks/roll.md:{line} unknown key")
        box = banner.bounding_box()
        assert box and box["x"] >= 0 and box["width"] <= width and box["height"] <= 0.41 * height
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.locator("article")).not_to_contain_text("rollout_batch_sise")
    expect(page.locator(".live-problems")).to_have_count(0)


@pytest.mark.browser
def test_a_page_that_cannot_be_shown_comes_back(live: Live, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(live.url + "about/")
    with live.edited("overrides/main.html", replaced("{% block content %}", "{% block content %}{% if %}")):
        expect(page.locator("h1")).to_have_text("This page cannot be shown")
    expect(page.locator("article h1")).to_contain_text("About this guide")


def test_the_server_answered_all_the_time(live: Live) -> None:
    assert len(live.visits) > 20
    assert [visit for visit in live.visits if visit[1] != 200] == []
    slow = [visit for visit in live.visits if visit[-1] >= ONE_PAGE]
    assert not slow, slow
