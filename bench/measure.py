"""Runs the engines: one after the other on the same machine, content and browser, turn by turn."""

import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser

from bench.cases import Asked, Case, asked, long_pastes, short_queries
from bench.engines import Engine, Opened, gzipped, session, transferred
from bench.quality import Judge, Outcome
from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.guide import Guide


@dataclass(frozen=True)
class Effort:
    """How often things are repeated: first uses, rounds of queries, and milliseconds after which queries stop."""

    opens: int
    rounds: int
    budget: int


@dataclass(frozen=True)
class Speed:
    """Times of one engine in one language, in milliseconds, and what its first use transfers.

    Attributes:
        ready: worker started → first result, once per first use.
        complete: worker started → all of the content is searched.
        short, paste: one per query; a paste is a traceback of 5 kB.
        bytes: gzip, of everything that the first use loads.
    """

    ready: tuple[float, ...]
    complete: tuple[float, ...]
    short: tuple[float, ...]
    paste: tuple[float, ...]
    bytes: int


Speeds = Mapping[tuple[str, str], Speed]  # by key of engine, language


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that `percent` of the values do not exceed.

    >>> percentile([1, 2, 3, 4], 50), percentile([5.0], 95)
    (2, 5.0)
    """
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * percent // 100) - 1)]


def answerable(cases: Sequence[Case], guide: Guide) -> list[Case]:
    """The cases whose expected entry exists, and those that expect none."""
    return [case for case in cases if case.expect is None or case.expect in guide.home_of]


def quality(browser: Browser, base: str, engine: Engine, cases: Sequence[Case], guide: Guide) -> list[Outcome]:
    """Ask every case, in each language it belongs to."""
    judge = Judge(guide, engine.key == "ours")
    outcomes = []
    for language in LANGUAGES:
        turn: list[Asked] = asked(cases, language)
        with session(browser, base, engine, language) as running:
            answers = running.answers([one.case.typed for one in turn])
        outcomes += [judge.judge(one, answer) for one, answer in zip(turn, answers, strict=True)]
    return outcomes


def speeds(
    browser: Browser, base: str, site: Path, engines: Sequence[Engine], cases: Sequence[Case], effort: Effort
) -> dict[tuple[str, str], Speed]:
    """Time first use and queries of every engine; the engines take turns, so that all meet the same machine."""
    measured = {}
    for language in LANGUAGES:
        opened: dict[str, list[Opened]] = {engine.key: [] for engine in engines}
        for _ in range(effort.opens - 1):
            for engine in engines:
                with session(browser, base, engine, language) as running:
                    opened[engine.key].append(running.opened)
        for engine in engines:
            print(f"bench:   {engine.title}, {language}", file=sys.stderr, flush=True)
            with session(browser, base, engine, language) as running:
                every = [*opened[engine.key], running.opened]
                measured[engine.key, language] = Speed(
                    ready=tuple(one.ready for one in every),
                    complete=tuple(one.complete for one in every),
                    short=tuple(running.times(short_queries(cases, language), effort.rounds, effort.budget)),
                    paste=tuple(running.times(long_pastes(cases), effort.rounds, effort.budget)),
                    bytes=transferred(site, running.opened.paths),
                )
    return measured


def data_bytes(site: Path) -> dict[str, int]:
    """Bytes of our search data after gzip, by language."""
    return {
        language: sum(gzipped(site / "search" / f"{name}.json") for name in (language, f"{language}-more"))
        for language in LANGUAGES
    }


def typical(measured: Speeds, engine: str, language: str, what: str) -> float:
    """The number that counts in one language: median of `ready`, 95th percentile of `short` or `paste`."""
    times: Sequence[float] = getattr(measured[engine, language], what)
    return statistics.median(times) if what == "ready" else percentile(times, 95)


def slowest(measured: Speeds, engine: str, what: str) -> float:
    """The number of the slower language."""
    return max(typical(measured, engine, language, what) for language in LANGUAGES)


def faster(measured: Speeds, what: str) -> float:
    """How many times faster ours is than the theme's own search, in the language where that is less."""
    return min(typical(measured, "material", one, what) / typical(measured, "ours", one, what) for one in LANGUAGES)
