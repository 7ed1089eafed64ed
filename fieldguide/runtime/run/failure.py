"""The first process of a run that failed, apart from those that failed because of it.

Reasoned from causes before times: who only waited for another, lost a peer or was told to stop is no cause, whenever it says
so; of those with a fault of their own the earliest counts. Where nobody shows a fault, the one that the others waited for
does: the rank that is missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fieldguide.runtime.run.collect import natural
from fieldguide.runtime.run.events import Seen, Who
from fieldguide.runtime.run.processes import Census, Placed, Process, expected_ranks
from fieldguide.runtime.run.read import FileRead
from fieldguide.runtime.run.rules import RunRules, number

# Ways to end that a signal or an exit code tells; what else it was is in the log.
_KILLED, _STOPPED = frozenset({9, 137}), frozenset({15, 143, 2, 130})
_CRASHED = frozenset({4, 6, 7, 8, 11, 132, 134, 135, 136, 139})
# What tells of the machine and not of a process: its number is another one inside a container.
_OF_HOST = frozenset({"oom", "gpu", "memory-monitor"})
_SILENCED = frozenset({"killed", "died", "oom", "memory-monitor", "gpu"})
WAITS = frozenset({"waited", "lost"})


@dataclass(frozen=True)
class Failure:
    """Somebody's end.

    Attributes:
        how: the way, see `ways` in `catalog/run.yml`.
        placed: what tells it; None for a process that fell silent.
        time: when, or None.
        evidence: everything else that tells of the same end.
    """

    process: Process
    how: str
    placed: Placed | None
    time: int | None
    evidence: tuple[Placed, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What the logs of a run come to.

    Attributes:
        sure: why the first is the first: "alone" shows a fault of its own; "time", it was the first of several; "close", the
            clocks of their nodes may differ by more; "order", without time stamps, by what weighs most; "missing", the others
            waited for it; "echo", nobody shows a fault.
        missing: ranks that did not take part in what the others waited for.
        expected: ranks that the run has, as far as it is known.
    """

    first: Failure | None
    sure: str
    followed: tuple[Failure, ...]
    processes: tuple[Process, ...]
    missing: tuple[int, ...]
    expected: int | None


def judge(files: Sequence[FileRead], rules: RunRules) -> Verdict:
    """The verdict on the files of one run."""
    census = Census(files)
    named = census.processes(files)
    expected = expected_ranks(files, named)
    _to_whom_it_happened(named, census, rules)
    ends = [end for process in named.values() if (end := _end(process, rules))]
    faults = [one for one in ends if rules.ways[one.how] > 0]
    # What Ray's own helpers trip over, often while they are ended, counts where nothing else does.
    causes = [one for one in faults if not one.placed or one.placed.file.kind != "ray"] or faults
    missing = _missing(named, expected)
    first, sure = _first(causes, ends, named, missing, rules)
    followed = sorted((one for one in ends if _follows(one, first)), key=_order)
    ranked = sorted(named.values(), key=lambda one: (one.who.rank < 0, one.who.rank, one.who.node, one.who.pid))
    # Who lost a peer says at once that one is gone; only a timeout tells of each that did not come.
    told = sure == "missing" or any(one.seen.how == "waited" for process in ranked for one in process.events)
    return Verdict(first, sure, tuple(followed), tuple(ranked), tuple(missing) if told else (), expected)


def _to_whom_it_happened(named: dict[str, Process], census: Census, rules: RunRules) -> None:
    """Give what the machine reports of a process that no log knows to the one that was killed on that node."""
    for name, process in list(named.items()):
        host = [one for one in process.events if one.seen.how in _OF_HOST]
        known = process.files or process.doing or process.who.rank >= 0
        if not host or known or len(host) < len(process.events):
            continue
        node = process.who.node
        killed = [
            other for other in named.values()
            if other is not process and (not node or not other.who.node or other.who.node == node)
            and any(_way(one.seen) == "killed" for one in other.events)
        ]  # fmt: skip
        if not killed:
            missing = set(_missing(named, None))
            killed = [one for one in named.values() if one.who.rank in missing and (not node or one.who.node in ("", node))]
        if len(killed) == 1:
            killed[0].events += host
            killed[0].who = killed[0].who.over(Who(node=node))
            del named[name]


def _way(seen: Seen) -> str:
    """The way to end that an exit code or a signal tells; "" for no end at all."""
    if seen.how != "exited":
        return seen.how
    code = abs(number(seen.said.get("code", seen.said.get("signal", "1"))))
    if code == 0:
        return ""
    return "killed" if code in _KILLED else "stopped" if code in _STOPPED else "crashed" if code in _CRASHED else "exited"


