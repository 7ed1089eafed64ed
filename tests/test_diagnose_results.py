"""What the log page shows of a log, in which order, and what becomes of it: copied, kept, left."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from fieldguide.content.guide import load_guide
from fieldguide.site.answers import fixes
from tests.conftest import ROOT
from tests.logpage import BATCH, FINDING, STATUS, TRACE, choose, opened, paste, shown
from tests.test_accessibility import RULES, looked_at, looks, violations_of
from tests.test_browser import DESKTOP, PHONE
from tests.test_explain import VERSIONS

pytestmark = pytest.mark.browser


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    yield from opened(context, address)


# ---- What is shown, and in which order -----------------------------------------------------------------------------------


def test_an_overview_leads_to_findings_of_which_the_first_is_open(page: Page) -> None:
    paste(page, TRACE)
    jumps = page.locator("[data-part=overview] li a")
    count = page.locator(FINDING).count()
    assert count >= 3 and jumps.count() == count
    assert page.locator(FINDING).evaluate_all("all => all.map(one => one.open)") == [True] + [False] * (count - 1)
    groups = page.locator("[data-part=overview] ol")
    expect(groups).to_have_count(2)
    expect(groups.first.locator("li")).to_have_count(1)
    assert groups.last.get_attribute("start") == "2"
    lines = [
        int(one.replace(",", "")) for one in re.findall(r"line ([\d,]+)", page.locator("[data-part=overview]").inner_text())
    ]
    assert lines == sorted(lines) and len(lines) == count
    jumps.last.click()
    last = page.locator(FINDING).last
    expect(last).to_have_attribute("open", "")
    expect(last.locator("summary")).to_be_in_viewport()
    expect(last.locator("summary")).to_be_focused()
    assert "#" not in page.url


@pytest.mark.parametrize(("size", "most"), [(DESKTOP, 3300), (PHONE, 4800)], ids=["desk", "phone"])
def test_a_short_traceback_makes_a_short_page(page: Page, size: ViewportSize, most: int) -> None:
    """What the entry says of the fix is as long as it is; what stands around it is short, and two screens lead to it."""
    page.set_viewport_size(size)
    paste(page, TRACE)
    fix = page.locator(f"{FINDING}[open] .fg-log__fix").bounding_box()
    assert fix is not None
    assert page.evaluate("document.documentElement.scrollHeight") - fix["height"] <= most
    assert fix["y"] + page.evaluate("scrollY") <= 2 * size["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    expect(page.locator(STATUS)).to_be_in_viewport()


def test_versions_of_a_log_that_do_not_go_together_are_named(page: Page, address: str) -> None:
    """What the terminal says, too: `tests/test_explain.py`; the doctor gets all that was pasted."""
    page.locator("[data-part=input]").fill(f"{VERSIONS}{BATCH}\n")
    page.locator("[data-part=run]").click()
    bad = page.locator("[data-part=versions] li")
    expect(bad).to_have_count(1)
    expect(bad).to_contain_text("Transformers 5.0.0, vLLM 0.8.5 does not start")
    expect(bad.get_by_role("link")).to_have_attribute("href", re.compile("topics/install/any-tokenizers-backend/$"))
    expect(page.locator(FINDING)).to_have_count(1)
    page.reload()
    expect(bad).to_have_count(1)
    page.locator("[data-part=packages] a").click()
    expect(page.locator(".fg-doctor__trouble").first).to_contain_text("vLLM 0.8.5")
    assert urlsplit(page.url).query == urlsplit(page.url).fragment == ""


def test_a_list_of_packages_leads_to_the_doctor(page: Page) -> None:
    page.locator("[data-part=input]").fill("Package Version\n------- -------\ntorch 2.8.0\nvllm 0.11.0\n")
    page.locator("[data-part=run]").click()
    expect(page.locator(STATUS)).to_have_text("A list of packages. There is no error in it.")
    for part in ("closest", "versions", "settings"):
        expect(page.locator(f"[data-part={part}]")).to_be_hidden()
    page.locator("[data-part=packages] a").click()
    expect(page.locator("[data-fg=doctor] textarea")).to_have_value(re.compile("vllm 0.11.0"))


def test_steps_are_numbered_as_the_text_calls_them(page: Page) -> None:
    paste(page, "ray.exceptions.RayActorError: The actor died unexpectedly before finishing this task.\n")
    steps = page.locator(f"{FINDING} .fg-log__fix > ol")
    expect(steps.locator("> li")).to_have_count(3)
    assert steps.evaluate("one => getComputedStyle(one).listStyleType") == "decimal"
    expect(page.locator(".fg-log__fix")).to_contain_text("step 1")


def test_every_code_block_can_be_copied(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=DESKTOP, locale="en-US", permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + "diagnose/")
    paste(page, TRACE)
    page.locator(FINDING).evaluate_all("all => all.forEach(one => { one.open = true })")
    blocks = page.locator(f"{FINDING} pre")
    assert blocks.count() >= 4
    for block in blocks.all():
        button = block.locator("xpath=ancestor::*[contains(@class, 'fg-log__code')][1]").get_by_role("button", name="Copy")
        button.click()
        assert page.evaluate("navigator.clipboard.readText()") == block.locator("code").evaluate(
            "one => one.textContent.replace(/\\n$/, '')"
        )
    context.close()


@pytest.mark.parametrize("language", ["", "zh/"])
def test_rows_and_columns_of_other_frameworks_wait_behind_a_button(page: Page, address: str, language: str) -> None:
    page.goto(address + language + "diagnose/")
    paste(page, TRACE)
    fix = page.locator(f"{FINDING}[data-entry=any-nccl-timeout] .fg-log__fix")
    fix.evaluate("one => { one.closest('details').open = true }")
    first = fix.locator("tbody tr > td:first-child")
    assert first.count() > 4
    shown = [cell.inner_text() for cell in first.all() if cell.is_visible()]
    assert shown == ["slime", "SGLang，引擎自己的进程组" if language else "SGLang, the engine's own groups"]
    fix.locator(".fg-log__all").click()
    assert all(cell.is_visible() for cell in first.all())
    fix.locator(".fg-log__all").click()
    assert [cell.inner_text() for cell in first.all() if cell.is_visible()] == shown


NARROW = """
async ([html, frameworks, own]) => {
  const { show } = await import(new URL("../assets/javascripts/ui/log/fix.js", location.href).href);
  const shown = show(html, frameworks, own, {});
  const visible = row => [...row.cells].filter(cell => !cell.hidden && !row.hidden);
  return [...shown.querySelectorAll("tr")].map(row => visible(row).map(cell => cell.textContent));
}
"""
KNOWN = [{"id": one.lower(), "name": one, "group": one.lower()} for one in ("verl", "slime", "ROLL")]


@pytest.mark.parametrize(
    ("rows", "own", "shown"),
    [
        ([["", "verl", "slime"], ["a", "1", "2"]], "slime", [["", "slime"], ["a", "2"]]),
        ([["", "x"], ["verl, A", "1"], ["slime", "2"], ["c", "3"]], "verl", [["", "x"], ["verl, A", "1"], [], ["c", "3"]]),
        ([["F", "x"], ["verl", "1"], ["slime", "2"]], "roll", [["F", "x"], ["verl", "1"], ["slime", "2"]]),
        ([["See", "Do"], ["verl-like", "1"], ["slimey", "2"]], "verl", [["See", "Do"], ["verl-like", "1"], ["slimey", "2"]]),
    ],
    ids=["columns", "rows", "ours is not among them", "words that only begin alike"],
)  # fmt: skip
def test_what_belongs_to_another_framework(page: Page, rows: list[list[str]], own: str, shown: list[list[str]]) -> None:
    html = "<table>" + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows) + "</table>"
    ours = next(one for one in KNOWN if one["id"] == own)
    assert page.evaluate(NARROW, [html, KNOWN, ours]) == shown


def test_rows_that_say_whose_they_are_are_believed(page: Page) -> None:
    html = "<table><tr><td>a</td></tr><tr data-fw='verl'><td>b</td></tr><tr data-fw='any'><td>c</td></tr></table>"
    assert page.evaluate(NARROW, [html, KNOWN, KNOWN[1]]) == [["a"], [], ["c"]]


@looks(DESKTOP)
def test_no_rule_of_accessibility_is_broken_by_results(
    browser: Browser, address: str, size: ViewportSize, scheme: Literal["light", "dark"]
) -> None:
    with looked_at(browser, size, scheme) as page:
        for language in ("", "zh/"):
            page.goto(address + language + "diagnose/")
            paste(page, TRACE)
            page.locator(FINDING).evaluate_all("all => all.forEach(one => { one.open = true })")
            assert not violations_of(page, Axe(), *RULES[scheme])


# ---- The ticket, and the way back ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["", "zh/"])
def test_one_click_makes_a_masked_ticket(browser: Browser, address: str, language: str) -> None:
    context = browser.new_context(viewport=DESKTOP, locale="en-US", permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + language + "diagnose/")
    paste(page, TRACE + "torch.OutOfMemoryError: CUDA out of memory for alice@example.com\n")
    page.locator("[data-part=ticket]").click()
    expect(page.locator("[data-part=ticket]")).to_have_text("Copied" if not language else "已复制")
    ticket = page.evaluate("navigator.clipboard.readText()")
    for rank, one in enumerate(page.locator(FINDING).all()):
        assert f"### {rank + 1}. {one.locator('.fg-log__title').inner_text()}" in ticket
        assert f"`{one.get_attribute('data-entry')}` · {one.locator('.fg-log__where').inner_text()}" in ticket
        assert (one.locator(".fg-log__open").get_attribute("href") or "?") in ticket
    for secret in ("10.20.30.40", "hf_abcdefghijklmnopqrstuvwxyz0123", "alice"):
        assert secret not in ticket, secret
    assert "CUDA out of memory" in ticket and "CustomError: never seen on <ip>" in ticket
    assert "--distributed-timeout-minutes" in ticket, "the fix for slime"
    assert "ChatLearn, FSDP" not in ticket, "the fix of another framework"
    assert not re.search("Copy$|复制$", ticket, re.MULTILINE) and ticket.count("```") % 2 == 0
    context.close()


def test_a_text_that_ends_a_code_block_stays_inside_it(page: Page) -> None:
    made = page.evaluate(
        """async () => {
          const { Results } = await import(new URL("../assets/javascripts/ui/log/results.js", location.href).href);
          return new Results({found: "", fix: "", where: ""}, "en").ticket({
            lines: 1, frameworks: [], unknown: {lines: 0},
            findings: [{id: "x", title: "t", line: 1, count: 1, location: "x/", masked: "a ``` b", fix: "<p>f</p>"}],
          });
        }"""
    )
    assert "````text\na ``` b\n````" in made


def test_what_was_pasted_and_found_survives_reload_and_the_way_back(page: Page, address: str) -> None:
    paste(page, TRACE)
    found = shown(page)
    for leave in (page.reload, lambda: (page.goto(address + "about/"), page.go_back())):
        leave()
        expect(page.locator(FINDING)).to_have_count(len(found))
        assert shown(page) == found
        expect(page.locator("[data-part=input]")).to_have_value(TRACE)
        assert urlsplit(page.url).query == "" and not urlsplit(page.url).fragment
    page.goto(address + "zh/diagnose/")
    expect(page.locator(FINDING)).to_have_count(len(found))
    expect(page.locator(STATUS)).to_contain_text("发现")


def test_what_a_file_said_survives_reload_and_clear_forgets_it(page: Page) -> None:
    choose(page, f"a\n{BATCH}\n".encode())
    expect(page.locator(FINDING)).to_have_count(1)
    page.reload()
    assert shown(page) == [["roll-batch-size-chunks", "line 2, 1×"]]
    page.locator("[data-part=clear]").click()
    expect(page.locator(FINDING)).to_have_count(0)
    expect(page.locator("[data-part=tools]")).to_be_hidden()
    assert page.evaluate("JSON.stringify(sessionStorage)").find("batch_size") < 0
    page.reload()
    expect(page.locator(FINDING)).to_have_count(0)


def test_a_long_text_is_not_kept(page: Page) -> None:
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          const box = document.querySelector("[data-part=input]");
          box.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
        }""",
        "INFO all is well\n" * 100_000 + BATCH,
    )
    expect(page.locator(FINDING)).to_have_count(1)
    assert page.evaluate("JSON.stringify(sessionStorage).length") < 200_000
    page.reload()
    expect(page.locator(FINDING)).to_have_count(1)
    expect(page.locator("[data-part=input]")).to_have_value("")


