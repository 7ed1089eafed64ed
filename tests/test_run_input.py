"""Bad input of a whole run is named and bounded, and never an exception."""

import argparse
import gzip
import io
import json
import os
import socket
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from fieldguide.content.catalog.models import RunReading
from fieldguide.content.compile import compile_run
from fieldguide.content.guide import load_guide
from fieldguide.runtime.guide import Guide
from fieldguide.runtime.run.clock import Clock, in_year, shown
from fieldguide.runtime.run.collect import collect, last_run
from fieldguide.runtime.run.failure import judge
from fieldguide.runtime.run.flight import is_plain, read_flight
from fieldguide.runtime.run.kinds import kind_by_name
from fieldguide.runtime.run.read import FileRead, Reader, in_one_year, read_all
from fieldguide.runtime.run.rules import RunRules, as_rules
from tests.conftest import ROOT
from tests.runs import CLOCKS, KINDS

LOG = "2026-11-22 10:00:00 INFO rank 1 of 2\nTraceback (most recent call last):\nKeyError: 'a'\n"


@pytest.fixture(scope="module")
def rules() -> RunRules:
    return as_rules(json.loads(json.dumps(compile_run(load_guide(ROOT).catalog))))


Look = Callable[..., tuple[list[FileRead], dict[str, int]]]


@pytest.fixture
def look(compiled: Guide, rules: RunRules) -> Look:
    def looked(*paths: Path, **limits: int) -> tuple[list[FileRead], dict[str, int]]:
        own = replace(rules, limits={**rules.limits, **limits})
        collected = collect([str(path) for path in paths], own)
        files, skipped = read_all(collected.members, compiled, own, Path(), processes=1)
        return files, dict(Counter(one.reason for one in [*collected.skipped, *skipped]))

    return looked


def names(files: list[FileRead]) -> list[str]:
    return [file.member.name for file in files]


def test_a_folder_with_everything_in_it(tmp_path: Path, look: Look) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "rank0.log").write_text(LOG, encoding="utf-8")
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    (tmp_path / "around").symlink_to(tmp_path / "around")
    (tmp_path / "gone.log").symlink_to(tmp_path / "nowhere")
    (tmp_path / "twice.log").symlink_to(tmp_path / "sub" / "rank0.log")
    os.mkfifo(tmp_path / "fifo")
    held = socket.socket(socket.AF_UNIX)
    held.bind(os.path.relpath(tmp_path / "socket"))
    (tmp_path / "none.log").write_text("", encoding="utf-8")
    (tmp_path / "core.123").write_bytes(b"\x7fELF")
    (tmp_path / "model.safetensors").write_bytes(b"w")
    (tmp_path / "data.log").write_bytes(bytes(1000))
    files, skipped = look(tmp_path)
    held.close()
    assert len(files) == 1
    assert skipped == {"loop": 2, "missing": 1, "special": 2, "empty": 1, "core": 1, "weights": 1, "binary": 1}


def test_paths_that_are_not_there_and_globs(tmp_path: Path, look: Look) -> None:
    for rank in range(3):
        (tmp_path / f"rank{rank}.log").write_text(LOG, encoding="utf-8")
    assert names(look(tmp_path / "rank*.log")[0]) == ["rank0.log", "rank1.log", "rank2.log"]
    assert look(tmp_path / "nothing*")[1] == {"missing": 1} and look(tmp_path / "x.log")[1] == {"missing": 1}


