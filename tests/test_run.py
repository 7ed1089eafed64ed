"""The logs of a whole run: what failed first in runs of real programs, and what bad input is told.

`tests/runs/<name>/answer.json` is the whole answer but for what the guide's pages say; who reads runs in another language is
held to the same. `RUN_GOLDENS=1` writes them anew.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from fieldguide.content.compile import compile_guide, compile_run
from fieldguide.content.guide import load_guide
from fieldguide.runtime.guide import Answers, Guide, Method, read_answers
from fieldguide.runtime.run.answer import Run, as_record, entry_of
from fieldguide.runtime.run.collect import collect
from fieldguide.runtime.run.failure import judge
from fieldguide.runtime.run.read import in_one_year, read_all
from fieldguide.runtime.run.rules import RunRules, as_rules
from fieldguide.runtime.run.text import as_text
from tests.conftest import ROOT
from tests.runs import RecordedRun, load_runs

RUNS = load_runs()
# What new entries and other words change.
OF_THE_GUIDE = ("findings", "nearest", "report")


@pytest.fixture(scope="module")
def rules() -> RunRules:
    return as_rules(json.loads(json.dumps(compile_run(load_guide(ROOT).catalog))))


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    folder = tmp_path_factory.mktemp("compiled")
    made = compile_guide(load_guide(ROOT)).answers["en"]
    (folder / "en.json").write_text(json.dumps(made), encoding="utf-8")
    return read_answers(folder, "en")


def answer(paths: list[str], guide: Guide, rules: RunRules, answers: Answers) -> dict[str, Any]:
    collected = collect(paths, rules)
    files, skipped = read_all(collected.members, guide, rules, Path(), processes=1)
    collected.skipped += skipped
    files = in_one_year(files)
    run = Run(files, collected, judge(files, rules))
    return as_record(run, guide, answers, entry_of(run, guide))


def test_there_are_enough_runs() -> None:
    recorded = [run for run in RUNS if not run.name.startswith("report-")]
    assert len(recorded) >= 12 and len(RUNS) - len(recorded) >= 8
    cases = yaml.safe_load((ROOT / "tests/upstream/runs/cases.yml").read_text(encoding="utf-8"))["cases"]
    assert {run.name for run in recorded} == {case["name"] for case in cases}


@pytest.mark.parametrize("run", RUNS, ids=[run.name for run in RUNS])
def test_what_failed_first(
    run: RecordedRun, compiled: Guide, rules: RunRules, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(run.logs.parent)
    record = answer(["logs"], compiled, rules, answers)
    assert run.differences(record) == []
    golden = {name: one for name, one in record.items() if name not in OF_THE_GUIDE}
    golden["failure"] = {name: one for name, one in record["failure"].items() if name not in ("entry", "method")}
    file = run.logs.parent / "answer.json"
    if os.environ.get("RUN_GOLDENS"):
        file.write_text(json.dumps(golden, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert golden == json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_answer_in_words(language: str, compiled: Guide, rules: RunRules, answers: Answers) -> None:
    words = {**load_guide(ROOT).words[language]}
    there = Answers(language, answers.entries, words, {way: Method(way, way) for way in rules.ways})
    for run in RUNS:
        record = answer([str(run.logs)], compiled, rules, there)
        shown = as_text(record, there, rules.limits["folded"], colour=False)
        assert words["run_first"] in shown and words["run_how_" + record["failure"]["how"]] in shown
        assert "\x1b" not in shown


def test_processes_read_what_one_reads(compiled: Guide, rules: RunRules, monkeypatch: pytest.MonkeyPatch) -> None:
    from fieldguide.content.compiled import compiled_folder
    from fieldguide.runtime.run import read

    members = collect([str(RUNS[0].logs)], rules).members
    alone = read_all(members, compiled, rules, Path(), processes=1)
    monkeypatch.setattr(read, "PARALLEL", 0)
    assert read_all(members, compiled, rules, compiled_folder(ROOT), processes=2) == alone


def test_a_run_in_pieces_tells_the_same(compiled: Guide, rules: RunRules, monkeypatch: pytest.MonkeyPatch) -> None:
    from fieldguide.runtime.run import read

    (run,) = (one for one in RUNS if one.name == "torch-exception")
    members = collect([str(run.logs)], rules).members
    whole, _ = read_all(members, compiled, rules, Path(), processes=1)
    monkeypatch.setattr(read, "CHUNK", 977)
    pieces, _ = read_all(members, compiled, rules, Path(), processes=1)
    first = [one for one in (judge(pieces, rules).first, judge(whole, rules).first) if one]
    assert [(one.how, one.process.who.rank, one.time) for one in first] == [("raised", 1, first[0].time)] * 2
