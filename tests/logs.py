"""The logs of `tests/cases/logs.yml`, for the tests of the terminal's scanner and of the page's."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from fieldguide.runtime.findings import Diagnosis


@dataclass(frozen=True)
class Log:
    """A log and what is to be found in it.

    Attributes:
        expected: {"framework", "lines", "findings": [[entry, line, count, also]]}.
    """

    name: str
    text: str
    expected: dict[str, Any]


def load_logs() -> list[Log]:
    """All of them, in file order."""
    cases = yaml.safe_load((Path(__file__).parent / "cases" / "logs.yml").read_text(encoding="utf-8"))
    return [
        Log(
            case["name"],
            case.get("filler", "") * case.get("repeat", 0) + case["text"].replace("\\e", "\x1b"),
            {name: case[name] for name in ("framework", "lines", "findings")},
        )
        for case in cases
    ]


def plain(diagnosis: Diagnosis) -> dict[str, Any]:
    """A diagnosis in the form of `Log.expected`."""
    findings = [[one.entry, one.line, one.count, list(one.also)] for one in diagnosis.findings]
    return {"framework": diagnosis.framework, "lines": diagnosis.lines, "findings": findings}


def mixed(megabytes: int, error: str) -> bytes:
    """A log as they are: progress, prefixes, an error now and then."""
    line = (
        "\x1b[36m(RolloutManager pid=812, ip=10.6.6.3)\x1b[0m [2025-10-14 02:08:17] INFO slime rollout {i}: "
        "{{'reward': 0.5, 'train/grad_norm': 0.{i}, 'response_len': 512}} batch_size is fine, config ok\n"
    )
    block = "".join(line.format(i=i) for i in range(20_000)) + error + "\n"
    return block.encode() * (megabytes * 1_000_000 // len(block) + 1)
