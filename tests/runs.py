"""The runs of `tests/runs`: folders of logs, and what failed first in each."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

RUNS = Path(__file__).parent / "runs"


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
