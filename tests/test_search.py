"""Every search case typed into the real search box: the right entry comes first."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.cases import Asked, asked, load_cases
from bench.engines import Item
from bench.measure import answerable
from bench.quality import NOWHERE, Judge, Outcome, score
from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.guide import Guide, load_guide
from fieldguide.runtime.guide import read_guide
from fieldguide.runtime.rank.answer import search
from fieldguide.runtime.rank.finder import read_finder
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

FIRST, THREE, TRACEBACKS = 95, 99, 97

# Types one query as a paste does, and waits until the list has been written anew. The box is emptied before: the worker may
# answer the query before once more, and what stands in the list after it was empty belongs to this one.
TYPE = """
async (query) => {
  const box = document.querySelector("[data-md-component=search-query]");
  const list = document.querySelector(".md-search-result__list");
  const type = (text, filled) => new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("no answer to " + text)), 20000);
    const watch = new MutationObserver(() => {
      if (Boolean(list.children.length) !== filled) return;
      clearTimeout(late);
      watch.disconnect();
      resolve();
    });
    watch.observe(list, { childList: true });
    box.value = text;
    box.dispatchEvent(new Event("keyup", { bubbles: true }));
  });
  if (list.children.length) await type("", false);
  await type(query, true);
  return Array.from(list.querySelectorAll(".md-search-result__item"), (item) => [
    item.querySelector("a").href,
    Array.from(item.querySelectorAll(".md-tag"), (tag) => tag.textContent).join(" "),
  ]);
}
"""


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


# The worker behind the box, asked one query after the other once all of the content is searched: it answers the first query
# four times, with the titles, with the answers' text, with keys and other sections, and with known bugs.
ASK = """
async ([language, queries]) => {
  const worker = new Worker(`search/worker.js?lang=${language}`);
  const answer = (times) => new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data: { type, data } }) => { if (type === 3 && !--times) resolve(data.items); };
  });
  const ask = (query, times = 1) => {
    const answered = answer(times);
    worker.postMessage({ type: 2, data: query });
    return answered;
  };
  await ask("batch size", 4);
  const answers = [];
  for (const query of queries) answers.push(await ask(query));
  worker.terminate();
  return answers.map((items) => items.slice(0, 12).map(([{ location, tags = [] }]) => [location, tags.join(" ")]));
}
"""
# The box itself is asked every so many of the cases.
EVERY = 40


# What the built site's worker says to each case: pairs of address and badge.
Answer = tuple[Asked, list[tuple[str, str]]]


@pytest.fixture(scope="module")
def answers(browser: Browser, address: str, guide: Guide) -> list[Answer]:
    page = browser.new_page()
    page.goto(address)
    found: list[Answer] = []
    for language in LANGUAGES:
        questions = asked(answerable(load_cases(ROOT / "tests" / "search"), guide), language)
        said = page.evaluate(ASK, [language, [one.case.typed for one in questions]])
        found += zip(questions, said, strict=True)
    page.close()
    return found


@pytest.fixture(scope="module")
def outcomes(answers: list[Answer], guide: Guide) -> list[Outcome]:
    judge = Judge(guide, ours=True)
    return [
        judge.judge(one, [(Item(location, -rank, tag),) for rank, (location, tag) in enumerate(said)]) for one, said in answers
    ]


def test_a_list_that_is_pressed_is_not_made_anew(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address)
    pressed = """
    async (query) => {
      const worker = new Worker("search/worker.js?lang=en&channel=pressed"), answers = [];
      const page = new BroadcastChannel("pressed");
      let heard = () => {}, asks = 0;
      worker.onmessage = ({ data: { type, data } }) => { if (type === 3) { answers.push(JSON.stringify(data)); heard(); } };
      const next = () => new Promise((resolve) => { heard = resolve; });
      const ask = (text) => { asks += 1; worker.postMessage({ type: 2, data: text }); return next(); };
      worker.postMessage({ held: true });
      do await ask(query); while (!answers.at(-1).includes("glossary/")); // keys come last: all has been read
      ask("");
      while (answers.at(-1) !== '{"items":[]}') await next(); // what was sent before it has arrived
      await ask(query);
      const pressed = answers.length - asks, renewed = next();
      page.postMessage({ held: false });
      await renewed;
      worker.terminate();
      return { pressed, after: answers.length - asks };
    }
    """
    more = page.evaluate(pressed, "RAY_DEBUG_POST_MORTEM")
    page.close()
    assert more == {"pressed": 0, "after": 1}, "answers that were not asked for"


@pytest.mark.parametrize(("language", "path"), list(zip(LANGUAGES, ("", "zh/"), strict=True)))
def test_the_box_shows_what_the_worker_answers(browser: Browser, address: str, guide: Guide, language: str, path: str) -> None:
    cases = answerable(load_cases(ROOT / "tests" / "search"), guide)
    page = browser.new_page(locale=language)
    page.goto(address + path)
    queries = [one.case.typed for one in asked(cases, language)][::EVERY]
    answers = page.evaluate(ASK.replace("search/", "../search/") if path else ASK, [language, queries])
    page.locator("[data-md-component=search-query]").click()
    await_keys(page, address)
    for query, answer in zip(queries, answers, strict=True):
        shown = [item.location for item in typed(page, address, query) if "#" not in item.location]
        assert shown[:3] == [location for location, _ in answer if "#" not in location][:3], query
    page.close()


def await_keys(page: Page, address: str) -> None:
    """Keys are searched a moment after the entries; then the worker answers once more."""
    typed(page, address, "log_correct_samples")
    expect(page.locator(".md-search-result__link[href*='glossary/']").first).to_be_attached()


def typed(page: Page, address: str, query: str) -> list[Item]:
    """The list that the search box shows for a query, from the top."""
    shown = page.evaluate(TYPE, query)
    return [Item(href.removeprefix(address), -rank, tag) for rank, (href, tag) in enumerate(shown)]


def misses(outcomes: list[Outcome], rank: int) -> str:
    """The cases whose entry stands at `rank` or below."""
    return "\n".join(
        f"{one.asked.case.id} ({one.asked.language}): {'nowhere' if one.rank == NOWHERE else f'place {one.rank + 1}'}, "
        f"…{one.asked.case.typed[-120:]}"
        for one in outcomes
        if one.asked.case.expect and one.rank >= rank
    )


def test_the_cases_are_asked(outcomes: list[Outcome]) -> None:
    assert score(outcomes).count >= 100, "most entries of the search cases are gone"


def test_the_right_entry_comes_first(outcomes: list[Outcome]) -> None:
    total = score(outcomes)
    print(misses(outcomes, 1))
    assert 100 * total.first >= FIRST * total.count, f"{total.first} of {total.count} first\n{misses(outcomes, 1)}"


def test_the_right_entry_is_among_the_first_three(outcomes: list[Outcome]) -> None:
    total = score(outcomes)
    assert 100 * total.three >= THREE * total.count, f"{total.three} of {total.count} in three\n{misses(outcomes, 3)}"


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.whole)], ids=["some", "all"])
def test_the_terminal_names_the_same_entry_first(answers: list[Answer], compiled_files: Path, every: int) -> None:
    """Of the worker that the site was built with, its modules put together, and not only of each module."""
    compiled = read_guide(compiled_files)
    finders = {language: read_finder(compiled_files, language, compiled) for language in LANGUAGES}
    other = []
    for one, said in answers[::every]:
        finder = finders[one.language]
        ours = next((finder.documents[first.document].location for first in search(one.case.typed, compiled, finder)), "")
        if ours != next((location for location, _ in said), ""):
            other.append((one.case.id, one.language, ours, said[:1]))
    assert not other, f"{len(other)} of {len(answers[::every])}, such as {other[:5]}"


def test_whole_tracebacks_find_their_entry(outcomes: list[Outcome]) -> None:
    tracebacks = [one for one in outcomes if one.asked.case.kind == "traceback"]
    total = score(tracebacks)
    assert 100 * total.first >= TRACEBACKS * total.count, f"{total.first} of {total.count} first\n{misses(tracebacks, 1)}"


def test_no_unknown_error_is_claimed_to_be_known(outcomes: list[Outcome]) -> None:
    claimed = [one.asked.case.id for one in outcomes if one.asked.case.expect is None and one.exact]
    assert not claimed, f"marked as an exact match: {claimed}"


def test_no_query_is_left_without_a_way_on(browser: Browser, address: str) -> None:
    page = browser.new_page(locale="en")
    page.goto(address)
    page.locator("[data-md-component=search-query]").click()
    shown = typed(page, address, "qwertzuiop yxcvbnm")
    page.close()
    assert any(item.location == "errors/" for item in shown)
    assert any(item.location == "about/#about-report" for item in shown)


@pytest.mark.parametrize("key", ["RAY_DEBUG_POST_MORTEM", "--over-sampling-batch-size", "per_device_train_batch_size"])
def test_a_key_comes_before_the_entries_and_its_entry_first_of_these(
    browser: Browser, address: str, guide: Guide, key: str
) -> None:
    page = browser.new_page(locale="en")
    page.goto(address)
    page.locator("[data-md-component=search-query]").click()
    await_keys(page, address)
    shown = [item.location.partition("#") for item in typed(page, address, key)]
    links = page.locator(".md-search-result__link")
    first = (links.first.get_attribute("href") or "").partition("#")[2]
    page.close()
    own = {owned.id for owned in guide.catalog.owned_keys if key in (owned.key.display, owned.key.name)}
    listing = {entry.id for entry in guide.catalog.entry.values() if key in entry.keys}
    assert first in own, first
    pages = {page_address("en", guide.home_of[entry]) for entry in listing}
    assert shown[0][0] in pages if listing else shown[0][2] in own, shown[:3]
