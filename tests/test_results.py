"""The page of results: excerpts, marks, how many there are, keys asked for by name; and Back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import await_keys
from tests.test_browser import Trouble

pytestmark = pytest.mark.browser

QUERY = "[data-md-component=search-query]"
LINKS = ".md-search-result__link"
# Two of the links are ways on.
COUNTED = """
(links) => parseInt(document.querySelector(".md-search-result__meta").textContent) + 2
  === document.querySelectorAll(links).length
"""
LINES = ".md-search-result .fg-hit__line"
KEYS = ".fg-own-keys .fg-own-key a"
WORD = re.compile(r"[A-Za-z0-9_]")


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    page = context.new_page()
    trouble = Trouble(address)
    trouble.watch(page)
    page.goto(address)
    yield page
    assert not trouble.found, "\n".join(trouble.found)


def search(page: Page, query: str) -> None:
    """Type a query and wait until keys, which come last, are searched too."""
    await_keys(page)
    page.locator(QUERY).fill(query)
    expect(page.locator(".md-search-result__link").first).to_be_attached()


def documents(page: Page, language: str) -> list[str]:
    """The texts that excerpts are cut from; of an entry the answer in one line shows whole."""
    read = "async (name) => (await fetch(name)).json()"
    data, more = (page.evaluate(read, f"/guide/search/{language}{part}.json") for part in ("", "-more"))
    rows = [row[4] for one in more["pages"] for row in one["documents"]]
    return [document["short"] for document in data["documents"]] + rows


@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("en", "rollout batch size"),
        ("en", "how do I resume training"),
        ("zh", "显存不足怎么办"),
        ("zh", "训练卡住 NCCL timeout"),
    ],
)
def test_excerpts_and_marks_begin_and_end_with_a_word(page: Page, address: str, language: str, query: str) -> None:
    page.goto(address + ("zh/" if language == "zh" else ""))
    search(page, query)
    lines = page.locator(LINES).evaluate_all("lines => lines.map(line => [line.textContent, line.innerHTML])")
    texts = documents(page, language)
    assert len(lines) >= 5
    for text, markup in lines:
        cut = text.strip("…")
        place = next((one.index(cut), one) for one in texts if cut in one)
        assert not inside_a_word(place[1], place[0]), f"cut at its beginning: {text}"
        assert not inside_a_word(place[1], place[0] + len(cut)), f"cut at its end: {text}"
        for before, after in re.findall(r"(.?)<mark>[^<]+</mark>(.?)", markup):
            assert not WORD.match(before) and not WORD.match(after), f"marked inside a word: {markup}"


def inside_a_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and bool(WORD.match(text[at - 1]) and WORD.match(text[at]))


@pytest.mark.parametrize(
    ("language", "query", "says"),
    [
        ("en", "qwertzuiop yxcvbnm", "Nothing here matches. Two ways on:"),
        ("zh", "qwertzuiop yxcvbnm", "没有匹配的内容，可以试试："),
        ("en", "gibberishqq zzyyxx", re.compile("^[1-9] result")),
    ],
)
def test_ways_on_are_not_counted_as_results(
    page: Page, address: str, language: str, query: str, says: str | re.Pattern[str]
) -> None:
    page.goto(address + ("zh/" if language == "zh" else ""))
    page.locator(QUERY).fill(query)
    meta, links = page.locator(".md-search-result__meta"), page.locator(LINKS)
    expect(meta).to_have_text(says)
    if isinstance(says, re.Pattern):
        page.wait_for_function(COUNTED, arg=LINKS)  # pieces of the index that come later may have more
    else:
        expect(links).to_have_count(2)


@pytest.mark.parametrize(
    ("key", "card", "entry"),
    [
        ("--rollout-batch-size", "slime-rollout-batch-size", "roll-rollout-batch-size"),
        ("max_tokens_per_gpu", "slime-max-tokens-per-gpu", "slime-oom"),
    ],
)
def test_a_key_asked_for_by_name_is_a_card_above_the_list(page: Page, key: str, card: str, entry: str) -> None:
    search(page, key)
    expect(page.locator(f"{KEYS}[href$='#{card}']")).to_be_visible()
    expect(page.locator(".md-search-result__item a").first).to_have_attribute("href", re.compile(f"/{entry}/$"))
    first = page.locator(LINKS).first
    expect(first.locator(".fg-own")).to_be_visible()
    target = first.get_attribute("href")
    page.locator(QUERY).press("Enter")  # what stands first is what Enter opens
    expect(page).to_have_url(target or "")


def test_the_card_goes_with_its_query(page: Page) -> None:
    search(page, "max_tokens_per_gpu")
    expect(page.locator(KEYS).first).to_be_visible()
    page.locator(QUERY).fill("how do I resume training")
    expect(page.locator(KEYS)).to_have_count(0)
    page.locator(QUERY).fill("")
    expect(page.locator(".fg-own-keys")).to_be_hidden()


def test_the_words_that_a_result_marks_are_marked_where_it_leads(page: Page, address: str) -> None:
    query = "dynamic batch size padding packing"
    search(page, query)
    link = page.locator(LINKS, has=page.locator("mark")).first
    words = {*query.split(), *(word.lower() for word in link.locator("mark").all_inner_texts())}
    link.click()
    marks = page.locator("article mark")
    expect(marks.first).to_be_attached()
    marked = [text.lower() for text in marks.all_inner_texts()]
    assert any(word in text for word in words for text in marked), marked
    assert "?" not in page.url.removeprefix(address)
    page.reload()  # once is enough
    expect(marks).to_have_count(0)


def test_back_opens_the_search_again(page: Page) -> None:
    box = page.locator("[data-fg=paste] textarea")
    text = "RuntimeError: batch size of the rollout"
    box.fill(text)
    page.locator("[data-fg=paste] button[type=submit]").click()
    expect(page.locator(LINKS).nth(1)).to_be_visible()
    asked = page.locator(QUERY).input_value()
    page.locator(LINKS).nth(1).click()
    page.wait_for_url(re.compile("/topics/|/glossary/"))
    page.go_back()
    expect(page.locator(LINKS).nth(1)).to_be_visible()
    expect(page.locator(QUERY)).to_have_value(asked)
    expect(box).to_have_value(text)
    page.keyboard.press("Escape")  # done with it: the next Back does not open it
    page.reload()
    expect(box).to_have_value(text)
    expect(page.locator(LINKS).first).not_to_be_visible()


def test_an_old_link_with_words_opens_the_search_and_loses_them(page: Page, address: str) -> None:
    page.goto(address + "status/?fw=slime&q=batch%20size&h=batch")
    expect(page.locator(QUERY)).to_have_value("batch size")
    expect(page.locator(LINKS).first).to_be_visible()
    expect(page).to_have_url(address + "status/?fw=slime")


def test_a_report_keeps_the_lines_that_were_pasted(page: Page) -> None:
    page.locator(QUERY).click()
    page.evaluate("text => window.fieldguide.ask(text)", "qwertzuiop\nyxcvbnm /home/somebody/x.py")
    page.locator(f"{LINKS}[href$='#about-report']").click()
    report = page.locator("[data-fg=report] textarea")
    expect(report).to_have_value(re.compile(r"```text\nqwertzuiop\nyxcvbnm <path>"))
    report.fill("edited")
    page.reload()
    expect(report).to_have_value("edited")
