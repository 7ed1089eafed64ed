"""10,000 hostile queries and 200 hostile logs: nothing breaks, no script of theirs runs, nothing is asked of the network."""

import base64
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.hostile import SCRIPT, logs, queries
from tests.logpage import SETTLED
from tests.test_browser import Trouble

pytestmark = pytest.mark.browser

QUERIES, LOGS, SEED = 10_000, 200, 20261121

# Asks the worker; its answer may hold no element but those that our own templates make, with no attribute but a class.
ASK = """
async ([language, texts]) => {
  const worker = window.fuzzed || (window.fuzzed = new Worker("search/worker.js?lang=" + language));
  const next = () => new Promise((resolve, reject) => {
    worker.onmessage = (event) => { if (event.data.type === 3) resolve(event.data.data); };
    worker.onerror = (event) => reject(new Error(event.message));
  });
  const known = new Set(["SPAN", "CODE", "MARK"]), wrong = [];
  for (const text of texts) {
    const answer = next();
    worker.postMessage({ type: 2, data: text });
    for (const group of (await answer).items) for (const item of group) {
      const made = document.createElement("template");
      made.innerHTML = item.title + item.text + (item.tags || []).join("");
      for (const element of made.content.querySelectorAll("*")) {
        const classes = Array.from(element.attributes, (one) => one.name).join();
        if (!known.has(element.tagName) || (classes && classes !== "class")) wrong.push([text, element.outerHTML]);
      }
      if (!/^[\\w./-]*(#[\\w-]*)?$/.test(item.location)) wrong.push([text, item.location]);
    }
  }
  return wrong;
}
"""
READ = """
async ([name, content]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name));
  const box = document.querySelector("[data-fg=log]"), input = box.querySelector("[data-part=file]");
  input.files = transfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  await new Promise((resolve) => setTimeout(resolve, 0));
  const start = performance.now();
  while (box.hasAttribute("aria-busy")) {
    if (performance.now() - start > 20000) throw new Error("not read after 20 s");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return box.querySelector("[data-part=status]").textContent.trim();
}
"""


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page(locale="en-US")
    trouble = Trouble(address)
    trouble.watch(page)
    page.goto(address)
    yield page
    assert not page.evaluate("window.ran === true"), "a script of the input ran"
    page.close()
    assert not trouble.found, "\n".join(trouble.found[:20])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_query_breaks_the_search(page: Page, language: str) -> None:
    texts = list(queries(QUERIES // 2, SEED + len(language)))
    for start in range(0, len(texts), 500):
        wrong = page.evaluate(ASK, [language, texts[start : start + 500]])
        assert not wrong, wrong[:3]


def test_no_query_breaks_the_search_box(page: Page) -> None:
    box = page.locator("[data-md-component=search-query]")
    box.click()
    for query in queries(100, SEED):
        box.evaluate("(box, text) => { box.value = text; box.dispatchEvent(new Event('keyup', {bubbles: true})); }", query)
        page.evaluate(SETTLED)
    box.evaluate("box => { box.value = 'memory'; box.dispatchEvent(new Event('keyup', {bubbles: true})); }")
    page.wait_for_function("document.querySelectorAll('.md-search-result__item').length > 2")


@pytest.mark.parametrize(
    "part", ["?q=", "?fw=", "?h=", "#", "#q=", "about/?error=", "calculate/#", "calculate/#calc=", "calculate/?calc="]
)
def test_no_address_breaks_a_page(page: Page, address: str, part: str) -> None:
    for text in (f"<img src=x onerror='{SCRIPT}'>", f'"><script>{SCRIPT}</script>', f"javascript:{SCRIPT}", "%00%ff", "[(*"):
        page.goto(address + part + text.replace("#", "%23"))
        page.evaluate(SETTLED)


def test_no_log_breaks_the_log_page(page: Page, address: str) -> None:
    page.goto(address + "diagnose/")
    for name, content in logs(LOGS, SEED):
        said = page.evaluate(READ, [name, base64.b64encode(content).decode()])
        assert said, f"nothing is said about {name}"
