"""Run upstream's own checks on random settings and record what they say.

    python -m tests.upstream.rules path/to/clones [framework …]

Clones stand in one folder as `owner+name/repo`. The files written hold a head (framework, commit, names of the settings) and a
line for each draw: the settings, and the first error or null. The same seed gives the same files.
"""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from fieldguide.content.guide import load_guide
from tests.conftest import ROOT
from tests.upstream.rules import chatlearn, roll, slime, verl

FIXTURES = ROOT / "tests" / "fixtures" / "calculate"
DRAWS = 700
CHECKS: dict[str, tuple[Any, Any]] = {
    "chatlearn": (chatlearn.ChatLearn, chatlearn.draw),
    "roll": (roll.Roll, roll.draw),
    "slime": (slime.Slime, slime.draw),
    "verl": (verl.Verl, verl.draw),
}


def main(clones: Path, wanted: list[str]) -> int:
    """Write one file for each framework, or for those wanted."""
    frameworks = load_guide(ROOT).catalog.framework
    for framework in wanted or CHECKS:
        load, draw = CHECKS[framework]
        commit = frameworks[framework].commit
        checks = load(clones, commit)
        random = Random(framework)
        drawn = [draw(random) for _ in range(DRAWS)]
        names = list(dict.fromkeys(name for settings in drawn for name in settings))
        lines: list[Any] = [{"framework": framework, "commit": commit, "names": names}]
        lines += [[*([s.get(name) for name in names]), checks.first_error(s)] for s in drawn]
        file = FIXTURES / f"{framework}.jsonl"
        file.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")
        failing = sum(line[-1] is not None for line in lines[1:])
        print(f"{file.relative_to(ROOT)}: {len(lines) - 1} draws, {failing} stopped by an error")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
