"""The package that a node installs: what is in it, that it comes out the same, and that it answers there."""

import importlib.util
import json
import os
import subprocess
import sys
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest

from fieldguide.content.compiled import compiled_folder
from scripts.wheel import build
from tests.conftest import ROOT, once

MOST = 5_000_000  # bytes


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once."""
    (made,) = once(tmp_path_factory, "wheel", lambda folder: build(ROOT, folder)).glob("*.whl")
    return made


@pytest.fixture(scope="session")
def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as packed:
        return packed.namelist()


def test_it_is_small_and_has_its_checksum(wheel: Path) -> None:
    assert wheel.stat().st_size <= MOST
    subprocess.run(["sha256sum", "--check", "--quiet", f"{wheel.name}.sha256"], cwd=wheel.parent, check=True)


def test_it_holds_what_a_node_runs_and_nothing_of_what_the_guide_is_written_with(names: list[str]) -> None:
    code = {name for name in names if name.endswith(".py")}
    wanted = {*(ROOT / "fieldguide" / "runtime").rglob("*.py"), *(ROOT / "fieldguide" / "commands").glob("*.py")}
    wanted |= {ROOT / "fieldguide" / name for name in ("__init__.py", "__main__.py")}
    assert code == {file.relative_to(ROOT).as_posix() for file in wanted}
    assert all(name.startswith(("fieldguide/", "rl_fieldguide-")) for name in names)


def test_it_holds_the_guide_as_compiled(wheel: Path) -> None:
    folder = compiled_folder(ROOT)
    expected = {file.name: file.read_bytes() for file in folder.glob("*.json") if file.name != "state.json"}
    with zipfile.ZipFile(wheel) as packed:
        found = {Path(name).name: packed.read(name) for name in packed.namelist() if name.startswith("fieldguide/data/")}
    about, plain = (json.loads(one.pop("about.json")) for one in (found, expected))
    assert found == expected
    assert {**plain, **{name: about[name] for name in ("version", "date", "site")}} == about and about["version"]


def test_it_says_what_it_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [one for one in packed.namelist() if one.endswith(".dist-info/METADATA")]
        told = BytesParser().parsebytes(packed.read(name))
        (entry_points,) = [one for one in packed.namelist() if one.endswith("entry_points.txt")]
        assert b"fieldguide = fieldguide.__main__:main" in packed.read(entry_points)
    needs = told.get_all("Requires-Dist") or []
    own = {one.partition(">")[0] for one in needs if "extra ==" not in one}
    assert own == {"ahocorasick-rs", "packaging", "pyyaml", "shtab", "tree-sitter", "tree-sitter-bash"}
    assert not [one for one in needs if "extra ==" not in one and "==" in one], "a node has versions of its own"
    assert told["Requires-Python"] == ">=3.10" and {"mcp", "site"} <= {*(told.get_all("Provides-Extra") or ())}


@pytest.mark.whole
def test_the_same_commit_gives_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert build(ROOT, tmp_path).read_bytes() == wheel.read_bytes()


@pytest.mark.whole
def test_every_command_answers_where_nothing_else_is(wheel: Path, tmp_path: Path) -> None:
    """The wheel unpacked, with the packages it names and no others, away from the checkout."""
    unpacked = tmp_path / "packages"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(unpacked)
    for name in ("ahocorasick_rs", "packaging", "yaml", "shtab", "tree_sitter", "tree_sitter_bash"):
        found = importlib.util.find_spec(name)
        assert found and found.submodule_search_locations
        (place,) = found.submodule_search_locations
        (unpacked / name).symlink_to(place)
    (tmp_path / "train.log").write_text("INFO slime\nRolloutManager\nAssertionError: batch_size 32 < chunks 64\n")

    def ask(*arguments: str) -> subprocess.CompletedProcess[str]:
        code = "import sys; from fieldguide.__main__ import main; sys.argv[0] = 'fieldguide'; sys.exit(main())"
        environment = {"PYTHONPATH": str(unpacked), "PATH": os.environ["PATH"]}
        return subprocess.run(
            [sys.executable, "-S", "-c", code, *arguments],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    for arguments, code, said in (
        (("explain", "train.log"), 0, "roll-batch-size-chunks"),
        (("doctor",), 3, "no framework of this guide"),
        (("key", "rollout_batch_size", "--framework", "roll"), 0, "Default: 128"),
        (("entry", "roll-grad-accum", "--lang", "zh"), 0, "## 出处"),
        (("search", "batch_size 32 < chunks 64"), 0, "[exact error match]"),
        (("bugs", "verl", "--release", "v0.7.1"), 0, "v0.7.1"),
        (("--version",), 0, "verl "),
    ):
        done = ask(*arguments)
        assert done.returncode == code and said in done.stdout, done
    done = ask("run", "--", "sh", "-c", "cat train.log; exit 3")
    assert done.returncode == 3 and "roll-batch-size-chunks" in done.stderr
    done = ask("mcp")
    assert done.returncode == 2 and "pip install 'rl-fieldguide[mcp]'" in done.stderr
    assert "validate" not in ask("--help").stdout