def test_what_may_not_be_read(tmp_path: Path, look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read everything, so the system is made to refuse."""
    (tmp_path / "rank0.log").write_text(LOG, encoding="utf-8")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        assert look(tmp_path) == ([], {"unreadable": 1})
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refuse)
        assert look(tmp_path) == ([], {"unreadable": 1})


def test_a_file_that_goes_away_while_others_are_read(tmp_path: Path, compiled: Guide, rules: RunRules) -> None:
    (tmp_path / "rank0.log").write_text(LOG, encoding="utf-8")
    members = collect([str(tmp_path)], rules).members
    (tmp_path / "rank0.log").unlink()
    assert [one.reason for one in read_all(members, compiled, rules, Path(), processes=1)[1]] == ["unreadable"]


def test_a_file_that_grows_is_read_to_the_size_it_had(tmp_path: Path, compiled: Guide, rules: RunRules) -> None:
    file = tmp_path / "rank0.log"
    file.write_text(LOG, encoding="utf-8")
    members = collect([str(tmp_path)], rules).members
    file.write_text(LOG * 1000, encoding="utf-8")
    assert read_all(members, compiled, rules, Path(), processes=1)[0][0].lines == 3


def test_of_too_many_files_the_newest_are_read(tmp_path: Path, look: Look) -> None:
    for rank in range(6):
        (tmp_path / f"rank{rank}.log").write_text(LOG, encoding="utf-8")
        os.utime(tmp_path / f"rank{rank}.log", (rank, rank))
    files, skipped = look(tmp_path, members=2)
    assert names(files) == ["rank4.log", "rank5.log"] and skipped == {"many": 4}
    assert look(tmp_path, walked=3)[1] == {"many": 1}


def packed(path: Path, **texts: bytes) -> Path:
    """A tar or Zip archive."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in texts.items():
                archive.writestr(f"run/{name}.log", text)
        return path
    with tarfile.open(path, "w:gz") as tar:
        for name, text in texts.items():
            head = tarfile.TarInfo(f"run/{name}.log")
            head.size = len(text)
            tar.addfile(head, io.BytesIO(text))
    return path


@pytest.mark.parametrize("name", ["logs.zip", "logs.tar.gz", "logs.tgz"])
def test_archives(name: str, tmp_path: Path, look: Look) -> None:
    files, skipped = look(packed(tmp_path / name, rank0=LOG.encode(), rank1=LOG.encode()))
    assert [(file.who.rank, file.lines) for file in files] == [(0, 3), (1, 3)] and not skipped
    assert files[0].member.path == f"{tmp_path / name}/run/rank0.log"


def test_a_gzip_file_of_a_run(tmp_path: Path, look: Look) -> None:
    (tmp_path / "rank7.log.gz").write_bytes(gzip.compress(LOG.encode()))
    assert [(file.who.rank, file.lines) for file in look(tmp_path)[0]] == [(7, 3)]


@pytest.mark.parametrize("name", ["logs.zip", "logs.tar.gz"])
def test_a_broken_archive_gives_what_stands_before_the_break(name: str, tmp_path: Path, look: Look) -> None:
    path = packed(tmp_path / name, rank0=LOG.encode(), rank1=os.urandom(200_000).hex().encode())
    path.write_bytes(path.read_bytes()[:-50_000])
    files, skipped = look(path)
    assert names(files)[0] == "run/rank0.log" and files[0].lines == 3
    assert skipped.get("damaged") or any(file.damaged for file in files)


def test_archives_in_archives_are_left_alone(tmp_path: Path, look: Look) -> None:
    inner = packed(tmp_path / "inner.zip", rank0=LOG.encode())
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.write(inner, "inner.zip")
        archive.writestr("rank1.log", LOG)
    files, skipped = look(tmp_path / "outer.zip")
    assert names(files) == ["rank1.log"] and skipped == {"nested": 1}


@pytest.mark.parametrize("name", ["bomb.zip", "bomb.tar.gz"])
def test_a_bomb_is_read_up_to_the_limit(name: str, tmp_path: Path, look: Look) -> None:
    path = packed(tmp_path / name, rank0=b"spam and eggs\n" * 1_000_000, rank1=LOG.encode())
    files, skipped = look(path, unpacked=2_000_000)
    assert not files and skipped == {"bomb": 1}


def test_a_bomb_of_one_file(tmp_path: Path, look: Look) -> None:
    (tmp_path / "rank0.log").write_bytes(gzip.compress(b"spam and eggs\n" * 1_000_000))
    assert look(tmp_path, unpacked=2_000_000) == ([], {"bomb": 1})


def test_what_is_called_an_archive_and_is_none(tmp_path: Path, look: Look) -> None:
    (tmp_path / "logs.tar.gz").write_text(LOG, encoding="utf-8")
    (tmp_path / "logs.zip").write_bytes(b"PK\x03\x04rest")
    assert look(tmp_path) == ([], {"damaged": 2})


@pytest.mark.parametrize(("line", "time"), CLOCKS)
def test_clocks(line: str, time: str, rules: RunRules) -> None:
    assert shown(Clock(rules).read(line)) == time


def test_the_year_of_the_run(rules: RunRules) -> None:
    short = Clock(rules).read("E0229 10:33:21.1 x")
    assert short is not None
    assert shown(in_year(short, 2024)) == "2024-02-29 10:33:21.100" and shown(in_year(short, 2026)) == "2026-02-28 10:33:21.100"


def test_no_time_stamps_at_all_is_said(tmp_path: Path, look: Look, rules: RunRules) -> None:
    for rank, error in enumerate(("KeyError: 'a'", "ValueError: b")):
        text = f"world_size=2\nTraceback (most recent call last):\n{error}\n"
        (tmp_path / f"rank{rank}.log").write_text(text, encoding="utf-8")
    assert judge(in_one_year(look(tmp_path)[0]), rules).sure == "order"


def test_clocks_of_two_nodes_that_cannot_decide(tmp_path: Path, look: Look, rules: RunRules) -> None:
    for rank in range(2):
        (tmp_path / f"node-{rank}").mkdir()
        text = LOG.replace("10:00:00", f"10:00:0{rank}")
        (tmp_path / f"node-{rank}" / f"rank{rank}.log").write_text(text, encoding="utf-8")
    assert judge(in_one_year(look(tmp_path)[0]), rules).sure == "close"


def test_of_two_runs_in_a_folder_the_last_is_read(tmp_path: Path, rules: RunRules) -> None:
    for session in ("session_2026-11-21_10-00-00_000001_9", "session_2026-11-22_10-00-00_000001_10"):
        (tmp_path / session / "logs").mkdir(parents=True)
        (tmp_path / session / "logs" / "raylet.out").write_text(LOG, encoding="utf-8")
    (tmp_path / "driver.log").write_text(LOG, encoding="utf-8")
    collected = collect([str(tmp_path)], rules)
    assert [one.name for one in collected.members] == ["driver.log", "session_2026-11-22_10-00-00_000001_10/logs/raylet.out"]
    assert collected.others == {"session_2026-11-21_10-00-00_000001_9": 1}
    assert last_run([], rules) == ([], {}, [])


@pytest.mark.parametrize(("name", "kind", "rank", "pid", "node"), KINDS)
def test_kinds(name: str, kind: str, rank: int, pid: int, node: str, rules: RunRules) -> None:
    found, who = kind_by_name(name, rules)
    assert (found, who.rank, who.pid, who.node) == (kind, rank, pid, node)


def test_memory_is_bounded_by_the_limits(tmp_path: Path, compiled: Guide, rules: RunRules) -> None:
    (tmp_path / "driver.log").write_text(
        "".join(f"(W pid={at}) step {at}: update\n(W pid={at}) x Connection closed by peer [::1]:1\n" for at in range(5000)),
        encoding="utf-8",
    )
    (member,) = collect([str(tmp_path)], rules).members
    (file,) = Reader(compiled, rules).read(member)
    assert isinstance(file, FileRead)
    assert len(file.events) <= rules.limits["keep"] and len(file.doing) <= rules.limits["speakers"]


def test_of_very_many_events_less_is_kept_of_each_file(tmp_path: Path, look: Look) -> None:
    for rank in range(3):
        text = f"(W pid=1{rank}) step 1: update\nx Connection closed by peer [::1]:1\n" * 10 + f"(W pid=2{rank}) step 1: save\n"
        (tmp_path / f"rank{rank}.log").write_text(text, encoding="utf-8")
    files, _ = look(tmp_path, texts=20, events=12, doings=3)
    assert [len(file.events) for file in files] == [10, 10, 4] and [len(file.doing) for file in files] == [2, 1, 1]
    assert not files[2].events[0].block


def test_a_pickle_that_would_run_something_is_not_read(tmp_path: Path) -> None:
    import pickle

    plain, acts = tmp_path / "nccl_trace_rank_0", tmp_path / "nccl_trace_rank_1"
    plain.write_bytes(pickle.dumps({"version": "2.10", "entries": [{"collective_seq_id": 3, "state": "started"}]}))
    acts.write_bytes(pickle.dumps(print))
    assert is_plain(plain) and not is_plain(acts)
    stub = tmp_path / "python"
    stub.write_text(
        "#!/bin/sh\necho tabulate is not installed. Proceeding without it. >&2\necho rank 1 is missing >&2\n", encoding="utf-8"
    )
    stub.chmod(0o755)
    told = [read_flight(dumps, [str(stub)]) for dumps in ([plain], [plain, acts])]
    assert [one and one.verdict for one in told] == ["rank 1 is missing", ""]
    assert read_flight([plain], []) is not None and read_flight([]) is None


@pytest.fixture
def reading() -> dict[str, Any]:
    return load_guide(ROOT).catalog.run[0].record.model_dump()


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"example": "nothing of it"}, "does not find its example"),
        ({"fields": []}, "groups and 0 fields"),
        ({"anchor": "not in there"}, "the example lacks the anchor"),
        ({"how": None}, "`how` belongs to what ended"),
        ({"how": "melted"}, "no way 'melted'"),
        ({"pattern": "(?P<pid>[0-9]+)"}, "is not shared"),
        ({"pattern": "ut of memory: (?:Killed process ([0-9]+) \\((.*)\\)[^0-9]*)+"}, "a group in what is repeated"),
    ],
)
def test_faults_of_an_event(event: dict[str, Any], said: str, reading: dict[str, Any]) -> None:
    first = {**reading["events"][0], **event}
    with pytest.raises(ValidationError, match=said.replace("(", r"\(")):
        RunReading(**{**reading, "events": [first, *reading["events"][1:]]})


