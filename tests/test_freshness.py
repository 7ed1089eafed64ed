"""The weekly job's script, with a `gh` that writes down what it is asked and clones from a folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.clones import Setting, make_setting
from tests.conftest import ROOT
from tests.test_verify import three_edits

GH = """#!/usr/bin/env bash
echo "gh $*" >> "$LOG"
case "$1 $2" in
  "repo clone") exec git clone --quiet --no-checkout "$UPSTREAM/${3/\\//+}" "$4" ;;
  "issue list") cat "$OPEN" ;;
  "issue create" | "issue edit") cp "${@: -1}" "$BODY" ;;
esac
"""


@pytest.fixture
def setting(tmp_path: Path, small: Path) -> Setting:
    """A guide with one framework, so that every clone the script asks for exists."""
    setting = make_setting(tmp_path, small)
    pins = small / "catalog" / "frameworks.yml"
    data = yaml.safe_load(pins.read_text(encoding="utf-8"))
    first, second = data["frameworks"]
    second |= {"repository": first["repository"], "commit": first["commit"]}
    pins.write_text("frameworks:\n" + yaml.safe_dump(data["frameworks"]) + "libraries: []\nprograms: []\n", encoding="utf-8")
    for file in ("entries/memory/alpha-oom.yml", "entries/memory/beta-oom.yml", "keys/beta.yml"):
        path = small / "catalog" / file
        path.write_text(path.read_text(encoding="utf-8").replace("of: torch", "of: alpha"), encoding="utf-8")
        path.write_text(path.read_text(encoding="utf-8").replace("beta/args.py", "alpha/args.py"), encoding="utf-8")
        path.write_text(path.read_text(encoding="utf-8").replace("line: 9", "line: 1"), encoding="utf-8")
    return setting


def run(setting: Setting, tmp_path: Path, open_issue: str = "") -> tuple[subprocess.CompletedProcess[str], list[str], str]:
    """Run the script; returns what it did, the calls of gh and the body of the issue."""
    tools = tmp_path / "bin"
    tools.mkdir(exist_ok=True)
    (tools / "gh").write_text(GH)
    (tools / "gh").chmod(0o755)
    log, body, listed = tmp_path / "log", tmp_path / "body", tmp_path / "open"
    listed.write_text(open_issue)
    log.unlink(missing_ok=True)
    environment = os.environ | {
        "PATH": f"{tools}:{os.environ['PATH']}",
        "LOG": str(log),
        "BODY": str(body),
        "OPEN": str(listed),
        "UPSTREAM": str(setting.clones),
        "PYTHONPATH": str(ROOT),
    }
    # The command works on its own checkout; here that is the made-up guide.
    python = tools / "python"
    python.write_text(f'#!/usr/bin/env bash\nexec {sys.executable} -m fieldguide --root . "${{@:3}}"\n')
    python.chmod(0o755)
    done = subprocess.run(
        ["bash", str(ROOT / "scripts" / "freshness.sh"), str(tmp_path / "work"), str(python)],
        cwd=setting.root, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    calls = [line for line in log.read_text().splitlines() if not line.startswith("gh issue list")]
    return done, calls, body.read_text() if body.exists() else ""


def test_nothing_changed_leaves_no_issue(setting: Setting, tmp_path: Path) -> None:
    done, calls, _ = run(setting, tmp_path)
    assert done.returncode == 0, done.stderr
    assert [call.split()[1:4] for call in calls] == [["repo", "clone", "example/alpha"]]


def test_a_change_opens_one_issue_with_the_table(setting: Setting, tmp_path: Path) -> None:
    three_edits(setting)
    done, calls, body = run(setting, tmp_path)
    assert done.returncode == 0, done.stderr
    assert [call.split()[1:3] for call in calls] == [["repo", "clone"], ["label", "create"], ["issue", "create"]]
    assert "| What | Where | Was | Now | Cited by |" in body and "default changed" in body


def test_the_open_issue_is_brought_up_to_date_and_closed_in_the_end(setting: Setting, tmp_path: Path) -> None:
    first = (setting.root / "catalog" / "frameworks.yml").read_text(encoding="utf-8")
    run(setting, tmp_path, "7\n")
    three_edits(setting)
    done, calls, body = run(setting, tmp_path, "7\n")
    assert done.returncode == 0 and body == "", "the clone of the first run is not fetched again"
    assert [call.split()[1:4] for call in calls] == [["issue", "close", "7"]]
    for path in (tmp_path / "work").iterdir():
        subprocess.run(["git", "-C", str(path), "fetch", "--quiet", "origin", "+main:main", "-u"], check=True)
    done, calls, body = run(setting, tmp_path, "7\n")
    assert [call.split()[1:4] for call in calls] == [["issue", "edit", "7"]] and "3 changed upstream" in body
    assert (setting.root / "catalog" / "frameworks.yml").read_text(encoding="utf-8") == first, "the job changes no file"


def test_faults_of_the_catalog_fail_the_job(setting: Setting, tmp_path: Path) -> None:
    (setting.root / "catalog" / "rules" / "alpha.yml").write_text("rules: [{id: A1}]\n")
    done, calls, _ = run(setting, tmp_path)
    assert done.returncode == 1 and "catalog/rules/alpha.yml:1" in done.stderr
    assert [call.split()[1] for call in calls] == ["repo"]


def test_the_workflow_may_only_read_code_and_write_issues() -> None:
    text = (ROOT / ".github" / "workflows" / "freshness.yml").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["jobs"]["compare"]["permissions"] == {"contents": "read", "issues": "write"}
    assert "schedule" in workflow[True] and "workflow_dispatch" in workflow[True]
    assert "scripts/freshness.sh" in text
