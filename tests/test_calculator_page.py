"""The calculator page in a browser: typing, pasting, bad input, the link to a case, the copy that opens from a folder."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from playwright.sync_api import Browser, BrowserContext, Page, expect

from fieldguide.offline import make_offline
from tests.conftest import ROOT

PASTES = {case["name"]: case for case in yaml.safe_load((ROOT / "tests/cases/pastes.yml").read_text(encoding="utf-8"))["cases"]}
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
    entry = page.url.split("calculate/")[0] + "topics/batch-size/#roll-rollout-batch-size"
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


@pytest.mark.parametrize("language", ["", "zh/"])
@pytest.mark.parametrize(
    "text", ["many", "${batch}", "list(range(0,8))", "0", "-4", "1000000000", "10^9", "1.5", "NaN", "<b>x</b>"]
)
def test_bad_input_gets_a_word_beside_the_field(page: Page, address: str, language: str, text: str) -> None:
    page.goto(f"{address}{language}calculate/?calc=roll")
    field = page.get_by_label("rollout_batch_size", exact=True)
    field.fill(text)
    expect(field).to_have_attribute("aria-invalid", "true")
    note = page.locator("#" + (field.get_attribute("aria-describedby") or ""))
    expect(note).to_have_text(re.compile("....", re.DOTALL))
    shown = page.locator("[data-part=numbers] dd").all_inner_texts()
    assert all(shown) and not any("NaN" in one or "undefined" in one for one in shown)


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
        expect(page.locator("[data-part=read]")).to_contain_text(f"{slip} is no key. Did you mean")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nothing", "There is nothing to read."),
        ("a sentence", "No settings found"),
        ("broken YAML", "Not valid YAML: line"),
        ("both", "This holds a YAML file and a script."),
    ],
)
def test_a_paste_that_cannot_be_read_says_why_and_changes_nothing(page: Page, name: str, says: str) -> None:
    page.get_by_label("rollout_batch_size", exact=True).fill("77")
    page.get_by_label("YAML, override lines or launch script").fill(PASTES[name]["text"])
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("[data-part=read]")).to_contain_text(says)
    expect(page.get_by_label("rollout_batch_size", exact=True)).to_have_value("77")


def test_the_address_holds_the_case(page: Page, context: BrowserContext) -> None:
    page.get_by_label("Framework", exact=True).select_option("slime")
    page.get_by_label("Version").select_option(label="v0.3.0")
    page.locator("#fg-calc-global_batch_size").fill("26")
    page.locator("#fg-calc-num_steps_per_rollout").fill("${steps}")
    expect(page).to_have_url(re.compile("num_steps_per_rollout="))
    asked = parse_qs(urlsplit(page.url).fragment)
    assert asked == {
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


def test_a_link_of_an_older_version_is_read_and_its_case_moves_behind_the_sign(page: Page, address: str) -> None:
    page.goto(address + "calculate/?global_batch_size=26&calc=slime&fw=slime")
    expect(page.locator("#fg-calc-global_batch_size")).to_have_value("26")
    expect(page).to_have_url(address + "calculate/?fw=slime#global_batch_size=26&calc=slime")
    page.evaluate("location.hash = '#calc=slime&global_batch_size=52'")  # another case by hand
    expect(page.locator("#fg-calc-global_batch_size")).to_have_value("52")


def test_a_choice_that_this_version_lacks_gets_a_word(page: Page) -> None:
    page.locator("#fg-calc-backend").select_option("deepspeed_train")
    expect(page.locator("#fg-calc-backend-note")).to_have_text("deepspeed_train exists up to v0.2.1.")
    page.get_by_label("Version").select_option(label="v0.2.1")
    expect(page.locator("#fg-calc-backend-note")).to_have_text("")


def test_fits_a_telephone_and_every_control_has_a_name(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_label("rollout_batch_size", exact=True).fill("30")
    expect(page.locator(".fg-calc__first")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    controls = "[...document.querySelectorAll('.fg-calc input, .fg-calc select, .fg-calc textarea')]"
    unnamed = page.evaluate(controls + ".filter(one => !one.labels.length).map(one => one.id)")
    assert unnamed == []


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