def test_nothing_given_in_a_terminal_is_the_last_session_of_ray(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from fieldguide.commands import explain as command

    (tmp_path / "worker-0a-01000000-77.err").write_text(LOG, encoding="utf-8")
    monkeypatch.setattr(command, "SESSION", tmp_path)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    options = argparse.Namespace(root=ROOT, log=[], lang="en", json=True, release=None)
    assert command.explain(options) == 0
    assert json.loads(capsys.readouterr().out)["failure"]["pid"] == 77


def test_a_log_cannot_steer_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "rank1.log").write_text(LOG.replace("'a'", "\x1b]0;title\x07\x1b[2J'a'\x08\r"), encoding="utf-8")
    assert not set("\x1b\x07\x08\r") & set(explain(str(tmp_path)).stdout)


def explain(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fieldguide", "explain", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "rank1.log").write_text(LOG, encoding="utf-8")
    done = explain(str(tmp_path))
    assert done.returncode == 0 and "FIRST FAILURE: rank 1" in done.stdout and not done.stderr
    found = json.loads(explain(str(tmp_path), "--json", "--lang", "zh").stdout)
    assert found["failure"]["rank"] == 1 and found["failure"]["told"]["error"] == "KeyError"
    (tmp_path / "rank1.log").write_text("all is well\n", encoding="utf-8")
    assert explain(str(tmp_path)).returncode == 1
    assert explain(str(tmp_path / "rank*.log"), str(tmp_path / "none")).returncode == 1
