"""The doctor in the browser says what Python says, and nothing that is pasted is part of a request."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, BrowserContext, Page, expect

from fieldguide.content.catalog.load import load_catalog
from fieldguide.content.versions import compile_versions
from fieldguide.runtime.doctor.answer import as_json
from fieldguide.runtime.doctor.environment import read_environment
from fieldguide.runtime.doctor.facts import Facts, as_facts
from fieldguide.runtime.doctor.judge import judge
from tests.conftest import ROOT
from tests.modules import module_page
from tests.test_doctor import CASES, listed, pinned, upstreams_own

pytestmark = pytest.mark.browser
VERSIONS = yaml.safe_load((ROOT / "tests" / "cases" / "versions.yml").read_text(encoding="utf-8"))
LOAD = """
async (data) => {
  const names = ["facts", "environment", "judge", "version"];
  Object.assign(window, ...await Promise.all(names.map((name) => import(`/javascripts/doctor/${name}.js`))));
  window.facts = new Facts(data);
}
"""
ASK = """
(texts) => texts.map((text) => {
  const verdict = judge(facts, readEnvironment(facts, text)), { stack, release, framework } = verdict;
  return {
    framework: framework?.id ?? null, release: release?.tag ?? null, exact: verdict.isExact, code: code(verdict),
    set: stack ? [stack.path, stack.extra] : null, complete: verdict.environment.complete, unknown: verdict.unknown,
    packages: Object.fromEntries([...verdict.environment.packages].map(
      ([name, one]) => [name, [one.version, one.asked, one.line, one.other]])),
    troubles: verdict.troubles.map(({ pair, harm, needs, repair }) =>
      [pair ? pair.id : needs.slice(0, 2).join("-"), harm, repair?.line ?? pair.words.en[2], repair?.isSound ?? true]),
    outside: verdict.outside.map((one) => [one.package, one.tested, one.required]),
    fitting: verdict.fitting.map((one) => [one.framework, one.release]),
  };
})
"""


@pytest.fixture(scope="module")
def facts() -> Facts:
    return as_facts(data())


def data() -> dict[str, Any]:
    catalog, _ = load_catalog(ROOT)
    return dict(json.loads(json.dumps(compile_versions(catalog))))


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with module_page(browser) as page:
        page.evaluate(LOAD, data())
        yield page


def said(facts: Facts, text: str) -> dict[str, Any]:
    """What Python says, as `ASK` does."""
    verdict = judge(facts, read_environment(facts, text))
    told = as_json(facts, verdict, "en")
    packages = {name: [one[key] for key in ("version", "asked", "line", "other")] for name, one in told["packages"].items()}
    return {
        **{name: told[name] for name in ("framework", "release", "exact", "complete", "unknown")},
        "code": verdict.code,
        "set": [told["set"]["path"], told["set"]["extra"]] if told["set"] else None,
        "packages": packages,
        "troubles": [[one["id"], one["harm"], one["repair"], one["sound"]] for one in told["troubles"]],
        "outside": json.loads(json.dumps([[one["package"], one["tested"], one["required"]] for one in told["outside"]])),
        "fitting": [[one["framework"], one["release"]] for one in told["fitting"]],
    }


def texts() -> Iterator[str]:
    yield from (case["text"] for case in CASES["texts"])
    yield from (listed(case["packages"]) for case in CASES["broken"])
    for name, release, stack in upstreams_own():
        rows = [(name, str(release.version)), *pinned(stack)]
        yield listed(", ".join(f"{package} {version}" for package, version in rows))


def test_browser_and_terminal_say_the_same(page: Page, facts: Facts) -> None:
    asked = list(texts())
    answers = page.evaluate(ASK, asked)
    assert len(asked) > 250
    for text, answer in zip(asked, answers, strict=True):
        assert answer == said(facts, text), text


@pytest.mark.parametrize(
    "text", ["\x00" * 9, "== ==\n", "-e \n", "[{]", "[1, 2]", "vllm @ \n", "a" * 100_000, "FROM\n", "RUN pip install\n"]
)
def test_strange_texts_are_no_exception(page: Page, facts: Facts, text: str) -> None:
    assert page.evaluate(ASK, [text]) == [said(facts, text)]


@pytest.mark.parametrize("case", VERSIONS["order"], ids=str)
def test_versions_are_ordered_as_packaging_orders_them(page: Page, case: list[str]) -> None:
    script = "(texts) => texts.slice(1).map((text, at) => Math.sign(compare(version(texts[at]), version(text))))"
    assert page.evaluate(script, case) == [-1] * (len(case) - 1)


@pytest.mark.parametrize("case", VERSIONS["within"], ids=lambda case: f"{case['version']} {case['spec']}")
def test_a_specifier_means_what_packaging_means(page: Page, case: dict[str, Any]) -> None:
    script = "([spec, text]) => specifier(spec).contains(version(text))"
    assert page.evaluate(script, [case["spec"], case["version"]]) == case["within"]


@pytest.fixture
def shown(context: BrowserContext, address: str) -> Iterator[Page]:
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url + (request.post_data or "")))
    page.goto(address + "doctor/")
    yield page
    assert not wrong, "\n".join(wrong)
    assert not [one for one in asked if "0.8.4" in one or not one.startswith((address, "data:"))]


def test_a_pasted_list_is_answered_and_stays_here(shown: Page) -> None:
    shown.locator("textarea").fill(listed("verl 0.9.0, vllm 0.8.4, transferqueue 0.1.8, requests 2.0"))
    shown.get_by_role("button", name="Compare").click()
    expect(shown.locator("[data-part=status]")).to_have_text("verl v0.9.0")
    first = shown.locator(".fg-doctor__trouble").first
    expect(first).to_contain_text("Currently supported vllm versions are 0.18.0+")
    expect(first.locator("pre")).to_have_text('pip install "vllm==0.24.0"')
    expect(first.get_by_role("link")).to_have_attribute("href", re.compile("topics/install/any-vllm-version-mismatch/$"))


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "No package that counts"), ("left-pad@1.3.0", "No package that counts"), ("vllm 0.11.0", "no framework")],
)
def test_what_names_no_package_or_framework_is_said(shown: Page, text: str, said: str) -> None:
    shown.locator("textarea").fill(text)
    shown.get_by_role("button", name="Compare").click()
    expect(shown.locator("[data-part=status]")).to_contain_text(said)


def test_the_page_speaks_chinese_too(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(address + "zh/doctor/")
    page.locator("textarea").fill(listed("verl 0.9.0, vllm 0.8.4"))
    page.get_by_role("button", name="比对").click()
    expect(page.locator(".fg-doctor__trouble").first).to_contain_text("verl 0.9 起不接受 0.18 之前的 vLLM。")
