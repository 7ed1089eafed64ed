"""The calculator page in a browser: typing, pasting, bad input, the verdict in sight, the way back, the copy from a folder."""

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from fieldguide.site.offline import make_offline
from tests.conftest import ROOT
from tests.test_accessibility import RULES, looked_at, looks, violations_of
from tests.test_browser import PHONE

PASTES = {case["name"]: case for case in yaml.safe_load((ROOT / "tests/cases/pastes.yml").read_text(encoding="utf-8"))["cases"]}
TEXT = "YAML, override lines or launch script"
STATUS = "[data-part=status]"
# verl with neither micro batch size: each is asked for at two places, and no single change is enough.
UNSET = """data: {train_batch_size: 256}
actor_rollout_ref:
  actor: {strategy: fsdp, ppo_mini_batch_size: 64}
  rollout: {n: 5}
trainer: {n_gpus_per_node: 8, nnodes: 1}
"""
# slime: a global batch that the steps do not give, and so many GPUs that nothing small helps.
STUCK = """python3 train.py --rollout-batch-size 1 --n-samples-per-prompt 1 --global-batch-size 7 --num-steps-per-rollout 3 \\
    --actor-num-nodes 5 --actor-num-gpus-per-node 7 --tensor-model-parallel-size 4 --pipeline-model-parallel-size 3
"""
BAD = ["many", "${batch}", "list(range(0,8))", "0", "-4", "1000000000", "10^9", "1.5", "NaN", "<b>x</b>"]
pytestmark = pytest.mark.browser


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: None if request.url.startswith((address, "data:")) else wrong.append(request.url))
    page.goto(address + "calculate/?calc=roll")
    yield page
    assert not wrong, "\n".join(wrong)


def number(page: Page, name: str) -> str:
    return page.locator(f"[data-number={name}] strong").inner_text()


def test_numbers_follow_and_the_assertion_is_named_with_its_entry(page: Page) -> None:
    expect(page.locator("[data-part=status]")).to_have_text("No rule fails.")
    assert (number(page, "dp"), number(page, "samples")) == ("8", "1024")
    page.get_by_label("rollout_batch_size", exact=True).fill("30")
    first = page.locator(".fg-calc__first")
    expect(first.locator("pre")).to_contain_text("Rollout Batch Size (30) must be divisible by data parallel size (8)")
    expect(first).to_have_attribute("data-rule", "R2")
    entry = page.url.split("calculate/")[0] + "topics/batch-size/roll-rollout-batch-size/"
    expect(first.locator("a").last).to_have_attribute("href", entry)
    expect(page.locator("[data-number=samples]")).to_contain_text("30 * 8")
    expect(page.locator("[data-number=samples]")).to_contain_text("rollout_batch_size * num_return_sequences_in_group")


def test_only_the_fields_that_bear_on_the_numbers_are_shown(page: Page) -> None:
    expect(page.locator("#fg-calc-tp")).to_be_visible()
    expect(page.locator("#fg-calc-ulysses_size")).to_be_hidden()
    page.locator("#fg-calc-backend").select_option("fsdp2_train")
    expect(page.locator("#fg-calc-tp")).to_be_hidden()
    expect(page.locator("#fg-calc-ulysses_size")).to_be_visible()


def test_a_proposal_is_applied_and_passes(page: Page) -> None:
    page.get_by_label("rollout_batch_size", exact=True).fill("30")
    page.get_by_role("button", name="Apply: rollout_batch_size = 32").click()
    expect(page.locator("[data-part=status]")).to_have_text("No rule fails.")
    expect(page.get_by_label("rollout_batch_size", exact=True)).to_have_value("32")


@pytest.mark.parametrize("language", ["", pytest.param("zh/", marks=pytest.mark.whole)])
def test_bad_input_gets_a_word_beside_the_field(page: Page, address: str, language: str) -> None:
    page.goto(f"{address}{language}calculate/?calc=roll")
    field = page.get_by_label("rollout_batch_size", exact=True)
    for text in ("many", "${batch}", "list(range(0,8))", "0", "-4", "1000000000", "10^9", "1.5", "NaN", "<b>x</b>"):
        field.fill("64")
        expect(field).not_to_have_attribute("aria-invalid", "true")
        field.fill(text)
        expect(field).to_have_attribute("aria-invalid", "true")
        note = page.locator("#" + (field.get_attribute("aria-describedby") or ""))
        expect(note).to_have_text(re.compile("....", re.DOTALL))
        shown = page.locator("[data-part=numbers] dd").all_inner_texts()
        assert all(shown) and not any("NaN" in one or "undefined" in one for one in shown), text


