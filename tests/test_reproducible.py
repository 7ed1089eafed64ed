"""Two builds of one commit are the same, byte by byte, wherever and whenever they are made."""

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, build

NOT_COPIED = shutil.ignore_patterns(".venv*", "site", "dist", "__pycache__", ".*_cache", "node_modules")


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site built anew: another checkout, file times, hash seed, locale, and a local date that is never the same."""
    folder = tmp_path_factory.mktemp("elsewhere")
    root = folder / "a checkout"
    shutil.copytree(ROOT, root, ignore=NOT_COPIED, copy_function=shutil.copy)
    return build(folder / "site", root, PYTHONHASHSEED="42", LC_ALL="C", TZ="Pacific/Kiritimati")


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_site(site: Path, elsewhere: Path) -> None:
    one, other = contents(site), contents(elsewhere)
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
