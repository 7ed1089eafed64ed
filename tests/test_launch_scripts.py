"""What a launch script would run: Python and JavaScript agree on each construct, and on scripts made up at random."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Page

from fieldguide.runtime.calculate.beside import beside
from fieldguide.runtime.calculate.shell.script import Made, run
from fieldguide.runtime.calculate.shell.tree import parse
from tests.conftest import ROOT
from tests.modules import module_page
from tests.scripts import made_up

CASES = yaml.safe_load((ROOT / "tests/cases/scripts.yml").read_text(encoding="utf-8"))["cases"]


def gone_through(text: str, **given: str) -> Made:
    return run(text, parse, lambda _: None, given)


@pytest.fixture(scope="module")
def javascript(browser: Browser) -> Iterator[Page]:
    """An empty page with what goes through scripts."""
    with module_page(browser) as page:
        yield page


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_construct_means_what_the_case_says(case: dict[str, Any]) -> None:
    assert gone_through(case["text"]).commands == _expected(case)


@pytest.mark.browser
def test_javascript_goes_through_scripts_alike(javascript: Page) -> None:
    draw = random.Random(7)
    texts = [case["text"] for case in CASES] + [made_up(draw) for _ in range(500)]
    there = javascript.evaluate("texts => texts.map((text) => goThrough(text).commands)", texts)
    assert there[: len(CASES)] == [_expected(case) for case in CASES]
    here = [gone_through(text).commands for text in texts]
    assert [(text, a, b) for text, a, b in zip(texts, here, there, strict=True) if a != b][:3] == []


def _expected(case: dict[str, Any]) -> list[list[str]]:
    return [[word.replace("~", "\u00a0") for word in words] for words in case["words"]]


def test_variables_can_be_given() -> None:
    made = gone_through("N=${N:-1}\nrun $N $M", N="4", M="2")
    assert made.commands == [["run", "4", "2"]]


def test_files_that_a_script_writes_are_kept() -> None:
    made = gone_through("B=8\ncat > conf/a.yaml <<EOF\nsize: $B\nEOF\ncat <<-'EOF' | tee b.yaml >/dev/null\n\tx: $B\n\tEOF\n")
    assert made.files["conf/a.yaml"] == "size: 8\n"


@pytest.mark.parametrize(
    "text",
    ["f() { f; f; }; f", "x=a; for i in 1 2 3 4 5 6 7 8; do x=$x$x$x$x$x$x$x$x; done; run $x", "eval 'eval \"$0\"'", "if ["],
)
def test_a_script_without_an_end_ends(text: str) -> None:
    made = gone_through(text)
    assert sum(len(word) for words in made.commands for word in words) < 1_000_000


def test_files_lie_beside_the_script_or_above_it(tmp_path: Path) -> None:
    script = tmp_path / "examples" / "one" / "run.sh"
    script.parent.mkdir(parents=True)
    (tmp_path / "env.sh").write_text("A=1")
    (script.parent / "model.sh").write_text("B=2")
    read = beside(script)
    assert (read("env.sh"), read("./model.sh"), read("../../env.sh")) == ("A=1", "B=2", "A=1")
    assert read('$(cd\u00a0--\u00a0"$(dirname\u00a0"$0")"\u00a0&&\u00a0pwd)/model.sh') == "B=2"
    assert read("$ROOT/env.sh") == "A=1" and read("${ROOT}/../env.sh") == "A=1"
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.sh").write_text("C=3")
    (tmp_path / "lib" / "b.sh").write_text("D=4")
    assert read("b.sh") is None
    assert read("/root/repo/lib/a.sh") == "C=3" and read("$(dirname\u00a0$0)/b.sh") == "D=4"
    assert read("none.sh") is None and read("$0") is None and read("") is None
