"""What is typed or pasted is part of no request: a secret goes in wherever text can, and is looked for in the server's log."""

import base64
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from bench.cases import in_one_line
from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.guide import load_guide
from tests.browser import await_keys
from tests.conftest import ROOT
from tests.logpage import drop
from tests.server import serving
from tests.trees import Trees

pytestmark = pytest.mark.browser

SECRET = "qxhunter2zv"
UNKNOWN = f"{SECRET} {SECRET}"  # leads to the report alone
# Words that lead to results, over two lines.
PASTE = f"RuntimeError: {SECRET} in /home/{SECRET}/train.py, rollout batch size\n{SECRET} is not divisible by chunks"
OURS = {"lang", "channel", "fw"}  # what our own addresses hold in the query part; no text of the reader
FIELDS = "input:not([type=checkbox], [type=radio], [type=file]), textarea"
PAGES = ("", "about/", "diagnose/", "calculate/", "glossary/roll/", "topics/batch-size/", "topics/nowhere/")
RESULTS = ".md-search-result__item a"
REPORT = f"{RESULTS}[href$='#about-report']"


@dataclass
class Log:
    """What the server and the rest of the world were asked.

    Attributes:
        seen: requests to the site's server, each with its headers and body.
        outside: requests to anywhere else.
    """

    base: str = ""
    seen: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def note(self, request: Request) -> None:
        """Keep a request to another host."""
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.outside.append(f"GET {request.url} {request.headers} {request.post_data}")

    def leaks(self) -> list[str]:
        """Requests that hold the secret, and those whose query part holds anything that is not ours."""
        return [asked for asked in (*self.seen, *self.outside) if SHAPES.search(unquote(asked))] + [
            asked for asked in self.seen if set(query_of(asked)) - OURS
        ]


def shapes(secret: str) -> Iterator[str]:
    """A text as it is, and as other spellings would hold it: backwards, in hex, in Base64 at each of its three offsets."""
    yield from (secret, secret[::-1], secret.encode().hex())
    for offset in range(3):
        whole = base64.b64encode(b" " * offset + secret.encode()).decode()
        yield whole[4 if offset else 0 : len(whole) // 4 * 4 - 4]


SHAPES = re.compile("|".join(re.escape(shape) for shape in shapes(SECRET)), re.IGNORECASE)


def query_of(request: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(request.split(" ", 2)[1]).query, keep_blank_values=True))


@pytest.fixture
def log(site: Path) -> Iterator[Log]:
    log = Log()
    with serving(site, "/guide/", log.seen) as log.base:
        yield log
    assert log.seen, "nothing was asked of the server: the test did nothing"
    leaks = log.leaks()
    assert not leaks, f"{len(leaks)} requests hold what was typed, the first:\n{leaks[0]}"


@pytest.fixture
def context(browser: Browser, log: Log) -> Iterator[BrowserContext]:
    with browser.new_context(locale="en-US", viewport={"width": 1280, "height": 900}) as context:
        context.on("request", log.note)
        yield context


# The scripts are the same in every language, and `test_no_browser_submits_a_form_with_text` reads the forms of each page.
@pytest.fixture(params=[LANGUAGES[0], *(pytest.param(other, marks=pytest.mark.whole) for other in LANGUAGES[1:])])
def home(request: pytest.FixtureRequest, log: Log) -> str:
    """Address of the front page in each language."""
    return log.base + ("" if request.param == LANGUAGES[0] else f"{request.param}/")


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def search(page: Page, text: str) -> None:
    """Put a text into the search box as a paste does, and wait for the results."""
    await_keys(page)
    page.keyboard.insert_text(text)
    expect(page.locator(RESULTS).nth(1)).to_be_visible()


def open_form(page: Page, box: str) -> None:
    """Press the link to the issue form; it opens in a tab of its own or in this one."""
    context = page.context
    context.route("https://github.com/**", lambda route: route.fulfill(body="", content_type="text/html"))
    with context.expect_event("requestfinished", lambda request: "/issues/new" in request.url):
        page.locator(f"{box} a[href*='/issues/new']").click()
    context.unroute("https://github.com/**")


def test_a_shape_is_found() -> None:
    for text in (SECRET, f"ab{SECRET}", f"x{SECRET}yz", "报错 " + SECRET):
        assert SHAPES.search(base64.b64encode(text.encode()).decode()), text
        assert SHAPES.search(text.encode().hex())


