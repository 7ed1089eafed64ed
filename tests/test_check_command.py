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


PPO = "python3 -m openrlhf.cli.train_ppo_ray "
VERL = "python3 -m verl.trainer.main_ppo data.train_batch_size=64 actor_rollout_ref.actor.ppo_mini_batch_size=32"
MICRO = " actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4"


@pytest.mark.parametrize(
    ("text", "options", "code", "says"),
    [
        (VERL + MICRO, (), 0, "No rule fails."),
        (VERL, (), 1, "Please set at least one of 'actor.ppo_micro_batch_size'"),
        (
            VERL.replace("main_ppo", "sft_trainer"),
            (),
            3,
            "Starts verl.trainer.sft_trainer: none of the rules here is about it.",
        ),
        (
            VERL + MICRO + " trainer.n_gpus_per_node=$GPUS",
            (),
            3,
            "Not known: trainer: n_gpus_per_node = $GPUS. Needed for",
        ),
        (VERL + MICRO + " trainer.n_gpus_per_node=$GPUS", ("--env", "GPUS=8"), 0, "Data-parallel size: 8"),
        (VERL + " trainer.n_gpus_per_node=$GPUS", (), 1, "Not known: trainer"),
        (
            VERL + MICRO + " model_engine=automodel",
            (),
            3,
            "Data-parallel size of the training engine. Needed for V26, V27, V28, V16, V14",
        ),
        (VERL + MICRO + " model_engine=automodel", ("--set", "engine_dp=4"), 0, "No rule fails."),
        (VERL + MICRO + " model_engine=automodel", ("--set", "engine_dp=16"), 1, "data size must be divisible by"),
        (
            "defaults: [ppo_trainer]\nactor_rollout_ref:\n  actor: {ppo_mini_batch_size: 32}\ndata: {train_batch_size: 64}\n",
            (),
            3,
            "Not known",
        ),
        ("python3 -m openrlhf.cli.train_sft --micro_batch_size 2", (), 3, "none of the rules here is about it"),
        (PPO + "--actor.num_gpus_per_node 4 --vllm.num_engines 4 --train.colocate_all", (), 1, "when colocate actor"),
        (PPO + "--actor_num_gpus_per_node 4 --vllm_num_engines 4 --colocate_all_models", (), 1, "when colocate actor"),
        (PPO + "--train_batch_size=100 --vllm_num_engines 8", ("--release", "v0.9.0"), 1, "100 != 1 * 12 * 8"),
        (PPO + "--algo.kl.init_coef 0 --vllm.num_engines 8", (), 0, "No rule fails."),
        ("python3 my.py --rollout-batch-size 32 --global-batch-size 64", ("--framework", "slime"), 1, "num_rollouts (32) <"),
        ("python3 train.py \\\n --actor-num-nodes 1\n --rollout-batch-size 8", (), 3, "begins a command of its own"),
    ],
)
def test_what_is_known_is_judged_and_what_is_open_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, options: tuple[str, ...], code: int, says: str
) -> None:
    file = tmp_path / "run.sh"
    file.write_text(text)
    assert main(["check", str(file), "--lang", "en", *options]) == code
    assert says in capsys.readouterr().out


def test_files_that_a_script_names_are_read_where_they_lie(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "base.yaml").write_text(
        "runtime_args: {train_backend: fsdp, sample_per_episode: 64, train_global_batch_size: 64}\n"
    )
    (tmp_path / "env.sh").write_text("gpus=5\n")
    script = tmp_path / "scripts" / "run.sh"
    script.parent.mkdir()
    script.write_text(
        "#!/bin/bash\nsource env.sh\n"
        "python chatlearn/entrypoint.py grpo --config-file conf/base.yaml models.policy_trainer.num_gpu=$gpus\n"
    )
    assert main(["check", str(script), "--json"]) == 1
    made = json.loads(capsys.readouterr().out)
    assert made["settings"]["sample_per_episode"] == "64" and made["missing_files"] == []
    assert made["program"] == "chatlearn/entrypoint.py" and made["findings"][0]["rule"] == "C3"
    (tmp_path / "conf" / "base.yaml").unlink()
    assert main(["check", str(script), "--json"]) == 3
    made = json.loads(capsys.readouterr().out)
    assert made["missing_files"] == ["conf/base.yaml"] and made["findings"] == []
    assert made["open"]["sample_per_episode"] == {"text": None, "rules": made["open"]["sample_per_episode"]["rules"]}


def test_the_rules_of_a_release_can_be_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.sh"
    file.write_text(VERL + MICRO.replace("=4", "=3"))
    assert main(["check", str(file), "--lang", "en", "--release", "v0.9.0"]) == 1
    assert "verl v0.9.0" in capsys.readouterr().out
    assert main(["check", str(file), "--lang", "en", "--release", "v0.1"]) == 0
    assert main(["check", str(file), "--lang", "en", "--release", "v9"]) == 2
    assert "v9 is not one of" in capsys.readouterr().err


def test_the_worst_of_several_files_decides(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("open.sh", "fires.sh", "fine.sh")]
    for file, text in zip(files, (VERL + MICRO + " trainer.nnodes=$N", VERL, VERL + MICRO), strict=True):
        file.write_text(text)
    assert main(["check", *map(str, files)]) == 1
    assert main(["check", str(files[0]), str(files[2])]) == 3


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
