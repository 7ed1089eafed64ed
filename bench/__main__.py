"""`python -m bench`: measure, print the table, say which targets are missed."""

import argparse
import importlib.metadata
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from bench.cases import load_cases
from bench.engines import Engine
from bench.logs import MEGABYTE, read_log, write_log
from bench.measure import Effort, answerable, data_bytes, quality, speeds
from bench.report import Results, report, write_readme
from bench.sites import ROOT, add_harness, add_pagefind, build_site, enlarge, pages_of
from bench.targets import targets
from fieldguide.content.guide import load_guide
from tests.browser import launched
from tests.server import serving

PREFIX = "/guide/"
REAL = Effort(opens=7, rounds=4, budget=20_000)
LARGE = Effort(opens=3, rounds=2, budget=20_000)


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark.

    Returns:
        exit code: 0 when every target is met, 1 otherwise.
    """
    options = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="fieldguide-bench-") as folder:
        results = measure(Path(folder), options)
    text = report(results)
    print(text)
    if options.write_readme:
        write_readme(ROOT / "README.md", text)
    return 0 if all(target.met for target in results.targets) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--cases", type=Path, default=ROOT / "tests" / "search", help="search cases: a file or a folder")
    parser.add_argument("--times", type=int, default=20, help="how much more content the large site has; 1 leaves it out")
    parser.add_argument("--log", type=int, default=100, help="size of the log in MB; 0 leaves it out")
    parser.add_argument("--write-readme", action="store_true", help="keep the table in README.md")
    return parser


def measure(folder: Path, options: argparse.Namespace) -> Results:
    """Build the sites in `folder` and measure every engine on them."""
    guide = load_guide(ROOT)
    cases = load_cases(options.cases)
    known = answerable(cases, guide)
    engines = _engines()
    real, large = folder / "real", folder / "large"
    _say("building the site")
    build_site(real)
    add_harness(real)
    absent = add_pagefind(real, pages_of(real))
    if options.times > 1:
        _say(f"writing {options.times} times the content")
        pages = enlarge(real, large, options.times)
        add_harness(large)
        absent = absent or add_pagefind(large, pages)
    missing = {"pagefind": absent} if absent else {}
    present = [engine for engine in engines if engine.key not in missing]
    with ExitStack() as stack:
        browser = stack.enter_context(launched())
        base = stack.enter_context(serving(real, PREFIX))
        _say("asking the cases")
        outcomes = {engine.key: quality(browser, base, engine, known, guide) for engine in present}
        _say("timing")
        real_speeds = speeds(browser, base, real, present, known, REAL)
        large_speeds = {}
        if options.times > 1:
            _say(f"timing with {options.times} times the content")
            large_speeds = speeds(browser, stack.enter_context(serving(large, PREFIX)), large, present, known, LARGE)
        log = None
        if options.log:
            _say("reading a log")
            write_log(folder / "train.log", known, options.log * MEGABYTE)
            log = read_log(browser, base, guide.catalog, folder / "train.log", 3)
        return Results(
            engines=engines,
            missing=missing,
            outcomes=outcomes,
            real=real_speeds,
            large=large_speeds,
            times=options.times,
            log=log,
            targets=list(targets(outcomes["ours"], data_bytes(real), real_speeds, large_speeds)),
            cases=len(cases),
            skipped=len(cases) - len(known),
            chromium=browser.version,
            command=_command(options),
        )


def _command(options: argparse.Namespace) -> str:
    """`make bench` with the options that change what is measured."""
    default, given = vars(_parser().parse_args([])), vars(options)
    changed = [f"--{name} {_shown(given[name])}" for name in ("cases", "times", "log") if given[name] != default[name]]
    return f'make bench BENCH="{" ".join(changed)}"' if changed else "make bench"


def _shown(value: object) -> str:
    return Path(os.path.relpath(value, ROOT)).as_posix() if isinstance(value, Path) else str(value)


def _engines() -> Sequence[Engine]:
    return (
        Engine("ours", "this site"),
        Engine("material", f"Material {_version('mkdocs-material')}"),
        Engine("pagefind", f"Pagefind {_version('pagefind')}".strip()),
    )


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
