"""Python and JavaScript agree on texts that nobody thought of, not only on the vectors.

TEXTS=100000 tries so many; a run of the default suite tries five hundred, others each day.
"""

import base64
import datetime
import io
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from fieldguide.content.compile import compile_catalog
from fieldguide.content.guide import load_guide
from fieldguide.runtime.calculate.fields import read_field
from fieldguide.runtime.calculate.settings import SettingsError, chosen, read_text, to_fields
from fieldguide.runtime.guide import Guide, Rule
from fieldguide.runtime.match import find
from fieldguide.runtime.scan import Scanner
from fieldguide.runtime.told import told_by
from fieldguide.site.search import bugs_piece, guide_piece, scan_piece
from tests.conftest import ROOT
from tests.logs import plain
from tests.texts import SETTINGS, generated, sample

pytestmark = pytest.mark.browser

TEXTS = int(os.environ.get("TEXTS", "500"))
SEED = int(os.environ.get("SEED", str(datetime.date.today().toordinal())))
BATCH = 1000
MODULES = (
    "match/expression", "match/guide", "match/matcher", "scan/scanner", "scan/cause", "scan/told",
    "calculate/grammar", "calculate/settings", "calculate/choose", "calculate/fields", "ui/shell",
)  # fmt: skip
# Texts travel as numbers of UTF-16 units: a lone surrogate would not come through as it is.
LOAD = """
async ([modules, compiled, scan]) => {
  const loaded = modules.map((name) => import(new URL(`assets/javascripts/${name}.js`, location.href).href));
  const guide = Object.assign({}, ...await Promise.all(loaded));
  const documents = [...compiled.entries, ...compiled.bugs].map(([id, framework]) => ({ id, framework }));
  const whole = { ...compiled, entries: [...compiled.entries, ...compiled.bugs] };
  const assembled = guide.assemble(whole, { language: "en", prefix: "", words: {}, documents });
  const matcher = new guide.Matcher(assembled), grammar = new guide.Grammar(compiled.grammar);
  const masks = guide.compileRules(compiled.masks);
  const units = (text) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  const inputs = Object.entries(compiled.calculators).flatMap(([, d]) => d.inputs.slice(0, 6).map((one) => [d, one]));
  const read = (text) => {
    try {
      const [framework, run] = guide.choose(compiled.calculators, guide.readText(grammar, text, goThrough));
      const definition = compiled.calculators[framework];
      const fields = framework && guide.toFields(grammar, definition, run.settings).fields;
      return [Object.keys(run.settings).length, framework, fields];
    } catch (error) {
      if (!error.problem) throw error;
      return [error.problem];
    }
  };
  const scanned = (bytes) => {
    const scanner = new guide.Scanner(assembled, scan);
    const log = Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0));
    scanner.push(log);
    const tail = new TextDecoder("utf-8", { ignoreBOM: true }).decode(log).slice(-200000);
    const found = scanner.finish(guide.namedIn(tail, log.length, matcher));
    const findings = guide.causeFirst(found.findings, tail, matcher);
    const rows = findings.map(({ entry, line, count, also, text }) => [entry, line, count, also, units(text)]);
    return [found.framework, found.lines, rows];
  };
  window.look = {
    found: (text) => matcher.find(text).map(({ entry, score, exact }) => [documents[entry].id, score, exact]),
    cleaned: (text) => units(matcher.clean(text)),
    masked: (text) => units(guide.applyRules(text, masks)),
    script: (text) => read(text),
    fields: (text) => inputs.map(([definition, one]) => {
      const latest = definition.versions.length - 1;
      const { value, problem, note, devices } = guide.readField(grammar, definition, one, text, latest);
      return [value, problem, note, devices];
    }),
    log: scanned,
    told: (text) => guide.toldBy(text, assembled, (one) => matcher.clean(one)),
  };
}
"""
LOOK = """
([kind, texts]) => texts.map((one) => window.look[kind](typeof one === "string" ? one : String.fromCharCode(...one)))
"""


@pytest.fixture(scope="module")
def catalog() -> dict[str, Any]:
    return json.loads(json.dumps(compile_catalog(load_guide(ROOT).catalog)))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def page(browser: Browser, address: str, catalog: dict[str, Any]) -> Iterator[Page]:
    page = browser.new_page()
    page.route("**/blank.html", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.add_init_script(path=ROOT / "overrides/assets/vendor/js-yaml/js-yaml.min.js")
    page.goto(address + "blank.html")
    pieces, scan, bugs = guide_piece(catalog), scan_piece(catalog), bugs_piece(catalog)
    both = {"signatures": [*pieces["signatures"], *bugs["signatures"]]}
    page.evaluate(LOAD, [MODULES, catalog | pieces | both, scan | {"keys": [*scan["keys"], *bugs["keys"]]}])
    yield page
    page.close()


@pytest.fixture(scope="module")
def texts(compiled: Guide) -> list[str]:
    catalog = load_guide(ROOT).catalog
    samples = [sample(one.text) for some in catalog.signatures_of.values() for one in some]
    samples += [sample(text) for item in catalog.bugs for text in item.record.errors]
    return list(generated(SEED, TEXTS, samples, [hint for one in compiled.frameworks for hint in one.hints]))


def units(text: str) -> list[int]:
    """Numbers of the UTF-16 units of a text."""
    data = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "little") for at in range(0, len(data), 2)]


