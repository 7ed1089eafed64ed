"""Workflows and issue forms are valid, pinned, and allowed no more than they need."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
# actions/checkout@<40 hex> # v7.0.1
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
by_name = pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)


def read(file: Path) -> dict[str, Any]:
    """A workflow; its `on` is not YAML 1.1's word for true."""
    data = yaml.safe_load(file.read_text(encoding="utf-8"))
    return {"on" if key is True else key: value for key, value in data.items()}


def steps(file: Path) -> Iterator[dict[str, Any]]:
    for job in read(file)["jobs"].values():
        yield from job.get("steps", [])


def run(tool: str, *arguments: str) -> None:
    command = [Path(sys.executable).parent / tool, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("github-workflows", "workflows/*.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/[!c]*.yml"),
        ("github-issue-config", "ISSUE_TEMPLATE/config.yml"),
        ("dependabot", "dependabot.yml"),
    ],
)
def test_files_fit_the_schema(schema: str, pattern: str) -> None:
    files = [str(file) for file in GITHUB.glob(pattern)]
    assert files
    run("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *files)


def test_a_scanner_for_insecure_workflows_finds_nothing() -> None:
    run("zizmor", "--offline", "--no-progress", "--min-severity", "medium", str(GITHUB))


@by_name
def test_every_action_is_pinned_to_a_commit_with_its_version(file: Path) -> None:
    uses = re.findall(r"\buses: (.+)", file.read_text(encoding="utf-8"))
    assert [one for one in uses if not one.startswith("./") and not PINNED.fullmatch(one)] == []


def test_one_version_of_each_action() -> None:
    used = {line for file in WORKFLOWS for line in re.findall(r"uses: ([^.].+)", file.read_text(encoding="utf-8"))}
    assert len(used) == len({line.partition("@")[0] for line in used}), sorted(used)


@by_name
def test_only_jobs_may_write(file: Path) -> None:
    workflow = read(file)
    assert workflow["permissions"] == {"contents": "read"}
    writers = [name for name, job in workflow["jobs"].items() if "write" in job.get("permissions", {}).values()]
    allowed = {"pages.yml": ["deploy"], "release.yml": ["publish", "package"], "freshness.yml": ["compare"]}
    assert writers == allowed.get(file.name, [])


@by_name
def test_jobs_end_and_keep_no_token(file: Path) -> None:
    for name, job in read(file)["jobs"].items():
        assert "uses" in job or job["timeout-minutes"] <= 240, name
    for step in steps(file):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@by_name
def test_scripts_parse_and_take_nothing_from_expressions(file: Path) -> None:
    for script in (step["run"] for step in steps(file) if "run" in step):
        assert "${{" not in script, "hand it over in env: an expression is pasted into the script as code"
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{script}\n{done.stderr}"


@by_name
def test_make_targets_exist(file: Path) -> None:
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    called = {name for step in steps(file) for name in re.findall(r"\bmake ([a-z-]+)", step.get("run", ""))}
    assert called <= known


def test_hooks_before_a_commit_run_what_ci_runs() -> None:
    run("pre-commit", "validate-config", ".pre-commit-config.yaml")
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    jobs = read(GITHUB / "workflows/ci.yml")["jobs"]
    hooks = [hook["entry"] for hook in repository["hooks"]]
    # The fast tests begin with what `make check` does.
    assert [one.replace("make test FAST=1", "make check") for one in hooks] == [
        step["run"] for step in jobs["check"]["steps"] if "run" in step
    ]


def test_main_is_published_only_after_every_check() -> None:
    assert read(GITHUB / "workflows/ci.yml")["on"].keys() == {"pull_request", "workflow_call"}
    jobs = read(GITHUB / "workflows/pages.yml")["jobs"]
    assert jobs["ci"]["uses"] == "./.github/workflows/ci.yml"
    assert jobs["deploy"]["needs"] == ["ci", "build"]
