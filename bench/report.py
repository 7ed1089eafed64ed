"""The measurements as a Markdown table that is readable as plain text, and its place in the README."""

import os
import platform
import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unicodedata import east_asian_width

from bench.cases import KINDS
from bench.engines import Engine
from bench.logs import ROOT, LogTimes, Reading
from bench.measure import Speed, Speeds, faster, percentile
from bench.quality import Outcome, score
from bench.targets import Target
from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.guide import load_words

BEGIN, END = "<!-- bench -->", "<!-- /bench -->"
SECTION = "Measured"
FEW = 20
GIVEN_UP = 30_000  # milliseconds, LIMIT of harness.js
LICENCE_HEADING = "## Licence"


@dataclass(frozen=True)
class Results:
    """Everything one run measured.

    Attributes:
        missing: engine key → why it could not be measured.
        large: speed with `times` the content; empty when that was left out.
        skipped: cases whose expected entry does not exist.
        command: what makes the same table.
    """

    engines: Sequence[Engine]
    missing: Mapping[str, str]
    outcomes: Mapping[str, Sequence[Outcome]]
    real: Speeds
    large: Speeds
    times: int
    log: LogTimes | None
    targets: Sequence[Target]
    cases: int
    skipped: int
    chromium: str
    command: str


Row = list[str]


def report(results: Results) -> str:
    """The whole report in Markdown."""
    parts = [_heading(results), table(_rows(results)), _ratios(results)]
    if results.log:
        parts += [_log(results.log)]
    missed = [target for target in results.targets if not target.met]
    verdict = f"Targets: {len(results.targets) - len(missed)} of {len(results.targets)} met."
    parts += ["\n".join([verdict, *(f"- missed: {target}" for target in missed)])]
    return "\n\n".join(parts)


def _heading(results: Results) -> str:
    memory = f"{_memory():.0f} GB RAM, " if _memory() else ""
    asked = len(next(iter(results.outcomes.values())))
    return (
        f"`{results.command}`, {datetime.now(UTC):%Y-%m-%d}: {os.cpu_count()} cores, {memory}{platform.system()}, "
        f"Chromium {results.chromium}.\n{results.cases} cases, program output asked in both languages: {asked} queries; "
        f"{results.skipped} cases skipped, their entry does not exist.\n"
        "Same content, same browser, same run; of a list grouped by page, the reading that suits the engine best counts.\n"
        "Times in ms, as English / Chinese site; n where the engine was too slow for all queries. Sizes after gzip."
    )


def _memory() -> float:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (ValueError, OSError):
        return 0.0


def _rows(results: Results) -> list[Row]:
    return [
        ["", *(engine.title for engine in results.engines)],
        *_quality_rows(results),
        *_speed_rows(results, results.real, ""),
        *(_speed_rows(results, results.large, f", {results.times}× content") if results.large else []),
    ]


def _quality_rows(results: Results) -> Iterator[Row]:
    def row(title: str, cell: Callable[[Sequence[Outcome]], str]) -> Row:
        return [title, *(_cell(results, engine, lambda key: cell(results.outcomes[key])) for engine in results.engines)]

    def places(title: str, fits: Callable[[Outcome], bool]) -> Row:
        count = score(one for one in next(iter(results.outcomes.values())) if fits(one)).count
        return row(f"right entry first / in first three, {title} ({count})", lambda all_: _places(filter(fits, all_)))

    yield places("all", lambda _: True)
    for kind in KINDS:
        yield places(kind, lambda one, kind=kind: one.asked.case.kind == kind)  # type: ignore[misc]
    for language, words in load_words(ROOT).items():
        yield places(f"{words['language_in_english']} site", lambda one, language=language: one.asked.language == language)  # type: ignore[misc]
    count = len(next(iter(results.outcomes.values())))
    yield row(f"no result at all, of {count}", lambda all_: str(sum(one.empty for one in all_)))
    unknown = [one for one in results.outcomes["ours"] if one.asked.case.expect is None]
    claims = str(sum(one.exact for one in unknown))
    yield [f"false exact matches, of {len(unknown)} without an answer", claims, *("no such mark" for _ in results.engines[1:])]