def test_blank_is_the_default_and_says_so(page: Page) -> None:
    field = page.get_by_label("rollout_batch_size", exact=True)
    field.fill("")
    expect(page.locator("#fg-calc-rollout_batch_size-note")).to_have_text("Blank: the default 128 is used.")
    assert number(page, "samples") == "1024"


@pytest.mark.parametrize("name", [name for name, case in PASTES.items() if "fields" in case])
def test_a_paste_fills_the_fields(page: Page, name: str) -> None:
    case = PASTES[name]
    page.get_by_label("YAML, override lines or launch script").fill(case["text"])
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("[data-part=framework]")).to_have_value(case["framework"])
    for field, text in case["fields"].items():
        expect(page.locator(f"#fg-calc-{field}")).to_have_value(re.compile(f"^{re.escape(text)}$", re.IGNORECASE))
    for slip in case.get("slips", {}):
        expect(page.locator("[data-part=read]")).to_contain_text(f"{slip} is not a key. Did you mean")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nothing", "There is nothing to read."),
        ("a sentence", "No settings found"),
        ("broken YAML", "Not valid YAML: line"),
    ],
)
def test_a_paste_that_cannot_be_read_says_why_and_changes_nothing(page: Page, name: str, says: str) -> None:
    page.get_by_label("rollout_batch_size", exact=True).fill("77")
    page.get_by_label("YAML, override lines or launch script").fill(PASTES[name]["text"])
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("[data-part=read]")).to_contain_text(says)
    expect(page.get_by_label("rollout_batch_size", exact=True)).to_have_value("77")


def read(page: Page, text: str) -> None:
    page.get_by_label(TEXT).fill(text)
    page.get_by_role("button", name="Read it").click()


def case_of(page: Page) -> dict[str, list[str]]:
    """What the address says behind the #; nothing of it may stand before."""
    address = urlsplit(page.url)
    assert address.query in ("", "fw=roll"), page.url
    return parse_qs(address.fragment)


def test_the_address_holds_the_case_where_no_request_carries_it(page: Page, context: BrowserContext) -> None:
    page.get_by_label("Framework", exact=True).select_option("slime")
    page.get_by_label("Version", exact=True).select_option(label="v0.3.0")
    page.locator("#fg-calc-global_batch_size").fill("26")
    page.locator("#fg-calc-num_steps_per_rollout").fill("${steps}")
    expect(page).to_have_url(re.compile("num_steps_per_rollout="))
    assert case_of(page) == {
        "calc": ["slime"], "version": ["v0.3.0"], "global_batch_size": ["26"], "num_steps_per_rollout": ["${steps}"],
    }  # fmt: skip
    other = context.new_page()
    other.goto(page.url)
    expect(other.locator("#fg-calc-global_batch_size")).to_have_value("26")
    expect(other.locator("[data-part=version] option:checked")).to_have_text("v0.3.0")
    expect(other.locator("[data-part=numbers]")).to_have_text(
        page.locator("[data-part=numbers]").inner_text(), use_inner_text=True
    )
    other.close()


def test_a_link_as_it_once_was_written_is_read_and_written_anew(page: Page, address: str) -> None:
    page.goto(address + "calculate/?fw=roll&calc=roll&rollout_batch_size=30")
    expect(page.locator(".fg-calc__first")).to_have_attribute("data-rule", "R2")
    assert case_of(page) == {"calc": ["roll"], "rollout_batch_size": ["30"]} and "fw=roll" in page.url


