"""Tooltips of keys, by mouse, keyboard and touch; the report's issue form."""

import re
from collections.abc import Iterator

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page, expect

from fieldguide.content.addresses import page_address
from fieldguide.content.answer import fix_of
from fieldguide.content.guide import load_guide
from tests.conftest import ROOT

pytestmark = pytest.mark.browser
PAGE = "topics/batch-size/roll-batch-size-chunks/"
KEY = ".fg-part p a.fg-key"


@pytest.fixture
def touch(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en-US")
    yield context.new_page()
    context.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US", reduced_motion="reduce")
    yield context.new_page()
    context.close()


def test_focus_shows_what_a_key_is_and_escape_closes_it(page: Page, address: str) -> None:
    page.goto(address + PAGE)
    link, tip = page.locator(KEY).first, page.locator("#fg-tip")
    link.scroll_into_view_if_needed()
    page.evaluate("selector => { document.querySelector(selector).focus({ focusVisible: true }); }", KEY)
    expect(tip).to_be_visible()
    expect(tip).to_contain_text(" · ")
    expect(link).to_have_attribute("aria-describedby", "fg-tip")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(link).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(tip).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary/roll/*/#roll-*")


def test_hover_shows_one_tooltip_and_the_pointer_may_enter_it(page: Page, address: str) -> None:
    page.clock.install()
    page.goto(address + PAGE)
    tip = page.locator("#fg-tip")
    page.locator(KEY).first.hover()
    expect(tip).to_be_visible()
    tip.hover()
    page.clock.run_for(400)
    expect(tip).to_be_visible()
    assert page.locator(".md-tooltip2--active").count() == 0
    page.mouse.move(2, 2)
    expect(tip).to_be_hidden()


def test_the_first_tap_shows_the_second_goes(touch: Page, address: str) -> None:
    touch.goto(address + PAGE)
    link, tip = touch.locator(KEY).first, touch.locator("#fg-tip")
    link.tap()
    expect(tip).to_be_visible()
    assert touch.url == address + PAGE
    inside = tip.bounding_box()
    assert inside and inside["x"] >= 0 and inside["x"] + inside["width"] <= 390
    touch.locator("h1").tap()
    expect(tip).to_be_hidden()
    link.tap()
    tip.locator("a").tap()
    touch.wait_for_url("**/glossary/roll/*/#roll-*")
    touch.go_back()
    link.tap()
    expect(tip).to_be_visible()
    link.tap()
    touch.wait_for_url("**/glossary/roll/**")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_fix_of_several_steps_is_copied_as_markdown(browser: Browser, address: str, language: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + ("zh/" if language == "zh" else "") + "topics/compile/slime-jsondecode/")
    button = page.locator(".fg-copy")
    guide = load_guide(ROOT)
    words = guide.words[language]
    expect(button).to_have_text(words["copy_fix"])
    button.click()
    expect(button).to_have_text(words["copied"])
    copied = page.evaluate("navigator.clipboard.readText()")
    section = guide.section(language, "slime-jsondecode")
    assert section is not None
    steps = fences(fix_of(guide, language, "slime-jsondecode"))
    assert steps and fences(copied) == steps
    assert f"**{words['label_cost']}**" in copied
    assert words["label_why"] not in copied and "Keys:" not in copied
    assert copied.strip().endswith(f"{address}e/slime-jsondecode/")
    context.close()


def fences(markdown: str) -> list[str]:
    return [token.content.strip() for token in MarkdownIt("commonmark").parse(markdown) if token.type == "fence"]


@pytest.mark.parametrize("step", [40, pytest.param(1, marks=pytest.mark.whole)], ids=["some", "all"])
def test_every_copied_fix_is_the_source_s_code(page: Page, address: str, step: int) -> None:
    """Of every entry: the code blocks that a click copies are those of the fix, in order and whole."""
    guide = load_guide(ROOT)
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (t) => { window.copied = t; }}})"
    )
    for entry in [*guide.catalog.entry][::step]:
        page.goto(address + page_address("en", guide.catalog.page_of(entry)))
        blocks = fences(fix_of(guide, "en", entry))
        button = page.locator(".fg-copy")
        assert button.count() == (len(blocks) > 1), entry
        if len(blocks) > 1:
            button.evaluate("one => one.click()")
            assert fences(page.evaluate("window.copied")) == blocks, entry


def test_a_report_goes_to_the_issue_form_by_the_clipboard(browser: Browser, address: str) -> None:
    error = "RuntimeError: 报错 in /home/somebody/train.py"
    context = browser.new_context(locale="en-US", permissions=["clipboard-read", "clipboard-write"])
    context.route("https://github.com/**", lambda route: route.fulfill(body="", content_type="text/html"))
    page = context.new_page()
    page.goto(address + "about/?error=" + error)  # as links of older versions do
    expect(page).to_have_url(address + "about/")
    report, form = page.locator("[data-fg=report] textarea"), page.locator("[data-fg=report] a")
    expect(report).to_have_value(containing("RuntimeError: 报错 in <path>"))
    with context.expect_page() as opened:
        form.click()
    opened.value.wait_for_url("**/issues/new?template=new-error.yml")
    expect(form).to_have_text("Copied. Paste it into the form")
    page.bring_to_front()
    assert page.evaluate("navigator.clipboard.readText()") == report.input_value()
    context.close()


def containing(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))
