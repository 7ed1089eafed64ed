"""The runs of `tests/runs`: folders of logs, and what failed first in each."""

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

RUNS = Path(__file__).parent / "runs"
# A line and the time that stands at its head, as it is shown.
CLOCKS = [
    ("2026-11-22 10:33:21,5 INFO x", "2026-11-22 10:33:21.500"),
    ("2026-11-22T10:33:21.123456Z x", "2026-11-22 10:33:21.123"),
    ("2026-11-22T18:33:21+08:00 x", "2026-11-22 10:33:21.000"),
    ("[2026-11-22 10:33:21,100 E 123 456] (raylet) x", "2026-11-22 10:33:21.100"),
    ("2026-11-22 10:33:21.100 | ERROR | loguru", "2026-11-22 10:33:21.100"),
    ("E1122 10:33:21.100000 77 x.cc:1] glog", "11-22 10:33:21.100"),
    ("[rank0]:[E325 04:13:11.372179233 ProcessGroupNCCL.cpp:760] x", "03-25 04:13:11.372"),
    ("(EngineCore pid=1) ERROR 11-22 10:33:21 [core.py:1] x", "11-22 10:33:21.000"),
    ("Nov 22 10:33:21 node3 kernel: x", "11-22 10:33:21.000"),
    ("[Sun Nov 22 10:33:21 2026] Memory cgroup", "2026-11-22 10:33:21.000"),
    ("1763807601.25 step", "2025-11-22 10:33:21.250"),
    ("[ 1234.567] dmesg of a machine that says when it started nowhere", ""),
    ("2026-13-45 10:33:21 no day", ""),
    ("0000-01-01 10:33:21 no year", ""),
    ("0001-01-01 10:33:21+14:00 before all years", "1970-01-01 20:33:21.000"),
    ("2026-02-30 23:59:60.9999 the day after the last", "2026-03-03 00:00:00.999"),
    ("step 10 of 20", ""),
]
# A path, and what it tells: kind, rank, number of the process, node.
KINDS = [
    ("logs/worker-0a1b-01000000-4321.err", "worker", -1, 4321, ""),
    ("python-core-worker-0a1b_4321.log", "core-worker", -1, 4321, ""),
    ("raylet.out", "raylet", -1, -1, ""),
    ("gcs_server.out", "gcs", -1, -1, ""),
    ("job-driver-raysubmit_x.log", "job-driver", -1, -1, ""),
    ("none_ab/attempt_0/3/stderr.log", "rank", 3, -1, ""),
    ("slurm-4711_12.out", "rank", 12, -1, ""),
    ("slurm-4711.out", "launcher", -1, -1, ""),
    ("node-1/rank3.log", "rank", 3, -1, "node-1"),
    ("dmesg-node3.txt", "kernel", -1, -1, "node3"),
    ("nccl_trace_rank_5", "flight", 5, -1, ""),
    ("vllm-0.log", "engine", -1, -1, ""),
    ("train.log", "driver", -1, -1, ""),
    ("2026.20261122103321.log", "other", -1, -1, ""),
    ("notes.txt", "other", -1, -1, ""),
]


@dataclass(frozen=True)
class RecordedRun:
    """A folder of logs and what is to be found in it.

    Attributes:
        expected: {"first": {"rank", "pid", "node", "how", "entry", "error"}, "missing"}; what is not there may be anything.
    """

    name: str
    logs: Path
    expected: dict[str, Any]

    def differences(self, record: dict[str, Any]) -> list[str]:
        """What an answer says otherwise."""
        failure = record["failure"] or {}
        said = {**failure, "error": (failure.get("told") or {}).get("error", "")}
        wrong = [
            f"{name}: {said.get(name)!r}, not {one!r}" for name, one in self.expected["first"].items() if said.get(name) != one
        ]
        if "missing" in self.expected and record["missing"] != self.expected["missing"]:
            wrong.append(f"missing: {record['missing']}, not {self.expected['missing']}")
        return wrong


def load_runs() -> list[RecordedRun]:
    """All of them, by name."""
    return [
        RecordedRun(file.parent.name, file.parent / "logs", yaml.safe_load(file.read_text(encoding="utf-8")))
        for file in sorted(RUNS.glob("*/expected.yml"))
    ]


def zipped(files: dict[str, bytes]) -> bytes:
    """A Zip archive of files by their names."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()