@pytest.mark.parametrize("language", ["", "zh/"])
@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, PHONE], ids=["desk", "phone"])
def test_the_verdict_stands_below_the_paste_and_comes_into_view(
    page: Page, address: str, language: str, size: ViewportSize
) -> None:
    page.set_viewport_size(size)
    page.goto(f"{address}{language}calculate/")
    page.locator("[data-part=text]").fill(UNSET)
    page.locator("[data-part=paste] button").click()
    expect(page.locator(".fg-calc__first")).to_be_in_viewport()
    top = "selector => document.querySelector(selector).getBoundingClientRect().top"
    status, paste = page.evaluate(top, STATUS), page.evaluate(top, "[data-part=text]")
    header = page.evaluate("document.querySelector('.md-header').getBoundingClientRect().bottom")
    assert 0 < status - paste <= 700, f"{status - paste} px below the top of the paste box"
    assert header <= status <= size["height"] - 100, status
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_a_text_that_cannot_be_read_leaves_no_verdict_of_an_earlier_one(page: Page) -> None:
    read(page, UNSET)
    expect(page.locator(".fg-calc__first")).to_have_attribute("data-rule", "V4")
    read(page, PASTES["broken YAML"]["text"])
    expect(page.locator("[data-part=read]")).to_contain_text("Not valid YAML: line")
    expect(page.locator(STATUS)).to_have_text("Nothing could be read, so there is no verdict.")
    expect(page.locator(".fg-calc__finding, .fg-calc__proposals, [data-part=numbers] dt")).to_have_count(0)
    page.reload()
    expect(page.locator(STATUS)).to_have_text("Nothing could be read, so there is no verdict.")
    expect(page.locator(".fg-calc__finding")).to_have_count(0)
    page.locator("#fg-calc-n").fill("6")
    expect(page.locator(".fg-calc__first")).to_have_attribute("data-rule", "V4")
    expect(page.locator("[data-part=read]")).to_be_empty()


def test_one_cause_is_shown_once_with_what_holds_and_what_is_there(page: Page) -> None:
    read(page, UNSET)
    first = page.locator(".fg-calc__first")
    expect(first.locator("dd")).to_have_text([
        "ppo_micro_batch_size is not None or ppo_micro_batch_size_per_gpu is not None",
        "ppo_micro_batch_size = None, ppo_micro_batch_size_per_gpu = None",
    ])  # fmt: skip
    expect(first.locator(".fg-calc__also a")).to_have_text(["V10"])
    page.locator(".fg-calc__later summary").click()
    later = page.locator(".fg-calc__later .fg-calc__finding")
    expect(later).to_have_count(1)
    expect(later).to_have_attribute("data-rule", "V5")
    expect(later.locator(".fg-calc__also a")).to_have_text(["V10b"])
    page.get_by_role("button", name="Apply:").first.click()
    expect(page.locator(STATUS)).to_have_text("No rule fails.")


def test_no_setting_shows_a_condition_that_says_nothing(page: Page) -> None:
    """Recorded random settings of every framework, as links."""
    for file in sorted((ROOT / "tests/fixtures/calculate").glob("*.jsonl")):
        head, *rows = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
        for *values, error in [row for row in rows if row[-1]][:12]:
            given = {name: "" if value is None else str(value) for name, value in zip(head["names"], values, strict=True)}
            page.evaluate("hash => { location.hash = hash }", urlencode({"calc": head["framework"], **given}))
            expect(page.locator("[data-part=framework]")).to_have_value(head["framework"])
            expect(page.locator(".fg-calc__first")).to_be_visible()
            shown = page.locator("[data-part=verdict]").text_content() or ""
            facts = page.locator("[data-part=verdict] .fg-calc__rule dd:nth-of-type(2)").all_text_contents()
            assert facts and all(facts), error
            assert not any(re.search(r"None is|(?:True|False) (?:is|and|or)\b", fact) for fact in facts), facts
            assert not re.search("undefined|NaN|null", shown), shown
            assert page.locator(".fg-calc__proposals li").count() >= 1, "nothing is said about what to do"


def test_where_no_small_change_passes_each_rule_says_what_it_needs(page: Page) -> None:
    read(page, STUCK)
    expect(page.locator("[data-part=proposals]")).to_contain_text("No small change passes every rule.")
    needs = page.locator(".fg-calc__proposals li")
    assert needs.count() >= 2
    expect(page.locator(".fg-calc__proposals").get_by_text("hardest, start here")).to_have_count(1)
    for need in needs.all():
        assert need.locator("button").count() >= 1, need.inner_text()
    rule = needs.filter(has=page.locator(".fg-calc__apply")).first.get_attribute("data-rule")
    needs.locator(".fg-calc__apply").first.click()
    expect(page.locator(f".fg-calc__first[data-rule={rule}]")).to_have_count(0)


