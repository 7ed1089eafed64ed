"""The command that judges the settings of a run, and the check of the calculators' own formulas."""

import json
from pathlib import Path

import pytest

from fieldguide.__main__ import main
from fieldguide.content.checks.calculators import check_calculators
from fieldguide.content.guide import load_guide

GOOD = "rollout_batch_size=64\nnum_return_sequences_in_group=8\nactor_train.device_mapping=list(range(0,8))\n" + (
    "actor_infer.device_mapping=list(range(0,8))\nactor_train.training_args.per_device_train_batch_size=1\n"
)


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ("", 0, "No rule fails."),
        ("actor_train.training_args.gradient_accumulation_steps=48\n", 1, "AssertionError: 64 % 48 != 0"),
        ("rollout_batch_size=many\n", 2, "rollout_batch_size: many is not a number."),
        ("rollout_batch_size=${x}\n", 3, "Not known: rollout_batch_size = ${x}. Needed for"),
        ("rollout_batch_sizes=1\n", 0, "Did you mean"),
    ],
)
def test_the_command_checks_a_config(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str, code: int, says: str
) -> None:
    file = tmp_path / "config.txt"
    text = GOOD.replace("rollout_batch_size=64\n", "") if change.startswith("rollout_batch_sizes") else GOOD
    file.write_text(text + change)
    assert main(["check", str(file), "--lang", "en"]) == code
    assert says in capsys.readouterr().out


def test_the_command_says_what_it_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "config.yaml"
    assert main(["check", str(file)]) == 2
    file.write_text("a: [1\n")
    assert main(["check", str(file), "--lang", "en"]) == 2
    file.write_text("a: 1\n")
    assert main(["check", str(file), "--framework", "roll", "--set", "no_such=1", "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert "No such file" in said and "Not valid YAML: line" in said and "There is no input no_such" in said


def test_the_command_answers_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "config.txt"
    file.write_text(GOOD)
    assert main(["check", "--json", str(file), "--set", "nodes=2"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["framework"] == "roll" and made["problems"] == {} and made["settings"]["nodes"] == "2"
    assert {one["name"]: one["value"] for one in made["numbers"]}["samples"] == 512


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("alpha_gpus % 2", "gpus % 2", "nothing is called 'gpus'"),
        ("at: 2", "at: 1", "stand at the same position 1"),
        ("key: max_tokens", "key: max_token", "has no key 'max_token'"),
    ],
)
def test_a_calculator_that_does_not_hold_together_is_named(small: Path, old: str, new: str, fault: str) -> None:
    (small / "catalog" / "calculators").mkdir()
    calculator = (
        "calculators:\n  - framework: alpha\n    programs: [train.py]\n    inputs:\n      - {name: alpha_gpus, start: 8}\n"
        "      - {name: tokens, key: max_tokens}\n    quantities: []\n"
    )
    rule = (
        "  - id: A7\n    framework: alpha\n    cases:\n      - {at: 1, check: 'alpha_gpus % 2 == 0'}\n"
        "      - {at: 2, check: 'tokens > 0'}\n    when: init\n    entry: alpha-oom\n    source: {repo: alpha, path: a.py}\n"
    )
    rules = small / "catalog" / "rules" / "alpha.yml"
    rules.write_text(rules.read_text() + rule.replace(old, new))
    file = small / "catalog" / "calculators" / "alpha.yml"
    file.write_text(calculator)
    if old not in rule:
        file.write_text(calculator.replace(old, new))
    problems = [problem.message for problem in check_calculators(load_guide(small))]
    assert len(problems) == 1 and fault in problems[0]