def _places(outcomes: Iterator[Outcome]) -> str:
    total = score(outcomes)
    if not total.count:
        return "n/a"
    return f"{100 * total.first / total.count:.1f} / {100 * total.three / total.count:.1f} %"


def _speed_rows(results: Results, measured: Speeds, suffix: str) -> Iterator[Row]:
    def row(title: str, cell: Callable[[Speed], str]) -> Row:
        def both(key: str) -> str:
            return " / ".join(cell(measured[key, language]) for language in LANGUAGES)

        return [title + suffix, *(_cell(results, engine, both) for engine in results.engines)]

    yield row("first use, transferred, kB", lambda one: f"{one.bytes / 1000:.0f}")
    yield row("first use → first result, median", lambda one: _ms(statistics.median(one.ready)))
    yield row("first use → all of it searched, median", lambda one: _ms(statistics.median(one.complete)))
    yield row("short query, median", lambda one: _of(one.short, 50))
    yield row("short query, p95", lambda one: _of(one.short, 95))
    yield row("5 kB paste, median", lambda one: _of(one.paste, 50))
    yield row("5 kB paste, p95", lambda one: _of(one.paste, 95))


def _cell(results: Results, engine: Engine, value: Callable[[str], str]) -> str:
    return value(engine.key) if engine.key not in results.missing else f"n/a: {results.missing[engine.key]}"


def _of(times: Sequence[float], percent: int) -> str:
    """A percentile; with the number of queries when they took so long that only a few were asked."""
    few = f" (n={len(times)})" if len(times) < FEW else ""
    value = percentile(times, percent)
    return (f"> {GIVEN_UP:,}" if value >= GIVEN_UP else _ms(value)) + few


def _ms(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def _ratios(results: Results) -> str:
    lines = []
    for measured, suffix in ((results.real, ""), (results.large, f" with {results.times}× content")):
        if measured:
            ready, short, paste = (faster(measured, what) for what in ("ready", "short", "paste"))
            times = f"ready {ready:.1f}×, short query p95 {short:.1f}×, 5 kB paste p95 {paste:.1f}×"
            lines.append(f"Faster than Material{suffix}: {times}.")
    return "\n".join(lines)


def _log(log: LogTimes) -> str:
    rows = [[f"log of {log.size / 1e6:.0f} MB", "seconds", "MB/s"]]
    named = (("`grep -F -f` with the same anchors", log.grep), ("`fieldguide explain`", log.terminal), ("log page", log.page))
    return table([*rows, *([name, *_reading(reading, log.size)] for name, reading in named)])


def _reading(reading: Reading, size: int) -> Row:
    if reading.seconds is None:
        return [f"n/a: {reading.reason}", "n/a"]
    return [f"{reading.seconds:.2f}", f"{size / 1e6 / reading.seconds:.0f}"]


def table(rows: Sequence[Row]) -> str:
    """A Markdown table with columns of equal width; the first row is the head.

    >>> print(table([["", "a"], ["long", "1"]]))
    |      | a |
    |------|---|
    | long | 1 |
    """
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [
        "| " + " | ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def _width(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def write_readme(readme: Path, text: str) -> None:
    """Put the report between its marks; a README without them gets a section before the licence."""
    source = readme.read_text(encoding="utf-8")
    block = f"{BEGIN}\n{text}\n{END}"
    marked = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.S)
    if marked.search(source):
        source = marked.sub(lambda _: block, source)
    else:
        head, heading, tail = source.partition(LICENCE_HEADING)
        source = f"{head.rstrip()}\n\n## {SECTION}\n\n{block}\n" + (f"\n{heading}{tail}" if heading else "")
    readme.write_text(source, encoding="utf-8")