def _end(process: Process, rules: RunRules) -> Failure | None:
    """How a process ended, by what weighs most; None where nothing tells that it did."""
    told = [(way, one) for one in process.events if (way := _way(one.seen)) and not _survived(process, one, rules)]
    if not told:
        return None
    echoes = {way for way, _ in told if rules.ways[way] == 0}
    # A process that waited for another, or was told to stop, ends with an exit code, too: that is no fault of its own.
    weak = {"exited", "crashed", "died"} if echoes else set()
    weak |= {"killed"} if "stopped" in echoes else set()
    ours = [(way, one) for way, one in told if way not in weak]
    way, chosen = min(ours, key=lambda item: (-rules.ways[item[0]], item[1].seen.time is None, item[1].seen.time or 0))
    times = [one.seen.time for kind, one in ours if one.seen.time is not None and rules.ways[kind] > 0]
    times = times or [one.seen.time for _, one in ours if one.seen.time is not None]
    if way in _SILENCED and process.quiet_since is not None:
        # Who is killed says so nowhere: its last line is nearer to its end than when somebody noticed.
        times = [one.seen.time for _, one in ours if one.seen.time is not None and one.seen.dated] + [process.quiet_since]
    return Failure(process, way, chosen, min(times, default=None), tuple(one for _, one in told))


def _survived(process: Process, placed: Placed, rules: RunRules) -> bool:
    """Whether the process went on working behind an error of its own."""
    if placed.seen.name != "traceback" or placed.seen.how != "raised":
        return False
    return any(file is placed.file and doing.line > placed.seen.line for doing, file in process.doing)


def _missing(named: Mapping[str, Process], expected: int | None) -> list[int]:
    """Ranks that the others waited for: those that do not say that they waited or lost a peer."""
    waiting = {one.who.rank for one in named.values() if one.who.rank >= 0 and _waits(one)}
    if not waiting:
        return []
    size = expected if expected is not None else max(one.who.rank for one in named.values()) + 1
    away = [rank for rank in range(size) if rank not in waiting]
    return away if len(away) * 2 <= size else []  # else it is logs that are missing


def _waits(process: Process) -> bool:
    return any(one.seen.how in WAITS for one in process.events)


def _first(
    causes: Sequence[Failure], ends: Sequence[Failure], named: Mapping[str, Process], missing: Sequence[int], rules: RunRules
) -> tuple[Failure | None, str]:
    if causes:
        return _earliest(causes, rules)
    if missing:
        silent = [_of_rank(rank, named) for rank in missing]
        return min(silent, key=lambda one: (one.time is None, one.time or 0, one.process.who.rank)), "missing"
    if behind := _behind(ends):
        return behind, "missing"
    return (min(ends, key=_order), "echo") if ends else (None, "")


def _earliest(causes: Sequence[Failure], rules: RunRules) -> tuple[Failure, str]:
    """The first of those with a fault of their own, and how sure that is."""
    strongest = max(rules.ways[one.how] for one in causes)
    if len(causes) == 1:
        return causes[0], "alone"
    timed = sorted((one for one in causes if one.time is not None), key=_order)
    heavy = [one for one in causes if rules.ways[one.how] == strongest]
    if not timed or (len(timed) < len(causes) and heavy[0].time is None):
        return heavy[0], "alone" if len(heavy) == 1 else "order"
    first = timed[0]
    nodes = {one.process.who.node for one in timed[1:] if (one.time or 0) - (first.time or 0) < rules.limits["apart"]}
    close = first.process.who.node and nodes - {first.process.who.node, ""}
    return first, "close" if close else "time"


def _of_rank(rank: int, named: Mapping[str, Process]) -> Failure:
    process = next((one for one in named.values() if one.who.rank == rank), Process(Who(rank=rank)))
    return Failure(process, "silent", None, process.quiet_since)


def _behind(ends: Sequence[Failure]) -> Failure | None:
    """Of ranks that all waited, the one that is behind: its last collective has the lowest number."""
    numbers = dict(_numbers(ends))
    if len(numbers) < 2 or len(set(numbers.values())) < 2:
        return None
    lowest = min(numbers.values())
    behind = [at for at, number in numbers.items() if number == lowest]
    return replace(ends[behind[0]], how="silent") if len(behind) == 1 else None


def _numbers(ends: Sequence[Failure]) -> Iterator[tuple[int, int]]:
    for at, end in enumerate(ends):
        found = [number(one.seen.said["seq"]) for one in end.evidence if one.seen.how == "waited" and "seq" in one.seen.said]
        if found:
            yield at, max(found)


def _follows(end: Failure, first: Failure | None) -> bool:
    """Whether an end is worth a line: not that of a server, which is told to stop at the end of every run."""
    who = end.process.who
    return (first is None or end.process is not first.process) and (end.how != "stopped" or who.rank >= 0 or bool(who.actor))


def _order(failure: Failure) -> tuple[bool, int, tuple[tuple[int, str], ...]]:
    who = failure.process.who
    return failure.time is None, failure.time or 0, natural(f"{who.rank:06} {who.node} {who.pid:08}")
