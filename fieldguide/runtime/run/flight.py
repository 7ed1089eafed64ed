"""Dumps of the NCCL flight recorder, read by torch's own analyser where a Python with torch is at hand.

The dumps are pickles, and reading one may run what is in it: only copies that hold plain data are handed on.
"""

import pickletools
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PREFIX = "nccl_trace_rank_"
# In the wheels since 2.10.0; that of 2.9.1 lacks it, and its `torchfrtrace` names a module that is not in it either.
MODULE = "torch.distributed.flight_recorder.fr_trace"
_TIMEOUT = 30  # seconds of each try
_PARTLY = "--allow-incomplete-ranks"  # where not every rank left a dump
_LARGEST = 256 * 1024 * 1024  # bytes of all dumps together
_LONGEST = 4000  # characters of the verdict
_NOTICE = "tabulate is not installed. Proceeding without it."  # first line where that package is missing
# What a pickle needs to do more than hold numbers, texts and lists of them.
_ACTS = frozenset({
    "GLOBAL", "STACK_GLOBAL", "REDUCE", "BUILD", "INST", "OBJ", "NEWOBJ", "NEWOBJ_EX", "EXT1", "EXT2", "EXT4", "PERSID",
    "BINPERSID",
})  # fmt: skip


@dataclass(frozen=True)
class Flight:
    """What the flight recorder tells.

    Attributes:
        dumps: how many there are.
        verdict: what torch's analyser says; "" where it could not be asked.
        command: to ask it.
    """

    dumps: int
    verdict: str
    command: str


def read_flight(dumps: Sequence[Path], pythons: Sequence[str] | None = None) -> Flight | None:
    """What the dumps tell; None without any.

    Args:
        pythons: interpreters that may have torch (default: this one, and `python`).
    """
    if not dumps:
        return None
    command = f"python -m {MODULE} {dumps[0].parent.as_posix()} -p {PREFIX}"
    asked = pythons if pythons is not None else [one for one in (sys.executable, shutil.which("python")) if one]
    try:
        verdict = _ask(dumps, list(dict.fromkeys(asked)))
    except (OSError, subprocess.SubprocessError):
        verdict = ""
    return Flight(len(dumps), verdict, command)


def _ask(dumps: Sequence[Path], pythons: Sequence[str]) -> str:
    if sum(one.stat().st_size for one in dumps) > _LARGEST:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        copies = [Path(shutil.copy(one, folder)) for one in dumps]
        if not all(map(is_plain, copies)):
            return ""
        for python, more in ((python, more) for python in pythons for more in ([], [_PARTLY])):
            asked = [python, "-m", MODULE, folder, "-p", PREFIX, *more]
            done = subprocess.run(asked, capture_output=True, text=True, timeout=_TIMEOUT, check=False, errors="replace")
            if done.returncode == 0 and (said := (done.stdout.strip() or done.stderr).replace(_NOTICE, "").strip()):
                return said.replace(folder, ".")[-_LONGEST:]
    return ""


def is_plain(dump: Path) -> bool:
    """Whether a pickle holds plain data and nothing that is called when it is read."""
    try:
        with dump.open("rb") as stream:
            return all(operation.name not in _ACTS for operation, _, _ in pickletools.genops(stream))
    except (OSError, ValueError, IndexError, UnicodeDecodeError):
        return False
