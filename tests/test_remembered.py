"""What has been read is carried over to a process that starts later, and never to other code."""

from pathlib import Path

import pytest

from fieldguide.content import remembered
from fieldguide.content.remembered import Remembered, keep, recall


def counting() -> tuple[Remembered[int], list[int]]:
    asked: list[int] = []

    def square(number: int) -> int:
        asked.append(number)
        return number**2

    return Remembered(square), asked


def test_what_was_kept_is_not_done_again(tmp_path: Path) -> None:
    first, _ = counting()
    assert (first(3), first(4)) == (9, 16)
    keep(tmp_path / "kept", [first])
    second, asked = counting()
    assert recall(tmp_path / "kept", [second])
    assert (second(3), second(5)) == (9, 25) and asked == [5]


def test_a_value_is_made_once_and_an_exception_every_time() -> None:
    tried = []

    def fail(name: str) -> None:
        tried.append(name)
        raise ValueError(name)

    failing, (square, asked) = Remembered(fail), counting()
    for _ in range(2):
        square(7)
        with pytest.raises(ValueError, match="x"):
            failing("x")
    assert asked == [7] and tried == ["x", "x"]


def test_what_other_code_kept_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    function, asked = counting()
    assert not recall(tmp_path / "kept", [function]), "there is none"
    function(3)
    keep(tmp_path / "kept", [function])
    monkeypatch.setattr(remembered, "_CODE", tmp_path)
    (tmp_path / "new.py").write_text("", encoding="utf-8")
    again, asked = counting()
    assert not recall(tmp_path / "kept", [again]) and again(3) == 9 and asked == [3]
