"""Runs the programs of `cases.yml` with the packages they name and compares what they print with the recorded transcripts.

python -m tests.upstream.errors [--record] [--keep] [name of a program or package set …]
"""

import argparse
import contextlib
import datetime
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from fieldguide.content.guide import load_guide
from tests.conftest import ROOT
from tests.upstream.errors.cases import HERE, Case, Judge, Transcript, load_manifest, read_transcript
from tests.upstream.errors.masking import mask

# Virtual environments, one per package set.
CACHE = ROOT / ".upstream"
TIMEOUT = 300
LARGEST = 2**30
SETTINGS = {
    "PYTHONUNBUFFERED": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
    "RAY_AUTH_MODE": "disabled",
    "TOKENIZERS_PARALLELISM": "false",
}
VERSIONS = """
import importlib.metadata, platform, sys
print(*(f"{name} {importlib.metadata.version(name)}," for name in sys.argv[1:]), "Python", platform.python_version())
"""


class RunError(RuntimeError):
    """A package set cannot be installed, or a program does not end."""


def requirements(set_name: str) -> list[str]:
    """Names of the packages that a set asks for."""
    lines = (HERE / "sets" / f"{set_name}.in").read_text(encoding="utf-8").splitlines()
    return [line.partition("==")[0].partition("[")[0] for line in lines if line and not line.startswith("#")]


def python_of(set_name: str) -> str:
    """Python version of a set: 3.11 unless its first line says another."""
    first = (HERE / "sets" / f"{set_name}.in").read_text(encoding="utf-8").splitlines()[0]
    return first.removeprefix("# python ") if first.startswith("# python ") else "3.11"


def install(set_name: str) -> Path:
    """The virtual environment of a set, made if need be.

    Raises:
        RunError: uv is missing or fails.
    """
    environment, lock = CACHE / set_name, ROOT / "locks" / f"upstream-{set_name}.txt"
    stamp = environment / "lock.txt"
    if stamp.is_file() and stamp.read_bytes() == lock.read_bytes():
        return environment
    shutil.rmtree(environment, ignore_errors=True)
    _uv("venv", "--quiet", "--python", python_of(set_name), str(environment))
    _uv("pip", "install", "--quiet", "--python", str(environment), "--require-hashes", "-r", str(lock))
    shutil.copy(lock, stamp)
    return environment


def _uv(*arguments: str) -> None:
    try:
        subprocess.run(["uv", *arguments], check=True)
    except FileNotFoundError as error:
        raise RunError("uv is needed (pip install uv)") from error
    except subprocess.CalledProcessError as error:
        raise RunError(f"uv {arguments[0]} fails") from error


def run(case: Case, set_name: str, environment: Path) -> Transcript:
    """What the program prints, on both outputs together, masked.

    Raises:
        RunError: it does not end in time.
    """
    folder = Path(tempfile.mkdtemp(prefix="case-"))
    try:
        shutil.copy(HERE / "programs" / case.program, folder)
        path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
        surroundings = {"PATH": path, "HOME": str(folder), "TMPDIR": str(folder), "LANG": "C.UTF-8", **SETTINGS}
        interpreter = "bash" if case.program.endswith(".sh") else str(environment / "bin" / "python")
        printed = _output([interpreter, case.program], folder, surroundings)
    except subprocess.TimeoutExpired as error:
        raise RunError(f"{case.name}: still runs after {TIMEOUT} s") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    text = mask(printed.decode("utf-8", "replace"), [*_places(environment), (f"{folder}/", "")])
    head = {
        "program": f"tests/upstream/errors/programs/{case.program}",
        "versions": _asked(environment, VERSIONS, *requirements(set_name)) if requirements(set_name) else _system(),
        "recorded": datetime.date.today().isoformat(),
    }
    return Transcript(head, text)


def _output(command: Sequence[str], folder: Path, surroundings: dict[str, str]) -> bytes:
    """Both outputs of a command; it may write no large file, and nothing that it started outlives it."""
    with subprocess.Popen(
        command, cwd=folder, env=surroundings, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST)),
    ) as process:  # fmt: skip
        try:
            return process.communicate(timeout=TIMEOUT)[0]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _places(environment: Path) -> Iterator[tuple[str, str]]:
    """Folders of an environment and of its Python, and what stands for them."""
    asked = "import sysconfig; print(sysconfig.get_path('stdlib')); print(sysconfig.get_path('purelib'))"
    stdlib, packages = _asked(environment, asked).splitlines()
    yield f"{packages}/", "site-packages/"
    yield f"{stdlib}/", f"lib/{Path(stdlib).name}/"
    yield f"{environment}/", ""


def _system() -> str:
    """Versions of bash, Python, and of what `sh` is; dash cannot tell its own."""
    command = 'echo "bash ${BASH_VERSION%%(*}, $(basename "$(readlink -f "$(command -v sh)")") as sh"'
    shells = subprocess.run(["bash", "-c", command], check=True, capture_output=True, text=True).stdout.strip()
    return f"{shells}, Python {platform.python_version()}"


def _asked(environment: Path, program: str, *arguments: str) -> str:
    command = [str(environment / "bin" / "python"), "-c", program, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def compare(case: Case, set_name: str, fresh: Transcript, judge: Judge) -> Iterator[str]:
    """What is wrong with a fresh run; it shall show the same signatures as the recorded one."""
    yield from judge.problems(case, fresh.text)
    if (path := case.transcript(set_name)).is_file():
        recorded = read_transcript(path)
        for entry in case.entries:
            then, now = (
                [one for one in judge.matched(entry, text) if not case.may_vary(one)] for text in (recorded.text, fresh.text)
            )
            yield from (f"no longer prints {one.text!r}" for one in then if one not in now)
            yield from (f"the transcript lacks {one.text!r}" for one in now if one not in then)
    else:
        yield "has no transcript: run with --record"


def main(arguments: Sequence[str]) -> int:
    """Run everything, or what is named; 1 if something is not as recorded."""
    parser = argparse.ArgumentParser(prog="tests.upstream.errors", description="Reproduce the errors of the guide.")
    parser.add_argument("names", nargs="*", help="programs or package sets; all if none")
    parser.add_argument("--record", action="store_true", help="write the transcripts anew")
    parser.add_argument("--keep", action="store_true", help="keep the virtual environments in .upstream")
    options = parser.parse_args(arguments)
    wanted: dict[str, list[Case]] = {}
    for case in load_manifest().cases:
        for name in case.sets:
            if not options.names or {case.name, case.program, name} & set(options.names):
                wanted.setdefault(name, []).append(case)
    judge, wrong = Judge(load_guide(ROOT).catalog), 0
    for set_name, cases in wanted.items():
        try:
            environment = install(set_name)
            for case in cases:
                wrong += _show(case, set_name, run(case, set_name, environment), judge, record=options.record)
        except RunError as error:
            print(f"{set_name}: {error}", file=sys.stderr)
            wrong += 1
        if not options.keep:
            shutil.rmtree(CACHE / set_name, ignore_errors=True)
    return int(bool(wrong))


def _show(case: Case, set_name: str, fresh: Transcript, judge: Judge, *, record: bool) -> bool:
    """Print the outcome of one run; true if something is wrong."""
    if record:
        case.transcript(set_name).write_text(fresh.written(), encoding="utf-8")
    problems = list(compare(case, set_name, fresh, judge))
    print(f"{'WRONG' if problems else 'ok   '} {case.name} with {fresh.head['versions']}", flush=True)
    for problem in problems:
        print(f"      {problem}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
