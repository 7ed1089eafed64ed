"""Keys from source: every way upstream declares them, in tiny git repositories."""

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
import yaml

from fieldguide.__main__ import main
from fieldguide.content.catalog.models import Key, KeyKind, Source
from fieldguide.content.guide import load_guide
from fieldguide.upkeep.extract import Clone, GitError, extract
from fieldguide.upkeep.extract.command import versions
from fieldguide.upkeep.extract.history import label
from fieldguide.upkeep.extract.usage import used
from fieldguide.upkeep.verify.defaults import declared, same_default
from tests.conftest import ROOT

UPSTREAM = ROOT / "tests" / "fixtures" / "upstream"
GOLDEN = {"classes": "chatlearn", "argparse": "slime", "hydra": "verl", "grouped": "openrlhf"}


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


@pytest.mark.parametrize("name", GOLDEN)
def test_what_is_extracted_is_what_the_check_reads(upstream: Callable[[str], Path], name: str) -> None:
    """`make keys` writes a default and `make verify` looks it up again: both must read a declaration alike."""
    with Clone(upstream(name)) as clone:
        tree = clone.tree("v1.0.0")
        differing = []
        for one in extract(GOLDEN[name], tree).declared:
            found = declared(one.path, tree.text(one.path), one.line, one.name.rpartition(".")[2])
            if found and one.default is not None and not same_default(found.default, one.default):
                differing.append((one.name, one.default, found.default))
    assert not differing


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
        assert any(one.startswith(text) for one in (*found.problems, *found.absent)), found


# ---- the command: history, merge, what survives ----------------------------------------------------------------------

CONFIG = "chatlearn/configs/model.py"


@pytest.fixture
def checkout(tmp_path: Path, upstream: Callable[[str], Path]) -> tuple[Path, Path]:
    """A guide that knows ChatLearn at the first of three tags, and upstream at the third.

    v1.1.0 takes `num_gpu` away, adds `num_gpus` with the same help, and `fresh`; v1.2.0 takes `twice` away.
    """
    repository = upstream("classes")
    file = repository / CONFIG
    text = file.read_text(encoding="utf-8")
    for tag, changed in (
        ("v1.1.0", text.replace("num_gpu:", "num_gpus:") + "    fresh: int = 3\n"),
        ("v1.2.0", re.sub(r"    twice.*\n", "", text.replace("num_gpu:", "num_gpus:")) + "    fresh: int = 4\n"),
    ):
        file.write_text(changed, encoding="utf-8")
        git(repository, "commit", "--quiet", "--all", f"--message={tag}")
        git(repository, "tag", tag)
    with Clone(repository) as clone:
        pinned = clone.commit("v1.2.0")
    root = tmp_path / "guide"
    for folder in ("catalog/keys", "docs/en", "docs/zh"):
        (root / folder).mkdir(parents=True)
    shutil.copytree(ROOT / "locales", root / "locales")
    (root / "catalog" / "frameworks.yml").write_text(FRAMEWORK.format(commit=pinned), encoding="utf-8")
    (root / "catalog" / "keys" / "chatlearn.yml").write_text(BY_HAND, encoding="utf-8")
    return root, repository


FRAMEWORK = """frameworks:
  - id: chatlearn
    name: ChatLearn
    prefix: chatlearn
    glossary: chatlearn
    color: "#b3541e"
    color_dark: "#f2aa7f"
    repository: alibaba/ChatLearn
    commit: {commit}
    date: "2026-01-01"
    releases:
      - {{tag: v0.9.0, date: "2025-01-01"}}
      - {{tag: v1.0.0, date: "2025-02-01"}}
      - {{tag: v1.1.0, date: "2025-03-01"}}
      - {{tag: v1.2.0, date: "2025-04-01"}}
libraries: []
"""
BY_HAND = """# Looked up by hand.
keys:
  - name: names
    id: chatlearn-names-by-hand
    kind: yaml
    type: list
    paths: [models.*.names, elsewhere.names]
    spellings: [the-names]
    group: people
    since: v0.5.0
    source: {repo: chatlearn, path: chatlearn/configs/model.py, line: 1, contains: "names: List[str] = field("}
  - name: MASTER_ADDR
    kind: env
    type: str
    group: environment
    source: {repo: chatlearn, path: chatlearn/launcher.py, line: 7}
"""


def keys_of(root: Path) -> dict[str, dict[str, object]]:
    text = (root / "catalog" / "keys" / "chatlearn.yml").read_text(encoding="utf-8")
    records = yaml.safe_load(text)["keys"]
    return {record.get("id", record["name"]): record for record in records}


def command(root: Path, repository: Path, *more: str) -> int:
    return main(["--root", str(root), "keys", "chatlearn", str(repository), *more])


