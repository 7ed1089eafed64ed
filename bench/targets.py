"""What our search has to reach; the run fails when it does not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.measure import Speeds, faster, slowest
from bench.quality import Outcome, score

FIRST, THREE, TRACEBACKS = 95.0, 99.0, 97.0
DATA_KB = 150.0
TIMES_FASTER = 5.0
LARGE_READY_MS, LARGE_QUERY_MS = 1000.0, 50.0


@dataclass(frozen=True)
class Target:
    """One number to hold: `value` must be at least, or at most, `limit`."""

    name: str
    value: float
    limit: float
    at_least: bool
    unit: str

    @property
    def met(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"{self.name}: {self.value:.1f}{self.unit}, target {sign} {self.limit:g}{self.unit}"


def targets(outcomes: Sequence[Outcome], data: Mapping[str, int], real: Speeds, large: Speeds) -> Iterator[Target]:
    """Every target, met or not.

    Args:
        outcomes: of our search.
        data: bytes of our search data by language.
        real, large: speed with the real content and with a multiple of it.
    """
    every, tracebacks = score(outcomes), score(one for one in outcomes if one.asked.case.kind == "traceback")
    claims = sum(one.exact for one in outcomes if one.asked.case.expect is None)
    yield Target("right entry first", 100 * every.first / every.count, FIRST, True, " %")
    yield Target("right entry in the first three", 100 * every.three / every.count, THREE, True, " %")
    yield Target("right entry first, tracebacks", 100 * tracebacks.first / tracebacks.count, TRACEBACKS, True, " %")
    yield Target("false exact matches", claims, 0, False, "")
    for language, size in data.items():
        yield Target(f"search data, {language}", size / 1000, DATA_KB, False, " kB")
    yield Target("ready, against Material", faster(real, "ready"), TIMES_FASTER, True, "×")
    yield Target("5 kB paste p95, against Material", faster(real, "paste"), TIMES_FASTER, True, "×")
    if large:
        yield Target("ready with 20× content", slowest(large, "ours", "ready"), LARGE_READY_MS, False, " ms")
        for what, name in (("short", "short query"), ("paste", "5 kB paste")):
            yield Target(f"{name} p95 with 20× content", slowest(large, "ours", what), LARGE_QUERY_MS, False, " ms")
