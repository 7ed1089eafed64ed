"""Two builds are compared by what links can name: pages and ids."""

from pathlib import Path

import pytest

from scripts.compare_sites import main


def site(folder: Path, pages: dict[str, str]) -> str:
    for name, body in pages.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "index.html").write_text(f"<!doctype html><body>{body}</body>", encoding="utf-8")
    return str(folder)


def test_equal_pages_and_ids_in_any_markup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = site(tmp_path / "one", {"topics/memory": "<h2 id='slime-oom'>x</h2>"})
    other = site(tmp_path / "other", {"topics/memory": "<nav id=__nav></nav><h3 class='a' id=slime-oom>y</h3>"})
    assert main([one, other]) == 0
    assert capsys.readouterr().out.endswith("1 pages and 2 addresses in both, 0 differ\n")


def test_a_lost_id_and_a_page_too_many_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = site(tmp_path / "one", {"topics/memory": "<h2 id='slime-oom'>x</h2>"})
    other = site(tmp_path / "other", {"topics/memory": "", "tags": ""})
    assert main([one, other]) == 1
    assert capsys.readouterr().out.splitlines()[:2] == [
        f"only in {one}: topics/memory/#slime-oom",
        f"only in {other}: tags/",
    ]


def test_two_empty_folders_are_no_success(tmp_path: Path) -> None:
    assert main([str(tmp_path), str(tmp_path)]) == 1