def test_what_people_wrote_survives_and_upstream_states_the_facts(checkout: tuple[Path, Path]) -> None:
    root, repository = checkout
    assert command(root, repository) == 0
    text = (root / "catalog" / "keys" / "chatlearn.yml").read_text(encoding="utf-8")
    assert text.startswith("# Looked up by hand.\nkeys:\n  - name: names\n    id: chatlearn-names-by-hand\n")
    key = keys_of(root)["chatlearn-names-by-hand"]
    assert key == {
        "name": "names", "id": "chatlearn-names-by-hand", "kind": "yaml", "type": "List[str]", "default": '["a", "b"]',
        "paths": ["models.*.names", "elsewhere.names"], "spellings": ["the-names"], "group": "people", "since": "v0.5.0",
        "declared": "ModelConfig",
        "source": {"repo": "chatlearn", "path": CONFIG, "line": 23, "contains": "names: List[str] = field("},
    }  # fmt: skip
    assert keys_of(root)["MASTER_ADDR"]["source"] == {"repo": "chatlearn", "path": "chatlearn/launcher.py", "line": 7}


def test_a_second_run_changes_nothing(checkout: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    root, repository = checkout
    file = root / "catalog" / "keys" / "chatlearn.yml"
    assert command(root, repository) == 0
    once = file.read_bytes(), file.stat().st_mtime_ns
    assert command(root, repository) == 0
    assert (file.read_bytes(), file.stat().st_mtime_ns) == once
    assert "0 keys new, 0 changed, 0 newly removed\ncatalog/keys/chatlearn.yml: 17 keys, as before" in capsys.readouterr().out


def test_history_says_since_removed_and_renamed(checkout: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    root, repository = checkout
    assert command(root, repository) == 0
    assert "no revision 'v0.9.0'; newest tags:" in capsys.readouterr().out
    keys = keys_of(root)
    assert (keys["fresh"]["since"], keys["fresh"]["default"]) == ("v1.1.0", "4")
    assert "since" not in keys["lr"] and "removed" not in keys["lr"]
    gone = keys["num_gpu"]
    assert (gone["removed"], gone["renamed_to"], gone["paths"]) == ("v1.1.0", "models.*.num_gpus", ["models.*.num_gpu"])
    assert gone["source"]["commit"] == "v1.0.0"  # type: ignore[index]
    assert (keys["twice"]["removed"], keys["twice"].get("renamed_to")) == ("v1.2.0", None)


def test_a_version_typed_by_hand_that_the_releases_contradict_is_named_and_replaced(checkout: tuple[Path, Path]) -> None:
    root, repository = checkout
    assert command(root, repository) == 0
    file = root / "catalog" / "keys" / "chatlearn.yml"
    right = file.read_text(encoding="utf-8")
    before, name, after = right.partition("name: fresh\n")
    assert "since: v1.1.0" in after
    file.write_text(before + name + after.replace("since: v1.1.0", "since: v1.2.0", 1), encoding="utf-8")
    with Clone(repository) as clone:
        assert versions(load_guide(root), "chatlearn", clone).differing == ("fresh",)
        assert command(root, repository) == 0
        assert file.read_text(encoding="utf-8") == right
        assert versions(load_guide(root), "chatlearn", clone).differing == ()


def test_a_key_that_disappears_later_stays_as_removed(checkout: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    root, repository = checkout
    assert command(root, repository) == 0
    before = keys_of(root)
    file = repository / CONFIG
    file.write_text(file.read_text(encoding="utf-8").replace("    clip_grad: float = 1.0\n", ""), encoding="utf-8")
    git(repository, "commit", "--quiet", "--all", "--message=after")
    assert command(root, repository, "--rev", "main") == 0
    after = keys_of(root)
    assert list(after) == list(before), "order and ids stay"
    with Clone(repository) as clone:
        assert after["clip_grad"]["removed"] == label(clone.tree("main"))
    assert after["lr"]["source"]["commit"] == "main"  # type: ignore[index]
    assert "clip_grad" in capsys.readouterr().out


def test_the_files_of_an_older_layout_are_read_where_those_of_today_are_missing(upstream: Callable[[str], Path]) -> None:
    repository = upstream("hydra")
    folder = repository / "verl/trainer/config"
    for file in folder.glob("_generated_*.yaml"):
        file.unlink()
    (folder / "ppo_trainer.yaml").write_text("data:\n  # Rows of a step.\n  size: 8\n", encoding="utf-8")
    (folder / "ppo_megatron_trainer.yaml").write_text("data:\n  size: 8\nactor:\n  depth: 2\n", encoding="utf-8")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=two")
    with Clone(repository) as clone:
        found = extract("verl", clone.tree("main"))
    assert [(one.paths, one.default, one.help) for one in found.declared] == [
        (("data.size",), "8", "Rows of a step."), (("actor.depth",), "2", None),
    ]  # fmt: skip


def test_an_old_revision_gives_its_facts_and_takes_nothing_away(checkout: tuple[Path, Path]) -> None:
    root, repository = checkout
    assert command(root, repository) == 0
    now = keys_of(root)
    assert command(root, repository, "--rev", "v1.1.0") == 0
    then = keys_of(root)
    assert list(then) == list(now)
    assert (then["fresh"]["default"], then["fresh"]["source"]["commit"]) == ("3", "v1.1.0")  # type: ignore[index]
    assert then["twice"]["removed"] == "v1.2.0"
    assert command(root, repository) == 0
    assert keys_of(root) == now


def test_bad_input_is_named_and_the_catalog_stays(
    checkout: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, repository = checkout
    before = (root / "catalog" / "keys" / "chatlearn.yml").read_bytes()
    (repository / CONFIG).write_text("class A\n", encoding="utf-8")
    git(repository, "commit", "--quiet", "--all", "--message=broken")
    git(repository, "mv", CONFIG, "elsewhere.py")
    git(repository, "commit", "--quiet", "--all", "--message=moved")
    said = []
    for code, arguments in (
        (2, [str(tmp_path)]),
        (2, [str(repository), "--rev", "v7"]),
        (1, [str(repository), "--rev", "main~1"]),
        (1, [str(repository), "--rev", "main"]),
    ):
        assert main(["--root", str(root), "keys", "chatlearn", *arguments]) == code
        said.append(capsys.readouterr().err)
    assert main(["--root", str(root), "keys", "torch", str(repository)]) == 1
    assert "not a git clone" in said[0]
    assert "no revision 'v7'; newest tags: v1.2.0" in said[1]
    assert f"{CONFIG}:1: not valid Python: expected ':'" in said[2]
    assert "5 declarations in 1 files were extracted; catalog/keys/chatlearn.yml is left as it was" in said[2]
    assert "no file chatlearn/configs/*.py at" in said[3]
    assert "no framework 'torch' to extract; known: chatlearn" in capsys.readouterr().err
    assert (root / "catalog" / "keys" / "chatlearn.yml").read_bytes() == before


def test_most_keys_gone_at_once_is_a_move_until_somebody_says_otherwise(
    checkout: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    root, repository = checkout
    assert command(root, repository) == 0
    before = keys_of(root)
    (repository / CONFIG).write_text("from dataclasses import dataclass\n", encoding="utf-8")
    git(repository, "commit", "--quiet", "--all", "--message=emptied")
    assert command(root, repository, "--rev", "main") == 1
    assert "keys would become 'removed'" in capsys.readouterr().err
    assert keys_of(root) == before
    assert command(root, repository, "--rev", "main", "--many") == 0
    assert {*keys_of(root)} == {*before}


def test_a_clone_of_something_else_is_told_from_an_old_one(
    checkout: tuple[Path, Path], upstream: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(checkout[0], upstream("argparse")) == 2
    assert "of alibaba/ChatLearn is not in it; is it a clone of another repository" in capsys.readouterr().err


def test_use_is_counted_once_per_example_file(upstream: Callable[[str], Path]) -> None:
    repository = upstream("hydra")
    examples = {
        "examples/one.sh": "python3 -m main \\\n  data.train_batch_size=8 +critic.optim.lr=1e-5 data.train_batch_size=9\n",
        "examples/two.sh": "export CUDA_LAUNCH_BLOCKING=1\n# data.train_batch_size=4\nrun --num-gpus 8 --num-gpus 4\n",
        "examples/three.yaml": "actor_rollout_ref: {actor: {optim: {lr: 1}}}\nsystem_envs: {CUDA_LAUNCH_BLOCKING: '1'}\n",
    }
    for name, text in examples.items():
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text(text, encoding="utf-8")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=examples")
    source = Source(repo="verl", path="x")
    keys = [
        Key(name="train_batch_size", kind=KeyKind.YAML, type="int", paths=("data.train_batch_size",), group="a", source=source),
        Key(
            name="lr", kind=KeyKind.YAML, type="float", paths=("critic.optim.lr", "*.actor.optim.lr"), group="a", source=source
        ),
        Key(name="num_gpus", kind=KeyKind.FLAG, type="int", group="a", source=source),
        Key(name="CUDA_LAUNCH_BLOCKING", kind=KeyKind.ENV, type="str", group="a", source=source),
        Key(name="unused", kind=KeyKind.FLAG, type="int", group="a", source=source),
    ]
    with Clone(repository) as clone:
        assert used(clone.tree("main"), ["examples/*.sh", "examples/*.yaml"], keys) == ({0: 1, 1: 2, 2: 1, 3: 2}, 3)


# ---- the catalog as it is -------------------------------------------------------------------------------------------

DECLARED = {"roll": (416, 416), "chatlearn": (238, 238), "slime": (237, 237), "verl": (796, 1011), "openrlhf": (164, 164)}


@pytest.mark.parametrize("framework", DECLARED)
def test_every_declaration_at_the_pinned_commit_is_in_the_catalog(framework: str) -> None:
    """Records and, for verl, dotted places: what CONTRIBUTING and the release notes say of the size."""
    file = ROOT / "catalog" / "keys" / f"{framework}.yml"
    alive = [r for r in yaml.safe_load(file.read_text(encoding="utf-8"))["keys"] if r.get("declared") and "removed" not in r]
    places = sum(len(record["paths"]) for record in alive) if framework == "verl" else len(alive)
    assert (len(alive), places) == DECLARED[framework]
