"""Two builds of one commit are the same, byte by byte, wherever and whenever they are made."""

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, build

NOT_COPIED = shutil.ignore_patterns(".venv*", "__pycache__", ".*_cache", ".cache", "node_modules")
MADE = {"dist", "site"}  # in the root alone: fieldguide/site is a room of the code


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site built anew: another checkout, file times, hash seed, locale, and a local date that is never the same."""
    folder = tmp_path_factory.mktemp("elsewhere")
    root = folder / "a checkout"
    shutil.copytree(ROOT, root, ignore=left_out, copy_function=shutil.copy)
    return build(folder / "site", root, PYTHONHASHSEED="42", LC_ALL="C", TZ="Pacific/Kiritimati")


def left_out(folder: str, names: list[str]) -> set[str]:
    """What of a folder is not copied."""
    return NOT_COPIED(folder, names) | (MADE if Path(folder) == ROOT else set())


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_site(site: Path, elsewhere: Path) -> None:
    one, other = contents(site), contents(elsewhere)
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
