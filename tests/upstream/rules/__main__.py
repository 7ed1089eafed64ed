"""Run upstream's own checks, those of every release, on random settings, and compare the calculator with them.

    python -m tests.upstream.rules path/to/clones [framework …]             # every release; records what they say
    python -m tests.upstream.rules path/to/clones --random 10 [--seed 7]    # so many releases, nothing is written

Clones stand in one folder as `owner+name/repo`. The files written hold a head (framework, commit, names of the settings) and a
line for each draw: the settings, `version` among them (null is the commit), and the first error or null. The same code gives
the same files. Exit 1 when the calculator says something else.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random, randrange
from typing import Any

from fieldguide.content.compile import lookup_guide
from fieldguide.content.guide import load_guide
from tests.conftest import ROOT
from tests.upstream.rules.compare import CHECKS, Draw, Version, compared, versions

FIXTURES = ROOT / "tests" / "fixtures" / "calculate"
DRAWS = 300
RECORDED = 40  # of each release; of the commit all
MOST = 1500  # of all releases of a framework


def main(arguments: Sequence[str]) -> int:
    """Compare, print the table, record unless releases are picked."""
    parser = argparse.ArgumentParser(prog="python -m tests.upstream.rules", description="Compare with upstream's own checks.")
    parser.add_argument("clones", type=Path)
    parser.add_argument("frameworks", nargs="*", choices=[*CHECKS, []])
    parser.add_argument("--random", type=int, help="compare so many releases, picked at random")
    parser.add_argument("--seed", type=int, default=randrange(10**6), help="of that pick and of its draws")
    asked = parser.parse_args(arguments)
    catalog = load_guide(ROOT).catalog
    definitions = lookup_guide(catalog).definitions
    every = [version for name in asked.frameworks or CHECKS for version in versions(catalog.framework[name])]
    chosen, seed = every, "recorded"
    if asked.random:
        print(f"seed {asked.seed}")
        picked = Random(asked.seed).sample(range(len(every)), min(asked.random, len(every)))
        chosen, seed = [every[number] for number in sorted(picked)], str(asked.seed)
    print(f"{'framework':<10} {'release':<14} {'inputs':>7} {'stopped':>8} {'agreed':>7} {'differing':>10}")
    results = {one: _shown(one, [*compared(asked.clones, one, definitions[one.framework], seed, DRAWS)]) for one in chosen}
    if not asked.random:
        many = Counter(one.framework for one in results)
        kept = {name: min(RECORDED, MOST // releases) for name, releases in many.items()}
        _record({one: draws if one.tag is None else draws[: kept[one.framework]] for one, draws in results.items()})
    return int(any(not draw.agrees for draws in results.values() for draw in draws))


def _shown(version: Version, draws: list[Draw]) -> list[Draw]:
    """The draws, after a line of the table and the first that differs."""
    stopped, agreed = sum(draw.error is not None for draw in draws), sum(draw.agrees for draw in draws)
    columns = f"{version.framework:<10} {version.name:<14} {len(draws):>7} {stopped:>8} {agreed:>7} {len(draws) - agreed:>10}"
    print(columns, flush=True)
    for draw in [draw for draw in draws if not draw.agrees][:1]:
        print(f"    {draw.settings}\n    upstream: {draw.error}")
    return draws


def _record(results: dict[Version, list[Draw]]) -> None:
    """One file for each framework."""
    for framework in dict.fromkeys(version.framework for version in results):
        own = {version: draws for version, draws in results.items() if version.framework == framework}
        commit = next(version.revision for version in own if version.tag is None)
        names = list(dict.fromkeys(name for draws in own.values() for draw in draws for name in draw.settings))
        lines: list[Any] = [{"framework": framework, "commit": commit, "names": ["version", *names]}]
        for version, draws in reversed(own.items()):
            lines += [[version.tag, *(draw.settings.get(name) for name in names), draw.error] for draw in draws]
        file = FIXTURES / f"{framework}.jsonl"
        file.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")
        print(f"{file.relative_to(ROOT)}: {len(lines) - 1} draws")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
