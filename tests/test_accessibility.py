"""axe-core on every kind of page, in both languages, light and dark; and the site without a mouse."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from lxml import html
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.test_browser import PHONE

pytestmark = pytest.mark.browser

HAN = re.compile(r"[\u4e00-\u9fff]")
# One page of each template and of each kind of catalog block.
KINDS = (
    "",
    "diagnose/",
    "calculate/",
    "topics/",
    "topics/batch-size/",
    "topics/batch-size/roll-batch-size-chunks/",
    "topics/debugging/any-stuck-step-0/",
    "frameworks/verl/",
    "methods/",
    "methods/hang/",
    "doctor/",
    "versions/",
    "versions/verl/",
    "bugs/",
    "bugs/roll/",
    "glossary/",
    "glossary/slime/",
    "glossary/slime/batch/",
    "compare/",
    "errors/",
    "status/",
    "about/",
    "404.html",
    "e/roll-batch-size-chunks/",
)


# Rules by scheme; none: all of them. Dark differs in its colours alone.
RULES: dict[str, tuple[str, ...]] = {"light": (), "dark": ("color-contrast",)}
# Looked at in each run; the others before a release.
SOME = ("", "topics/batch-size/roll-batch-size-chunks/")


def looks(desk: ViewportSize) -> pytest.MarkDecorator:
    """Sizes and schemes in which a page with results is looked at: one in each run, all before a release."""
    return pytest.mark.parametrize(
        ("size", "scheme"),
        [
            (desk, "light"),
            pytest.param(PHONE, "dark", marks=pytest.mark.whole),
            pytest.param(desk, "dark", marks=pytest.mark.whole),
            pytest.param(PHONE, "light", marks=pytest.mark.whole),
        ],
        ids=["desk-light", "phone-dark", "desk-dark", "phone-light"],
    )


@contextmanager
def looked_at(browser: Browser, size: ViewportSize, scheme: Literal["light", "dark"]) -> Iterator[Page]:
    """A tab of that size and scheme in which nothing moves."""
    with browser.new_context(viewport=size, color_scheme=scheme, locale="en-US", reduced_motion="reduce") as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def axe() -> Axe:
    return Axe()


def violations(page: Page, axe: Axe, *rules: str, within: str | None = None) -> list[str]:
    """One line for each element that breaks a rule of WCAG 2.2 AA or of good practice; with `rules`, one of these."""
    options = {"runOnly": [*rules]} if rules else None
    found = axe.run(page, within, options=options).response["violations"]
    return [f"{page.url}: {rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]]


def violations_of(page: Page, axe: Axe, *rules: str) -> list[str]:
    """Those of the content; what stands around it is the same on every page, see `test_no_rule_of_accessibility_is_broken`."""
    settle(page)
    return violations(page, axe, *rules, within=".md-content")


def settle(page: Page) -> None:
    """Take the pointer away and let colours that change with it come to rest."""
    page.mouse.move(0, 0)
    page.wait_for_function("() => document.getAnimations().every(one => one.playState !== 'running')")


def addresses(site: Path, kinds: Sequence[str]) -> Iterator[str]:
    for kind in kinds:
        for address in (kind, f"zh/{kind}") if kind not in ("404.html",) and not kind.startswith("e/") else (kind,):
            if (site / address).exists():
                yield address


@pytest.mark.parametrize(
    "kinds", [SOME, pytest.param([kind for kind in KINDS if kind not in SOME], marks=pytest.mark.whole)], ids=["some", "all"]
)
def test_no_rule_of_accessibility_is_broken(browser: Browser, site: Path, address: str, axe: Axe, kinds: Sequence[str]) -> None:
    """Dark differs in its colours alone."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US", reduced_motion="reduce")
    page = context.new_page()
    found = []
    for path in addresses(site, kinds):
        page.emulate_media(color_scheme="light")
        page.goto(address + path)
        settle(page)
        found += violations(page, axe)
        page.emulate_media(color_scheme="dark")
        if page.locator("body[data-md-color-scheme]").count():
            expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
        settle(page)
        found += violations(page, axe, *RULES["dark"])
    context.close()
    assert not found, "\n".join(dict.fromkeys(found))


def test_a_result_chosen_by_keyboard_stays_when_more_data_comes(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    late: list[Route] = []
    context.route("**/search/en-more.json", lambda route: late.append(route))
    page = context.new_page()
    page.goto(address)
    with page.expect_request("**/search/en-more.json"):
        page.keyboard.press("/")
        page.keyboard.type("batch_size 32 < chunks 64")
        expect(page.locator(".md-search-result__item").first).to_contain_text("Exact error match")
    page.keyboard.press("ArrowDown")
    chosen = page.evaluate_handle("document.activeElement")
    with page.expect_response("**/search/en-more.json") as response:
        late[0].continue_()
    response.value.finished()
    assert page.evaluate("chosen => chosen.isConnected && chosen === document.activeElement", chosen)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("topics/batch-size/roll-batch-size-chunks/$"))
    context.close()


def test_search_filter_and_log_page_work_without_a_mouse(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US", reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    page.keyboard.press("/")
    page.keyboard.type("batch_size 32 < chunks 64")
    expect(page.locator(".md-search-result__item").first).to_contain_text("Exact error match")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("topics/batch-size/roll-batch-size-chunks/$"))

    page.goto(address + "topics/batch-size/")
    reach(page, "article [data-filter=slime]")
    page.keyboard.press("Enter")
    expect(page.locator("article [data-filter=slime]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#roll-lr-decay-steps")).to_be_hidden()

    page.goto(address + "diagnose/")
    reach(page, "[data-part=input]")
    page.keyboard.type("AssertionError: batch_size 32 < chunks 64")
    reach(page, "[data-part=run]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=results]")).to_contain_text("batch_size 32 < chunks 64")
    context.close()


def reach(page: Page, selector: str) -> None:
    """Press Tab until the element has the focus, and see that the focus can be seen."""
    wanted = page.locator(selector)
    for _ in range(150):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            break
    expect(wanted).to_be_focused()
    visible = "e => { const s = getComputedStyle(e); return s.outlineStyle !== 'none' || s.boxShadow !== 'none'; }"
    assert wanted.evaluate(visible), f"{selector}: no sign of the focus"


def test_foreign_fragments_say_their_language(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    tree = html.document_fromstring(page)
    foreign = [
        element for element in tree.iter()
        if isinstance(element.tag, str) and HAN.search((element.text or "") + "".join(c.tail or "" for c in element))
    ]  # fmt: skip
    missing = [element for element in foreign if not any(e.get("lang") == "zh" for e in [element, *element.iterancestors()])]
    assert foreign
    assert not missing, [html.tostring(element, encoding="unicode")[:120] for element in missing]
