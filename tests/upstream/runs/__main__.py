"""Runs the programs of `cases.yml` until they fail and keeps the folder of logs of each below tests/runs.

python -m tests.upstream.runs [--into FOLDER] [name …]
"""

import argparse
import contextlib
import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from tests.conftest import ROOT
from tests.upstream.errors.__main__ import SETTINGS, RunError, install

HERE = Path(__file__).parent
RUNS = ROOT / "tests" / "runs"
TIMEOUT = 240
# Copies the logs of Ray's session.
KEEP_SESSION = """
keep_session() {
  sleep 3
  S=$(readlink -f "$RAY_TMPDIR/ray/session_latest")
  mkdir -p "$LOGS/$(basename "$S")" && cp -r "$S/logs" "$LOGS/$(basename "$S")/"
}
"""
_LARGEST = 60_000  # bytes of a file that is kept whole
_UNTOLD = ("debug_state*", "dashboard*", "*.pb", "export_*", "metrics*", "agent-*", "ray_client*", "old", "nohup.err")
_ADDRESS = re.compile(r"\b(?!127\.|0\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b(?!\.\d)")


def record(name: str, command: str, environment: Path, into: Path) -> None:
    """Run one case and keep what it logs.

    Raises:
        RunError: it does not end in time.
    """
    folder = Path(tempfile.mkdtemp(prefix="run-", dir="/tmp"))  # Ray's sockets need a short path
    logs = folder / "kept"
    logs.mkdir()
    for program in (HERE / "programs").glob("*.py"):
        shutil.copy(program, folder)
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    surroundings = {
        "PATH": path,
        "HOME": str(folder),
        "LOGS": str(logs),
        "RAY_TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        **SETTINGS,
    }
    with subprocess.Popen(
        ["bash", "-c", KEEP_SESSION + command], cwd=folder, env=surroundings, start_new_session=True
    ) as process:
        try:
            process.wait(TIMEOUT)
        except subprocess.TimeoutExpired as error:
            raise RunError(f"{name}: still runs after {TIMEOUT} s") from error
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    kept = into / name / "logs"
    shutil.rmtree(kept, ignore_errors=True)
    places = [(f"{environment}/", ""), (f"{folder}/kept/", ""), (f"{folder}/", "/job/")]
    for file, text in _texts(logs, places):
        (kept / file).parent.mkdir(parents=True, exist_ok=True)
        (kept / file).write_text(text, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)


def _texts(logs: Path, places: Sequence[tuple[str, str]]) -> Iterator[tuple[Path, str]]:
    """Every log without what tells of the machine."""
    nodes: dict[str, str] = {}
    for file in sorted(logs.rglob("*")):
        if (
            not file.is_file()
            or not file.stat().st_size
            or any(part.match(one) for part in (file, file.parent) for one in _UNTOLD)
        ):
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        for place, name in places:
            text = text.replace(place, name)
        text = re.sub(rf"(?<![\w-]){re.escape(socket.gethostname())}(?![\w-])", "node-1", text).replace(
            f"_{getpass.getuser()}/", "_user/"
        )
        text = re.sub(r"\S*python -m tests\.upstream\.runs[^\n\\]*", "bash", text)  # of Ray's list of processes
        text = _ADDRESS.sub(lambda match: nodes.setdefault(match[0], f"10.0.0.{len(nodes) + 1}"), text)
        yield file.relative_to(logs), _trimmed(text)


def _trimmed(text: str) -> str:
    """Of a long file the beginning and the end."""
    if len(text) <= _LARGEST:
        return text
    return f"{text[: _LARGEST // 2]}\n... trimmed ...\n{text[-_LARGEST // 2 :]}"


def main(arguments: Sequence[str]) -> int:
    """Record everything, or what is named; 1 if something could not be."""
    parser = argparse.ArgumentParser(prog="tests.upstream.runs", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--into", type=Path, default=RUNS)
    parser.add_argument("--environment", type=Path, help="a virtual environment that is there")
    options = parser.parse_args(arguments)
    wrong = 0
    for case in yaml.safe_load((HERE / "cases.yml").read_text(encoding="utf-8"))["cases"]:
        if options.names and case["name"] not in options.names:
            continue
        if case.get("root") and os.geteuid() != 0:
            print(f"{case['name']}: left out, needs root")
            continue
        try:
            record(case["name"], case["run"], options.environment or install(case["set"]), options.into)
            print(f"{case['name']}: recorded", flush=True)
        except RunError as error:
            print(error, file=sys.stderr)
            wrong += 1
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