def test_what_was_typed_and_pasted_survives_reload_and_the_way_back(page: Page, address: str) -> None:
    read(page, UNSET)
    page.locator("#fg-calc-n").fill("6")
    expect(page).to_have_url(re.compile("[#&]n=6"))
    for leave in (page.reload, lambda: (page.goto(address + "about/"), page.go_back())):
        leave()
        expect(page.get_by_label(TEXT)).to_have_value(UNSET)
        expect(page.locator("#fg-calc-n")).to_have_value("6")
        expect(page.locator("[data-part=read]")).to_contain_text("settings taken for verl")
        expect(page.locator(".fg-calc__first")).to_have_attribute("data-rule", "V4")
    page.goto(address + "calculate/")
    expect(page.locator("#fg-calc-n")).to_have_value("6")
    page.get_by_role("button", name="Start again").click()
    page.reload()
    expect(page.get_by_label(TEXT)).to_have_value("")


def test_another_link_is_not_mixed_with_what_was_pasted(page: Page, address: str) -> None:
    read(page, UNSET)
    page.goto(address + "about/")
    page.goto(address + "calculate/#calc=roll&rollout_batch_size=30")
    expect(page.locator(".fg-calc__first")).to_have_attribute("data-rule", "R2")
    expect(page.get_by_label(TEXT)).to_have_value("")


@looks({"width": 1440, "height": 900})
def test_no_rule_of_accessibility_is_broken_by_a_verdict(
    browser: Browser, address: str, size: ViewportSize, scheme: Literal["light", "dark"]
) -> None:
    with looked_at(browser, size, scheme) as page:
        for language in ("", "zh/"):
            page.goto(f"{address}{language}calculate/#calc=roll&rollout_batch_size=many")
            for text in (STUCK, UNSET, PASTES["broken YAML"]["text"]):
                page.locator("[data-part=text]").fill(text)
                page.locator("[data-part=paste] button").click()
                page.locator("[data-part=later] details").evaluate_all("all => all.forEach(one => { one.open = true })")
                assert not violations_of(page, Axe(), *RULES[scheme])


def test_a_phone_shows_the_verdict_beside_the_fields(page: Page) -> None:
    page.set_viewport_size(PHONE)
    field = page.locator("#fg-calc-use_dynamic_batching_in_train")
    field.scroll_into_view_if_needed()
    page.locator("#fg-calc-rollout_batch_size").evaluate(
        "input => { input.value = '30'; input.dispatchEvent(new Event('input')); }"
    )
    expect(page.locator("[data-part=now]")).to_have_text(re.compile("This stops the run: R2"))
    expect(page.locator("[data-part=now]")).to_be_in_viewport()
    page.locator("[data-part=now]").click()
    expect(page.locator(".fg-calc__first")).to_be_in_viewport()


def test_a_choice_that_this_version_lacks_gets_a_word(page: Page) -> None:
    page.locator("#fg-calc-backend").select_option("deepspeed_train")
    expect(page.locator("#fg-calc-backend-note")).to_have_text("deepspeed_train exists up to v0.2.1.")
    page.get_by_label("Version", exact=True).select_option(label="v0.2.1")
    expect(page.locator("#fg-calc-backend-note")).to_have_text("")


def test_fits_a_telephone_and_every_control_has_a_name(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_label("rollout_batch_size", exact=True).fill("30")
    expect(page.locator(".fg-calc__first")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    controls = "[...document.querySelectorAll('.fg-calc input, .fg-calc select, .fg-calc textarea')]"
    unnamed = page.evaluate(controls + ".filter(one => !one.labels.length).map(one => one.id)")
    assert unnamed == []


@pytest.mark.whole  # packs the whole site
def test_opens_from_a_folder(browser: Browser, site: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(make_offline(site, tmp_path / "guide.zip", "guide").archive) as packed:
        packed.extractall(tmp_path)
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((tmp_path / "guide" / "calculate" / "index.html").as_uri() + "?calc=chatlearn&sample_per_episode=100")
    expect(page.locator(".fg-calc__first pre")).to_contain_text("must be divisible by models.policy.num_inference_per_prompt")
    page.locator("#fg-calc-num_inference_per_prompt").fill("4")
    expect(page.locator(".fg-calc__first pre")).to_contain_text("runtime_args.sample_per_episode of policy_trainer (100)")
    page.locator(".fg-calc__first a").last.click()
    expect(page.locator("#chatlearn-batch-size")).to_have_count(1)
    page.close()
    assert not wrong, "\n".join(wrong)