def test_the_box_of_the_front_page_and_what_follows_it(page: Page, home: str) -> None:
    box, run = page.locator("[data-fg=paste] textarea"), page.locator("[data-fg=paste] button[type=submit]")
    page.goto(home)
    box.fill(PASTE)
    run.click()
    for rank in range(2):
        page.locator("[data-part=closest] ol a").nth(rank).click()
        page.wait_for_url(lambda address: urlsplit(address).path != urlsplit(home).path)
        page.reload()
        page.go_back()
        expect(page.locator("[data-part=closest] ol a").nth(1)).to_be_visible()
    open_form(page, "[data-part=unknown]")
    page.goto(home)
    box.fill(in_one_line(PASTE))
    run.click()
    page.locator(RESULTS).nth(1).click()
    page.wait_for_url(lambda address: urlsplit(address).path != urlsplit(home).path)
    page.go_back()
    expect(page.locator(RESULTS).nth(1)).to_be_visible()
    page.reload()
    box.fill(UNKNOWN)
    run.click()
    page.locator(REPORT).click()
    expect(page.locator("[data-fg=report] textarea")).to_have_value(re.compile(SECRET))
    page.reload()
    page.locator("[data-fg=report] button").click()
    open_form(page, "[data-fg=report]")
    page.go_back()
    page.reload()


def test_the_search_box(page: Page, home: str) -> None:
    page.goto(home + "status/")
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.type(f"{SECRET} batch size")
    expect(page.locator(RESULTS).nth(1)).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "status/" not in url)
    search(page, PASTE)
    page.locator(RESULTS).nth(1).click(modifiers=["ControlOrMeta"])
    page.go_back()
    page.reload()


def test_a_result_or_report_in_a_tab_of_its_own(context: BrowserContext, page: Page, home: str) -> None:
    for text, link in ((PASTE, RESULTS), (UNKNOWN, REPORT)):
        page.goto(home)
        search(page, text)
        with context.expect_page() as opened:
            page.locator(link).first.click(button="middle")
        # A tab begins as an empty page; a reload before the real one has come is a navigation cut short.
        opened.value.wait_for_url(lambda address: address.startswith(home), wait_until="load")
        opened.value.reload()


def test_a_shared_search(context: BrowserContext, page: Page, home: str) -> None:
    page.goto(home + "status/")
    search(page, f"{SECRET} batch size")
    page.locator("[data-fg=share]").click()
    link = page.locator("[data-fg=share]").get_attribute("data-clipboard-text") or ""
    assert SECRET in urlsplit(link).fragment
    other = context.new_page()
    other.goto(link)
    expect(other.locator("[data-md-component=search-query]")).to_have_value(f"{SECRET} batch size")
    expect(other.locator(RESULTS).first).to_be_visible()
    assert SECRET not in other.url
    with other.expect_navigation():
        other.locator(RESULTS).first.click()


def test_the_log_page(page: Page, home: str) -> None:
    page.goto(home + "diagnose/")
    log = f"ROLL\nAssertionError: batch_size 32 < chunks 64\nRuntimeError: {SECRET} broke\n"
    page.locator("[data-part=input]").fill(log)
    page.locator("[data-part=run]").click()
    expect(page.locator("[data-part=results] [data-entry]").first).to_be_visible()
    page.locator("[data-part=file]").set_input_files(
        {"name": f"{SECRET}.log", "mimeType": "text/plain", "buffer": log.encode()}
    )
    expect(page.locator("[data-part=unknown]")).to_be_visible()
    open_form(page, "[data-part=unknown]")
    page.goto(home + "diagnose/")
    page.locator("[data-part=input]").fill(log)
    page.locator("[data-part=run]").click()
    with page.expect_navigation():
        page.locator("[data-part=results] a").first.click()
    page.go_back()
    page.reload()


def test_the_logs_of_a_run(page: Page, home: str, tmp_path: Path) -> None:
    """Names of folders and files, and what is in them, also of an archive."""
    folder = tmp_path / SECRET
    folder.mkdir()
    for rank in range(2):
        text = f"ROLL {SECRET} rank={rank} world_size=2\nTraceback (most recent call last):\nRuntimeError: {SECRET} broke\n"
        (folder / f"{SECRET}-rank{rank}.log").write_text(text, encoding="utf-8")
    packed = shutil.make_archive(str(tmp_path / f"{SECRET}-packed"), "zip", folder)
    for given in (folder, Path(packed)):
        page.goto(home + "diagnose/")
        drop(page, given)
        expect(page.locator(".fg-run__first")).to_contain_text(SECRET)
        open_form(page, "[data-part=unknown]")
        page.reload()
        expect(page.locator(".fg-run__first")).to_contain_text(SECRET)
        with page.expect_navigation():
            page.locator(".fg-run__first a").click()
        page.go_back()


