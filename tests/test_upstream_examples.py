"""The look at what the frameworks ship: files of a revision, told apart by what becomes of them."""

import subprocess
from pathlib import Path

import pytest
import yaml

from fieldguide.content.compile import lookup_guide
from fieldguide.content.guide import load_guide
from tests.conftest import ROOT
from tests.upstream.examples.__main__ import FAULTS, Seen, clone_of, faults, look, row, share
from tests.upstream.examples.batch import sets_batches

FILES = {
    "examples/fine.sh": "python3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 --global-batch-size 256\n",
    "examples/fires.sh": "python3 train.py --rollout-batch-size 8 --global-batch-size 256\n",
    "examples/other.sh": "python3 tools/convert.py --rollout-batch-size 8 --n-samples-per-prompt 8\n",
    "scripts/open.sh": "python3 train.py --rollout-batch-size $SIZE\n",
    "scripts/model.sh": "echo nothing\n",
    "src/left_out.sh": "python3 train.py --rollout-batch-size 8 --global-batch-size 256\n",
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "THUDM+slime"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"], ["tag", "v0.3.1"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    return folder


def test_files_of_a_release_are_told_apart(clone: Path) -> None:
    catalog = load_guide(ROOT).catalog
    slime = catalog.framework["slime"]
    assert clone_of(clone.parent, slime.repository) == clone
    seen = {one.path: one for one in look(lookup_guide(catalog), slime, "v0.3.1", clone, "v0.3.1")}
    assert {path: one.kind for path, one in seen.items()} == {
        "examples/fine.sh": "fine", "examples/fires.sh": "alarm", "examples/other.sh": "other", "scripts/open.sh": "open",
        "scripts/model.sh": "unread",
    }  # fmt: skip
    assert "num_rollouts (8) < global_batch_size (256)" in seen["examples/fires.sh"].said
    assert share([*seen.values()]) == 1 and row(slime, "v0.3.1", [*seen.values()]).startswith(
        "| slime | v0.3.1 | 5 | 4 | 4 | 1 |"
    )


def test_what_is_missed_counts() -> None:
    assert (
        share([Seen("a", "unread", True, False, ""), Seen("b", "fine", True, True, ""), Seen("c", "unread", False, False, "")])
        == 0.5
    )


@pytest.mark.parametrize(
    ("text", "sets"),
    [
        ("  --rollout-batch-size 8 \\", True),
        ("data.train_batch_size=${N:-8}", True),
        ("rollout_batch_size: 8", True),
        ("# --rollout-batch-size 8", False),
        ("echo rollout batch size", False),
    ],
)
def test_a_batch_size_is_told_by_its_text(text: str, sets: bool) -> None:
    assert sets_batches(text) is sets


def test_faults_name_a_rule_and_a_reason() -> None:
    catalog = load_guide(ROOT).catalog
    listed = yaml.safe_load(FAULTS.read_text(encoding="utf-8"))["faults"]
    rules = {(rule.record.framework, rule.record.id) for rule in catalog.rules}
    assert all((one["framework"], one["rule"]) in rules and one["why"] for one in listed)
    assert len(faults()) == sum(len(one["releases"]) * len(one["paths"]) for one in listed)
