"""Keys from source: every way upstream declares them, in tiny git repositories."""

import subprocess
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
import yaml

from fieldguide.extract import Clone, GitError, extract
from tests.conftest import ROOT

UPSTREAM = ROOT / "tests" / "fixtures" / "upstream"
GOLDEN = {"classes": "chatlearn", "argparse": "slime", "hydra": "verl"}


def git(repository: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(repository), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def upstream(tmp_path: Path) -> Callable[[str], Path]:
    """Makes a clone whose first commit, tagged v1.0.0, holds the files of a fixture."""

    def make(name: str) -> Path:
        repository = tmp_path / name
        repository.mkdir()
        git(repository, "init", "--quiet", "--initial-branch=main")
        for file in (UPSTREAM / name).rglob("*.*"):
            copy = repository / file.relative_to(UPSTREAM / name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
        git(repository, "add", ".")
        git(repository, "commit", "--quiet", "--message=one")
        git(repository, "tag", "v1.0.0")
        return repository

    return make


@pytest.mark.parametrize("name", GOLDEN)
def test_declarations_are_those_of_the_golden_file(upstream: Callable[[str], Path], name: str) -> None:
    with Clone(upstream(name)) as clone:
        found = extract(GOLDEN[name], clone.tree("v1.0.0"))
    records = [
        {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(one).items() if value}
        | {"kind": one.kind.value}
        for one in found.declared
    ]
    made = yaml.safe_dump(records, sort_keys=False, allow_unicode=True, width=1000)
    golden = UPSTREAM / f"{name}.golden.yml"
    assert made == golden.read_text(encoding="utf-8"), f"look at the difference, then write {golden} anew:\n{made}"
    assert found.problems == ()


def test_a_folder_that_is_no_clone(tmp_path: Path) -> None:
    with pytest.raises(GitError, match=r"nowhere: no such folder"):
        Clone(tmp_path / "nowhere")
    with pytest.raises(GitError, match=r"not a git clone \(not a git repository"):
        Clone(tmp_path)
    with pytest.raises(GitError, match="not a git clone"):
        Clone(ROOT / "docs")  # a folder inside another repository is not one either


def test_a_revision_that_is_not_there_names_the_tags(upstream: Callable[[str], Path]) -> None:
    with Clone(upstream("argparse")) as clone, pytest.raises(GitError, match=r"no revision 'v9'; newest tags: v1\.0\.0"):
        clone.tree("v9")


def test_a_file_that_no_longer_parses_is_named_and_the_others_are_read(upstream: Callable[[str], Path]) -> None:
    repository = upstream("argparse")
    (repository / "slime/utils/arguments.py").write_text("def f(:\n", encoding="utf-8")
    git(repository, "commit", "--quiet", "--all", "--message=two")
    with Clone(repository) as clone:
        found = extract("slime", clone.tree("main"))
    assert found.problems == ("slime/utils/arguments.py:1: not valid Python: invalid syntax",)
    assert [one.name for one in found.declared] == ["sglang_server_concurrency"]


def test_yaml_that_no_longer_parses_is_named(upstream: Callable[[str], Path]) -> None:
    repository = upstream("hydra")
    (repository / "verl/trainer/config/actor/actor.yaml").write_text("a: 1\n b: [\n", encoding="utf-8")
    git(repository, "commit", "--quiet", "--all", "--message=two")
    with Clone(repository) as clone:
        found = extract("verl", clone.tree("main"))
    assert [problem.split(": ")[0] for problem in found.problems] == ["verl/trainer/config/actor/actor.yaml:2"]


@pytest.mark.parametrize(
    ("name", "moved", "said"),
    [
        ("argparse", "slime/utils/arguments.py", ["no file slime/utils/arguments.py at"]),
        ("classes", "chatlearn/algorithm/grpo.py", ["no file chatlearn/algorithm/grpo.py", "no dataclass GrpoConfig"]),
        ("hydra", "verl/trainer/config/_generated_ppo_trainer.yaml", ["no file verl/trainer/config/_generated_ppo_t"]),
    ],
)  # fmt: skip
def test_a_configuration_that_moved_is_named(upstream: Callable[[str], Path], name: str, moved: str, said: list[str]) -> None:
    repository = upstream(name)
    git(repository, "mv", moved, "elsewhere")
    git(repository, "commit", "--quiet", "--message=two")
    with Clone(repository) as clone:
        found = extract(GOLDEN[name], clone.tree("main"))
    assert found.declared, "what is still in its place is extracted"
    for text in said:
        assert any(problem.startswith(text) for problem in found.problems), found.problems