def test_where_nothing_is_known_the_page_names_what_the_search_box_names_first(page: Page, address: str) -> None:
    text = "ValueError: the sglang router says that no worker is healthy any more"
    page.locator("[data-part=input]").fill(text)
    page.locator("[data-part=run]").click()
    closest = page.locator("[data-part=closest] a")
    expect(closest).to_have_count(3)
    expect(page.locator(FINDING)).to_have_count(0)
    first = closest.first.get_attribute("href")
    page.goto(address)
    page.locator("[data-md-component=search-query]").fill(text)
    hit = page.locator(".md-search-result__item a").first
    expect(hit).to_have_attribute("href", re.compile("^" + re.escape((first or "").split("?")[0].split("#")[0])))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_links_of_the_fixes_lead_somewhere(site: Path, language: str) -> None:
    from lxml import html

    written = json.loads((site / "search" / f"fixes-{language}.json").read_text(encoding="utf-8"))
    assert written == fixes(load_guide(ROOT), language)
    for entry, text in written.items():
        assert text.strip(), entry
        for href in html.fromstring(f"<div>{text}</div>").xpath("//a/@href"):
            if href.startswith("https:"):
                continue
            path, _, anchor = href.partition("#")
            target = (site / path / "index.html").read_text(encoding="utf-8")
            assert not anchor or f'id="{anchor}"' in target, f"{entry}: {href}"
