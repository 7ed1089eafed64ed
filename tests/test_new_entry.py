"""A new entry: asked for, checked before anything is written, refused by the check until it is filled in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fieldguide.__main__ import main
from fieldguide.content.checks import run
from fieldguide.content.checks.staleness import stamp
from fieldguide.content.guide import load_guide
from fieldguide.content.problems import ContentError

ERROR = "batch_size {int} < [chunks] {int}"
ANSWERS = ["alpha", "alpha-chunks", "memory", ERROR]
FILES = (
    "catalog/entries/memory/alpha-chunks.yml",
    "docs/en/topics/memory/alpha-chunks.md",
    "docs/zh/topics/memory/alpha-chunks.md",
)


def tree(root: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}


def options(*answers: str) -> list[str]:
    return [f"--{name}={value}" for name, value in zip(("framework", "id", "topic", "error"), answers, strict=True)]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lines that somebody types; the end of the input when there are no more."""
    lines: list[str] = []

    def read(_prompt: str) -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr("builtins.input", read)
    return lines


def test_four_answers_make_a_stub_in_three_files(small: Path, typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(small)
    typed += ANSWERS
    assert main(["--root", str(small), "new-entry"]) == 0
    after = tree(small)
    changed = [file for file in after if before.get(file) != after[file]]
    assert sorted(file.relative_to(small).as_posix() for file in changed) == sorted(FILES)
    assert not set(changed) & set(before), "every file is a new one"
    printed = capsys.readouterr().out
    assert all(f"{file}: written\n" in printed for file in FILES)
    commit = load_guide(small).catalog.framework["alpha"].commit
    assert commit and f"at {commit[:10]}, the source that the guide is checked against" in printed
    assert r"# batch\_size … < \[chunks\] … { #alpha-chunks }" in (small / FILES[2]).read_text(encoding="utf-8")
    entry = load_guide(small).catalog.entry["alpha-chunks"]
    assert [signature.text for signature in entry.signatures] == [ERROR]


def test_a_stub_is_refused_place_by_place_until_it_is_filled_in(small: Path) -> None:
    main(["--root", str(small), "new-entry", *options(*ANSWERS)])
    with pytest.raises(ContentError) as caught:
        run(small)
    lines = [str(problem) for problem in caught.value.problems]
    record, english, chinese = FILES
    assert lines == [
        f"{record}:8: to be filled in: file in the repository",
        f"{record}:8: to be filled in: text of the cited line; add line: and its number",
        f"{english}:2: to be filled in: What is wrong and what to do, in one line.",
        f"{english}:6: to be filled in: What to change, first. With the command or the YAML.",
        f"{english}:8: to be filled in: What the fix costs or risks, or: Nothing.",
        f"{english}:10: to be filled in: A command or a log line that proves it worked.",
        f"{english}:12: to be filled in: What the program does, in the code's own terms.",
        "docs/en/topics/memory/index.md:1: entry alpha-chunks is not listed here: write `/// catalog | topic memory`",
        f"{chinese}:2: to be filled in: 一句话：哪里错了，怎么办。",
        next(line for line in lines if "has no stamp" in line),
        f"{chinese}:6: to be filled in: 先写改什么，附命令或 YAML。",
        f"{chinese}:8: to be filled in: 改了有什么代价和风险；没有就写“没有”。",
        f"{chinese}:10: to be filled in: 一条命令，或者一行日志，能证明已经解决。",
        f"{chinese}:12: to be filled in: 程序做了什么，用代码里的名字。",
    ]
    for file in FILES:
        text = (small / file).read_text(encoding="utf-8")
        text = text.replace("FILL IN:", "done").replace("framework: alpha", "framework: alpha\ngroup: cuda-oom")
        (small / file).write_text(text, encoding="utf-8")
    stamp(load_guide(small))
    run(small)


def test_without_an_error_it_is_a_how_to(small: Path) -> None:
    assert main(["--root", str(small), "new-entry", *options("beta", "beta-tokens", "memory", "")]) == 0
    entry = load_guide(small).catalog.entry["beta-tokens"]
    assert (entry.kind, entry.signatures) == ("howto", ())
    page = (small / "docs/zh/topics/memory/beta-tokens.md").read_text(encoding="utf-8")
    assert "# FILL IN: 问题，用读者会问的话 { #beta-tokens }\n\n**回答**：FILL IN:" in page


def test_an_error_of_no_framework_asks_who_prints_it(small: Path, typed: list[str]) -> None:
    typed += ["any", "any-nccl", "memory", "torch", "NCCL error"]
    assert main(["--root", str(small), "new-entry"]) == 0
    entry = load_guide(small).catalog.entry["any-nccl"]
    assert (entry.framework, entry.signatures[0].of, entry.sources[0].repo) == ("any", "torch", "torch")


def test_a_wrong_answer_is_asked_again(small: Path, typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    typed += ["gamma", "alpha", "beta-x", "alpha-oom", "alpha-max-tokens", "alpha-chunks", "disk", "memory", "{size}", ERROR]
    assert main(["--root", str(small), "new-entry"]) == 0
    refused = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert [line.strip().split(";")[0] for line in refused] == [
        "'gamma' is none of alpha, beta, any",
        "the id must start with alpha-",
        "'alpha-oom' is taken by an entry or a key",
        "'alpha-max-tokens' is taken by an entry or a key",
        "'disk' is none of memory",
        "unknown placeholder {size} in signature '{size}'",
    ]


def faults() -> Iterator[tuple[list[str], str]]:
    yield ["gamma", *ANSWERS[1:]], "framework: 'gamma' is none of"
    yield ["alpha", "Alpha_X", "memory", ERROR], "id: 'Alpha_X' is no id"
    yield ["beta", "beta-memory", "memory", ERROR], "id: 'beta-memory' is taken by an entry or a key"
    yield ["alpha", "alpha-chunks", "index", ERROR], "topic: 'index' is none of memory"
    yield [*ANSWERS[:3], "x {"], "error: unbalanced '{'"
    yield [*ANSWERS[:3], "x"], "error: too short"


@pytest.mark.parametrize(("answers", "message"), list(faults()))
def test_nothing_is_written_on_a_fault(
    small: Path, capsys: pytest.CaptureFixture[str], answers: list[str], message: str
) -> None:
    before = tree(small)
    assert main(["--root", str(small), "new-entry", *options(*answers)]) == 2
    assert capsys.readouterr().err.startswith(f"new-entry: {message}")
    assert tree(small) == before


def test_an_error_that_another_entry_has_is_refused(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = "CUDA out of memory. Tried to allocate {num} GiB"
    given = [*options("any", "any-oom", "memory", error), "--printed-by=torch"]
    assert main(["--root", str(small), "new-entry", *given]) == 2
    assert "entry alpha-oom has this error" in capsys.readouterr().err


def test_an_error_that_is_found_already_is_noted(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = "RuntimeError: CUDA out of memory. Tried to allocate {num} GiB on GPU {int}"
    assert main(["--root", str(small), "new-entry", *options(*ANSWERS[:3], error)]) == 0
    assert "note: the guide finds alpha-oom for this error already" in capsys.readouterr().out


def test_the_end_of_the_input_writes_nothing(small: Path, typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(small)
    typed += ANSWERS[:3]
    assert main(["--root", str(small), "new-entry"]) == 2
    assert capsys.readouterr().err == "new-entry: error: no answer\n"
    assert tree(small) == before


def test_a_file_that_cannot_be_written_leaves_the_others_as_they_were(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tree(small)
    opened = Path.open

    def failing(self: Path, *arguments: Any, **named: Any) -> Any:
        if self == small / FILES[2]:
            raise OSError("disk full")
        return opened(self, *arguments, **named)

    monkeypatch.setattr(Path, "open", failing)
    assert main(["--root", str(small), "new-entry", *options(*ANSWERS)]) == 1
    assert capsys.readouterr().err == "new-entry: disk full; nothing was written\n"
    assert tree(small) == before