def joined(text: str) -> str:
    """The text as JavaScript has it: two halves of a character that stand side by side are one."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def compare(page: Page, kind: str, texts: Sequence[str], here: Any, sent: Any = units) -> None:
    """Ask both for every text, batch by batch, and show the first that they differ on."""
    different = []
    for at in range(0, len(texts), BATCH):
        batch = [joined(text) for text in texts[at : at + BATCH]]
        there = page.evaluate(LOOK, [kind, [sent(text) for text in batch]])
        ours = json.loads(json.dumps([here(text) for text in batch]))
        different += [(text, a, b) for text, a, b in zip(batch, ours, there, strict=True) if a != b]
    shown = "\n".join(f"{text!r}\n  Python     {a}\n  JavaScript {b}" for text, a, b in different[:5])
    assert not different, f"SEED={SEED}: {len(different)} of {len(texts)} differ\n{shown}"


def test_what_is_found(page: Page, compiled: Guide, texts: list[str]) -> None:
    compare(
        page, "found", texts, lambda text: [[match.signature.entry, match.score, match.exact] for match in find(text, compiled)]
    )


def test_what_a_text_tells(page: Page, compiled: Guide, texts: list[str]) -> None:
    frame = '  File "/opt/site-packages/vllm/core.py", line 7, in run\n'
    raised = [frame, "vllm==0.11.0\n", "(W pid=1) ValueError: no\n", "KeyError\n"]
    mixed = [f"{raised[at % 4]}{text}\n{raised[at // 4 % 4]}" for at, text in enumerate(texts)]
    compare(page, "told", mixed, lambda text: asdict(told) if (told := told_by(text, compiled)) else None)


def test_what_is_cleaned(page: Page, compiled: Guide, texts: list[str]) -> None:
    compare(page, "cleaned", texts, lambda text: units(compiled.cleaned(text)))


def test_what_is_masked(page: Page, catalog: dict[str, Any], texts: list[str]) -> None:
    masks = [Rule(pattern, tuple(replace)) for pattern, replace in catalog["masks"]]

    def masked(text: str) -> list[int]:
        for mask in masks:
            text = mask.apply(text)
        return units(text)

    compare(page, "masked", texts, masked)


def test_what_a_script_sets(page: Page, compiled: Guide, texts: list[str]) -> None:
    def read(text: str) -> list[Any]:
        try:
            framework, run = chosen(compiled.definitions, read_text(compiled.grammar, text))
        except SettingsError as error:
            return [error.problem]
        fields = to_fields(compiled.grammar, compiled.definitions[framework], run.settings).fields if framework else None
        return [len(run.settings), framework, fields]

    # What is YAML or a script is read by two libraries, which differ on texts that are hardly any: see test_launch_scripts.py.
    foreign = ("yamlLine", "scriptLine")
    scripts = [text for text in texts if not any(compiled.grammar.search(name, joined(text)) for name in foreign)]
    compare(page, "script", scripts, read)


def test_what_a_field_is(page: Page, compiled: Guide, texts: list[str]) -> None:
    inputs = [(one, field) for one in compiled.definitions.values() for field in one.inputs[:6]]

    def read(text: str) -> list[Any]:
        made = (read_field(compiled.grammar, one, field, text, one.latest) for one, field in inputs)
        return [[one.value, one.problem, one.note, one.devices] for one in made]

    compare(page, "fields", [*SETTINGS, *(text[:12] for text in texts)], read)


def test_what_a_log_shows(page: Page, compiled: Guide, texts: list[str]) -> None:
    scanner = Scanner(compiled)
    logs = ["\n".join(texts[at : at + 10]) for at in range(0, len(texts), 10)]

    def raw(text: str) -> bytes:
        return text.encode("utf-8", "surrogatepass").replace(b"\0", b"")

    def scanned(text: str) -> list[Any]:
        diagnosis = scanner.scan(io.BytesIO(raw(text)))
        found = [[one.entry, one.line, one.count, list(one.also), units(one.text)] for one in diagnosis.findings]
        return [diagnosis.framework, diagnosis.lines, found]

    compare(page, "log", logs, scanned, lambda text: base64.b64encode(raw(text)).decode())
    assert any(plain(scanner.scan(io.BytesIO(raw(log))))["findings"] for log in logs), "nothing was found at all"
