"""The site in a real browser, as its readers use it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, expect

pytestmark = pytest.mark.browser

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
ERROR = "AssertionError: batch_size 32 < chunks 64"


@dataclass
class Trouble:
    """What a page did that it must not do."""

    base: str
    found: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("request", self._request)
        page.on("response", self._response)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.found.append(f"exception: {error}"))

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.found.append(f"off-site: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.found.append(f"{response.status}: {response.url}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.found.append(f"console: {message.text}")


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    page = context.new_page()
    trouble = Trouble(address)
    trouble.watch(page)
    yield page
    assert not trouble.found, "\n".join(trouble.found)


def addresses(site: Path) -> list[str]:
    """Every page of the site."""
    found = [file.parent.relative_to(site).as_posix() for file in sorted(site.rglob("index.html"))]
    return ["" if path == "." else f"{path}/" for path in found if not path.removeprefix("zh/").startswith("e/")]


def test_every_page_has_a_policy_and_each_inline_script_is_allowed_by_name(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert text.index("Content-Security-Policy") < min(text.index("<script"), text.index("<link")), page
        assert "unsafe" not in text[: text.index("<script")], page
        assert not re.search(r"<[^>]+ (style|on[a-z]+)=", text), f"{page}: an inline style or handler, which the policy forbids"


def test_an_injected_script_does_not_run(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(address)
    refused = page.evaluate(
        """() => new Promise((resolve) => {
          let refused = 0;
          document.addEventListener("securitypolicyviolation", () => { if (++refused === 2) resolve(refused); });
          document.body.insertAdjacentHTML("beforeend", '<img src=x onerror="window.ran = true">');
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.body.appendChild(script);
        })"""
    )
    assert refused == 2 and not page.evaluate("window.ran === true")


def test_a_link_to_a_pair_of_versions_opens_it(page: Page, address: str) -> None:
    page.goto(address + "versions/#pair-torch-2-9-1-cudnn")
    expect(page.locator("#pair-torch-2-9-1-cudnn")).to_be_in_viewport()


def test_a_key_leads_to_the_glossary_and_back(page: Page, address: str) -> None:
    page.goto(address + "topics/batch-size/roll-batch-size-chunks/")
    page.locator(".fg-part p a.fg-key", has_text="rollout_batch_size").first.click()
    expect(page).to_have_url(address + "glossary/roll/batch/#roll-rollout-batch-size-key")
    section = page.locator("[data-key=roll-rollout-batch-size-key]")
    expect(section).to_contain_text("128")
    section.locator(".fg-mentions a[href$='/roll-batch-size-chunks/']").click()
    expect(page).to_have_url(address + "topics/batch-size/roll-batch-size-chunks/")


def test_language_switch_keeps_page_and_anchor_and_is_remembered(page: Page, address: str) -> None:
    page.goto(address + "topics/memory/slime-oom/#why")
    page.locator("header .md-select").hover()
    page.locator("header a[hreflang=zh]").click()
    expect(page).to_have_url(address + "zh/topics/memory/slime-oom/#why")
    page.goto(address)
    expect(page).to_have_url(address + "zh/")
    page.locator("header .md-select").hover()
    page.locator("header a[hreflang=en]").click()
    expect(page).to_have_url(address)
    page.goto(address)
    expect(page).to_have_url(address)


def test_a_chinese_browser_is_offered_chinese_once(browser: Browser, address: str) -> None:
    context = browser.new_context(locale="zh-CN")
    page = context.new_page()
    page.goto(address + "topics/memory/slime-oom/")
    hint = page.locator("[data-fg=language-hint]")
    expect(hint).to_be_visible()
    hint.locator("button").click()
    expect(hint).to_be_hidden()
    page.goto(address + "topics/speed/")
    expect(hint).to_be_hidden()
    context.close()


def test_an_english_browser_is_not(page: Page, address: str) -> None:
    page.goto(address + "topics/memory/")
    expect(page.locator("[data-fg=language-hint]")).to_be_hidden()


def test_filter_hides_other_frameworks_and_persists(page: Page, address: str) -> None:
    page.goto(address + "topics/batch-size/")
    roll, slime = page.locator("#roll-grad-accum"), page.locator("#slime-batch-size")
    expect(roll).to_be_visible()
    page.locator("article [data-filter=slime]").click()
    expect(page).to_have_url(address + "topics/batch-size/?fw=slime")
    expect(roll).to_be_hidden()
    expect(slime).to_be_visible()
    page.goto(address + "topics/memory/")
    expect(page.locator("#chatlearn-fsdp-oom")).to_be_hidden()
    page.locator("article [data-filter='']").click()
    expect(page.locator("#chatlearn-fsdp-oom")).to_be_visible()


def test_filter_hides_columns_and_what_it_leaves_empty_and_says_so(page: Page, address: str) -> None:
    page.goto(address + "topics/batch-size/?fw=openrlhf")
    words = page.locator("h2#batch-size-words ~ div table, h2#batch-size-words ~ table").first
    expect(words.locator("th", has_text="OpenRLHF")).to_be_visible()
    expect(words.locator("th", has_text="slime")).to_be_hidden()
    assert page.locator("ul.fg-entries:visible").evaluate_all("lists => lists.every(one => one.innerText.trim())")
    expect(page.locator("[data-fg=filter-note]")).to_contain_text("of other frameworks hidden")
    page.locator("article [data-filter='']").click()
    expect(words.locator("th", has_text="slime")).to_be_visible()
    expect(page.locator("[data-fg=filter-note]")).to_have_text("")


def test_an_entry_is_shown_whatever_is_filtered(page: Page, address: str) -> None:
    page.goto(address + "topics/memory/slime-oom/?fw=verl")
    expect(page.locator("#fix")).to_be_visible()


def test_chatlearn_filter_includes_its_legacy_line(page: Page, address: str) -> None:
    page.goto(address + "topics/memory/?fw=chatlearn")
    expect(page.locator("#chatlearn-ems")).to_be_visible()
    expect(page.locator("#slime-oom")).to_be_hidden()


def test_a_deep_link_shows_its_place_whatever_is_filtered(page: Page, address: str) -> None:
    page.goto(address + "topics/batch-size/?fw=slime#rules-roll")
    expect(page.locator("#rules-roll")).to_be_visible()
    expect(page.locator("#rules-chatlearn")).to_be_hidden()
    expect(page.locator(".md-sidebar--secondary a[href='#rules-roll']")).to_be_visible()
    expect(page.locator(".md-sidebar--secondary a[href='#rules-chatlearn']")).to_be_hidden()


def test_an_old_link_goes_on_to_where_its_subject_is_now(page: Page, address: str) -> None:
    for old, new in (
        ("topics/batch-size/#roll-grad-accum", "topics/batch-size/roll-grad-accum/"),
        ("zh/topics/stability/?fw=verl#moe-permute-fusion", "zh/topics/stability/chatlearn-mcore-moe/#moe-permute-fusion"),
        ("glossary/verl/#verl-use-dynamic-bsz", "glossary/verl/batch/#verl-use-dynamic-bsz"),
        ("glossary/roll/#group-roll-batch", "glossary/roll/batch/"),
    ):
        page.goto(address + old)
        expect(page).to_have_url(address + new)


def test_unknown_filter_shows_everything(page: Page, address: str) -> None:
    page.goto(address + "topics/batch-size/?fw=%3Cscript%3E")
    expect(page.locator("#roll-grad-accum")).to_be_visible()


def test_print_shows_everything(page: Page, address: str) -> None:
    page.goto(address + "topics/batch-size/?fw=slime")
    page.emulate_media(media="print")
    expect(page.locator("#roll-grad-accum")).to_be_visible()


def test_without_javascript_everything_is_shown(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "topics/batch-size/?fw=slime")
    expect(page.locator("#roll-grad-accum")).to_be_visible()
    context.close()


@pytest.mark.parametrize("language", ["", "zh/"])
def test_searching_an_error_lands_on_its_entry(page: Page, address: str, language: str) -> None:
    page.goto(address + language + "topics/speed/")
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.type(ERROR)
    first = page.locator(".md-search-result__item a").first
    expect(first).to_have_attribute("href", containing("/roll-batch-size-chunks/"))
    first.click()
    page.wait_for_url(f"**/{language}topics/batch-size/roll-batch-size-chunks/")
    expect(page.locator("#roll-batch-size-chunks")).to_be_in_viewport()


@pytest.mark.parametrize("language", ["", "zh/"])
def test_the_paste_box_opens_the_search_for_one_line_and_diagnoses_several(page: Page, address: str, language: str) -> None:
    page.goto(address + language)
    box, run = page.locator("[data-fg=paste] textarea"), page.locator("[data-fg=paste] button[type=submit]")
    box.fill(f'Traceback (most recent call last):\n  File "x.py", line 3\n{ERROR}\n')
    run.click()
    found = page.locator(".fg-log__finding")
    expect(found).to_have_attribute("data-entry", "roll-batch-size-chunks")
    expect(found.locator(".fg-log__fix")).to_be_visible()
    page.reload()
    expect(found).to_have_attribute("data-entry", "roll-batch-size-chunks")
    box.fill(ERROR)
    run.click()
    expect(page.locator(".md-search-result__item a").first).to_have_attribute("href", containing("/roll-batch-size-chunks/"))
    expect(found).to_have_count(0)


def test_settings_in_the_paste_box_lead_to_the_calculator(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("[data-fg=paste] textarea").fill(
        "rollout_batch_size: 30\nnum_gpus_per_node: 8\nnum_return_sequences_in_group: 8\n"
    )
    page.locator("[data-fg=paste] button[type=submit]").click()
    page.locator("[data-part=settings] a").click()
    expect(page.locator("[data-part=text]")).to_have_value(re.compile("^rollout_batch_size: 30"))


def test_an_unknown_error_is_said_to_be_unknown(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("[data-fg=paste] textarea").fill(
        'Traceback (most recent call last):\n  File "/x/site-packages/qwertz/core.py", line 7, in f\nZzzError: yxcv\n'
    )
    page.locator("[data-fg=paste] button[type=submit]").click()
    expect(page.locator(".fg-log__status")).to_contain_text("No entry for this error")
    said = page.locator("[data-part=closest]")
    for text in ("ZzzError: yxcv", "/x/site-packages/qwertz/core.py, line 7", "of qwertz"):
        expect(said).to_contain_text(text)
    expect(page.locator(".fg-log__finding")).to_have_count(0)


def test_text_that_comes_without_a_key_is_searched(page: Page, address: str) -> None:
    """As from the mouse's menu, a drop, dictation, or a phone's keyboard."""
    page.goto(address)
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.insert_text(ERROR)
    expect(page.locator(".md-search-result__item a").first).to_have_attribute("href", containing("/roll-batch-size-chunks/"))


@pytest.mark.parametrize(("path", "language"), [("topics/memry/", "en"), ("zh/topics/memry/", "zh")])
def test_not_found_speaks_the_readers_language_and_suggests(browser: Browser, address: str, path: str, language: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(address + path)
    shown = page.locator("[data-fg=not-found]:visible")
    expect(shown).to_have_attribute("lang", language)
    expect(shown.locator("a:visible").first).to_have_attribute("href", containing("topics/memory/"))
    query = page.locator("[data-md-component=search-query]")
    expect(query).to_have_attribute("placeholder", {"en": "Search", "zh": "搜索"}[language])
    context.close()


def test_not_found_knows_entries_by_what_is_like_their_id(page: Page, address: str) -> None:
    context = page.context.browser.new_context()  # the missing page itself is the trouble that `page` would report
    other = context.new_page()
    other.goto(address + "e/verl-oom/")
    expect(other.locator("[data-fg=not-found]:visible a[href$='/verl-actor-oom/']")).to_be_visible()
    context.close()


def containing(text: str) -> re.Pattern[str]:
    """Pattern for an attribute that contains `text`."""
    return re.compile(re.escape(text))


def test_the_glossary_is_narrowed_to_what_is_typed(page: Page, address: str) -> None:
    page.goto(address + "glossary/verl/")
    box, said = page.get_by_role("searchbox", name="Find a key on this page"), page.locator("[data-fg=key-filter] output")
    rows = page.locator(".fg-key-index li:visible")
    everything = rows.count()
    page.keyboard.press("Tab")
    box.focus()
    page.keyboard.type("offload critic.fsdp")
    row = page.locator("#verl-actor-rollout-ref-actor-fsdp-config-offload-policy")
    expect(row).to_be_visible()
    assert 0 < rows.count() < 12
    expect(said).to_contain_text(re.compile(r"^\d+ of \d+ keys$"))
    expect(page.locator("#group-verl-data")).to_be_hidden()  # the heading of keys that are all hidden
    expect(page.locator("#verl-train-batch-size")).to_be_hidden()
    box.fill("--train-batch-size")
    expect(page.locator("#verl-train-batch-size")).to_be_visible()
    box.fill("no such key anywhere")
    expect(said).to_have_text("No key on this page matches.")
    box.fill("offload")
    box.press("Escape")
    expect(said).to_have_text("")
    assert rows.count() == everything


def test_a_glossary_shows_every_key_without_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "zh/glossary/roll/")
    expect(page.locator("[data-fg=key-filter]")).to_be_hidden()
    expect(page.locator("#roll-whiten-advantages")).to_be_visible()
    context.close()


def test_search_knows_keys_that_have_no_words(page: Page, address: str) -> None:
    page.goto(address)
    query = page.locator("[data-md-component=search-query]")
    query.click()
    query.press_sequentially("entropy_from_logits_chunk_size")
    first = page.locator(".md-search-result__link").first
    expect(first).to_have_attribute("href", re.compile("glossary/verl/[a-z-]+/.*chunk-size$"))
    first.click()
    expect(page.locator("li:target")).to_be_in_viewport()