def test_the_calculator(context: BrowserContext, page: Page, home: str) -> None:
    page.goto(home + "calculate/")
    fields = page.locator("[data-part=fields] input:visible")
    for index in range(fields.count()):
        fields.nth(index).fill(SECRET)
    expect(page).to_have_url(re.compile(SECRET))
    page.reload()
    expect(fields.first).to_have_value(SECRET)
    context.new_page().goto(page.url)
    page.locator("[data-part=text]").fill(f"rollout_batch_size: {SECRET}\nnum_return_sequences_in_group: 8\n")
    page.locator("[data-part=paste] button").click()
    page.locator("header .md-select").hover()
    with page.expect_navigation():
        page.locator("header a[hreflang]").last.click()
    page.go_back()
    page.reload()


def test_the_filter_of_keys_and_a_page_that_is_not_there(page: Page, home: str) -> None:
    page.goto(home + "glossary/roll/")
    page.locator("#fg-keys").fill(SECRET)
    page.locator("#fg-keys").press("Enter")
    page.reload()
    page.goto(home + "topics/nowhere/")
    search(page, PASTE)
    with page.expect_navigation():
        page.locator(RESULTS).first.click()
    page.go_back()


def test_every_field_of_every_page_with_the_enter_key(page: Page, log: Log) -> None:
    for path in PAGES:
        page.goto(log.base + path)
        for index in range(page.locator(FIELDS).count()):
            one = page.locator(FIELDS).nth(index)
            if not one.is_visible() or not one.is_editable():
                continue
            one.fill(SECRET)
            one.press("Enter")
            if urlsplit(page.url).path != urlsplit(log.base + path).path:
                page.goto(log.base + path)


def test_no_browser_submits_a_form_with_text(site: Path, trees: Trees) -> None:
    for file in sorted(site.rglob("*.html")):
        for form in trees(file).iter("form"):
            texts = form.xpath(".//textarea | .//input[not(@type = 'radio')]")
            assert not texts or form.get("method") == "dialog", f"{file}: {form.attrib}"
            assert not any("name" in text.attrib for text in texts), f"{file}: a field with a name"


def test_without_scripts_no_form_sends_anything(browser: Browser, log: Log) -> None:
    """Styles are held back, too: a field that only a style hides can be used by who has none.

    The other language's pages have the same forms: see `test_no_browser_submits_a_form_with_text`.
    """
    with browser.new_context(java_script_enabled=False, locale="en-US") as context:
        context.route("**/*.css", lambda route: route.abort())
        page = context.new_page()
        tried = 0
        for path in (*PAGES, "zh/"):
            tried += fill_and_send(page, log.base + path)
    assert tried > len(PAGES)


def fill_and_send(page: Page, address: str) -> int:
    """Fill every field; press Enter in each, and every button. Returns the number of fields.

    A page that went nowhere is used on: what it sends is in the server's log.
    """
    page.goto(address)
    start = page.url
    fields, buttons = page.locator(FIELDS), page.locator("form button, form [type=submit]")
    shown = [index for index in range(fields.count()) if fields.nth(index).is_visible()]
    for index in shown:
        fields.nth(index).fill(SECRET)
        fields.nth(index).press("Enter")
        if page.url != start:
            page.goto(address)
    for index in range(buttons.count()):
        for other in shown:
            fields.nth(other).fill(SECRET)
        if buttons.nth(index).is_visible():
            buttons.nth(index).click()
            page.goto(address)
    return len(shown)


def test_without_scripts_the_front_page_says_what_to_use(browser: Browser, log: Log) -> None:
    guide = load_guide(ROOT)
    for language, prefix in zip(LANGUAGES, ("", "zh/"), strict=True):
        with browser.new_context(java_script_enabled=False) as context:
            page = context.new_page()
            page.goto(log.base + prefix)
            expect(page.locator("[data-fg=paste]")).to_be_hidden()
            instead = page.locator("article noscript")
            assert guide.words[language]["search_noscript"] in instead.inner_text()
            instead.get_by_role("link").click()
            expect(page).to_have_url(f"{log.base}{prefix}errors/")
