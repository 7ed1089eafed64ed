"""`python -m fieldguide explain`, as a terminal runs it."""

import gzip
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

KNOWN = "INFO slime\nRolloutManager\nAssertionError: batch_size 32 < chunks 64\n"


def explain(*arguments: str, text: bytes | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "fieldguide", "explain", *arguments]
    surroundings = {**os.environ, "LC_ALL": "C.UTF-8", **environment}
    return subprocess.run(command, cwd=ROOT, input=text or b"", capture_output=True, check=False, env=surroundings)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "train.log"
    file.write_text(KNOWN, encoding="utf-8")
    return file


def test_a_known_error_ends_with_0(log: Path) -> None:
    done = explain(str(log))
    assert done.returncode == 0 and not done.stderr
    shown = done.stdout.decode()
    assert "line 3, 1×" in shown and "topics/batch-size/roll-batch-size-chunks/" in shown and "Framework: slime" in shown


def test_no_known_error_ends_with_1(tmp_path: Path) -> None:
    file = tmp_path / "train.log"
    file.write_text("INFO\n", encoding="utf-8")
    assert explain(str(file)).returncode == 1


@pytest.mark.parametrize(
    ("data", "language", "said"),
    [
        (b"\x7fELF" + bytes(100), "en", "this is a binary file, not a log"),
        (b"PK\x03\x04rest", "en", "this is a zip archive; unpack it first: unzip -p logs.zip |"),
        (b"BZh91AYrest", "zh", "这是 bzip2 压缩包，先解压：bzip2 -dc"),
        (b"\x1f\x8b\x08 no gzip", "en", "the compressed log cannot be unpacked"),
    ],
)
def test_what_is_no_log_ends_with_2(tmp_path: Path, data: bytes, language: str, said: str) -> None:
    file = tmp_path / "train.log"
    file.write_bytes(data)
    done = explain(str(file), "--lang", language)
    assert done.returncode == 2 and not done.stdout
    assert said in done.stderr.decode() and len(done.stderr.splitlines()) == 1


def test_a_missing_file_and_a_folder_end_with_2(tmp_path: Path) -> None:
    for path in (tmp_path / "none.log", tmp_path):
        done = explain(str(path))
        assert done.returncode == 2 and b"Traceback" not in done.stderr


def test_json(log: Path) -> None:
    found = json.loads(explain(str(log), "--json").stdout)
    assert found["framework"] == "slime" and found["lines"] == 3
    (finding,) = found["findings"]
    assert finding["id"] == "roll-batch-size-chunks" and finding["line"] == 3 and finding["count"] == 1
    assert finding["also"] == [] and finding["fix"] and finding["title"] and finding["framework"] == "roll"


VERSIONS = "vLLM API server version 0.8.5\nINFO transformers version: 5.0.0\n" + "step\n" * 3


def test_versions_that_a_log_names_are_compared(tmp_path: Path) -> None:
    file = tmp_path / "train.log"
    file.write_text(VERSIONS, encoding="utf-8")
    assert "vLLM 0.8.5, Transformers 5.0.0" in explain(str(file)).stdout.decode()
    (trouble,) = json.loads(explain(str(file), "--json").stdout)["versions"]
    assert trouble["entry"] == "any-tokenizers-backend" and trouble["repair"].startswith('pip install "transformers==4.')
    file.write_text(VERSIONS.replace("5.0.0", "4.51.1"), encoding="utf-8")
    assert json.loads(explain(str(file), "--json").stdout)["versions"] == []


def test_a_range_that_a_log_prints_is_no_version(tmp_path: Path) -> None:
    file = tmp_path / "train.log"
    file.write_text("vLLM API server version 0.8.5\nImportError: this needs transformers>=5.0.0\n", encoding="utf-8")
    assert json.loads(explain(str(file), "--json").stdout)["versions"] == []


def test_language_by_option_and_by_environment(log: Path) -> None:
    assert "第 3 行" in explain(str(log), "--lang", "zh").stdout.decode()
    assert "第 3 行" in explain(str(log), LC_ALL="zh_CN.UTF-8", PYTHONUTF8="1").stdout.decode()
    assert explain(str(log), "--lang", "fr").returncode == 2


def test_a_pipe_and_gzip_in_a_pipe() -> None:
    for text in (KNOWN.encode(), gzip.compress(KNOWN.encode())):
        for arguments in (["-"], []):
            done = explain(*arguments, text=text)
            assert done.returncode == 0 and b"roll-batch-size-chunks" in done.stdout


def test_a_compressed_log_that_breaks_off_is_read_and_said(tmp_path: Path) -> None:
    file = tmp_path / "train.log.gz"
    file.write_bytes(gzip.compress((KNOWN + os.urandom(50_000).hex()).encode())[:-20_000])
    done = explain(str(file))
    assert done.returncode == 0 and b"roll-batch-size-chunks" in done.stdout
    assert b"breaks off" in done.stderr


def test_no_colour_unless_it_is_a_terminal(log: Path) -> None:
    assert b"\x1b[" not in explain(str(log)).stdout
    assert b"\x1b[1m" in in_terminal(log)
    assert b"\x1b[" not in in_terminal(log, NO_COLOR="1")


def in_terminal(log: Path, **environment: str) -> bytes:
    """What is written when standard output is a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "fieldguide", "explain", str(log)]
    surroundings = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | environment
    with subprocess.Popen(command, cwd=ROOT, stdout=theirs, env=surroundings) as running:
        os.close(theirs)
        written = b""
        try:
            while piece := os.read(ours, 65536):
                written += piece
        except OSError:
            pass  # how Linux says that the other end is closed
        running.wait()
    os.close(ours)
    return written


def test_make_explain(log: Path, tmp_path: Path) -> None:
    """Make has one code of its own for whatever goes wrong."""

    def make(file: Path) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["make", "-s", "explain", f"LOG={file}", "LANG_=zh"], cwd=ROOT, capture_output=True, check=False)

    done = make(log)
    assert done.returncode == 0 and "第 3 行" in done.stdout.decode()
    assert make(tmp_path / "none").returncode != 0
