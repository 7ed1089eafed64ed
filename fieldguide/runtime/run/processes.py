"""Who took part in a run: what its logs tell of one process, put together from all of them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from fieldguide.runtime.run.events import Doing, Seen, Who
from fieldguide.runtime.run.read import FileRead
from fieldguide.runtime.run.rules import number

# Files of a process that serves others, or of the machine: they speak for nobody whom their lines do not name.
SHARED_FILES = frozenset({"raylet", "gcs", "ray", "kernel", "launcher", "driver", "job-driver", "engine", "other"})


@dataclass(frozen=True)
class Placed:
    """Something seen, and the file it stands in."""

    seen: Seen
    file: FileRead

    @property
    def place(self) -> tuple[str, int]:
        """File and line."""
        return self.file.member.path, self.seen.line


@dataclass
class Process:
    """One process of the run, as far as it is known.

    Attributes:
        files: logs that are its own.
        doing: what it did last, each file's.
    """

    who: Who
    files: list[FileRead] = field(default_factory=list)
    events: list[Placed] = field(default_factory=list)
    doing: list[tuple[Doing, FileRead]] = field(default_factory=list)

    @property
    def last(self) -> FileRead | None:
        """Its own log that was written last."""
        timed = [one for one in self.files if one.last is not None]
        return max(timed, key=lambda one: one.last or 0) if timed else next(iter(self.files), None)

    @property
    def quiet_since(self) -> int | None:
        """Time of its last own line."""
        return self.last.last if self.last else None

    @property
    def did(self) -> dict[str, str]:
        """Phase, step and collective that it was in last."""
        said: dict[str, str] = {}
        for doing, _ in sorted(self.doing, key=lambda one: (one[0].time is not None, one[0].time or 0, one[0].line)):
            said.update(doing.said)
        return said


class Census:
    """Tells processes apart by what names them: a rank that one process has, else its number, its actor, its file."""

    def __init__(self, files: Sequence[FileRead]) -> None:
        pids: dict[int, set[int]] = defaultdict(set)
        ranks: dict[int, set[int]] = defaultdict(set)
        nodes: dict[int, set[str]] = defaultdict(set)
        self._where: dict[int, str] = {}
        self._actors: dict[int, str] = {}
        for who in _everyone(files):
            if who.pid >= 0 and who.node:
                nodes[who.pid].add(who.node)
            if who.pid >= 0 and who.rank >= 0:
                pids[who.rank].add(who.pid)
                ranks[who.pid].add(who.rank)
            if who.pid >= 0 and who.actor:
                self._actors.setdefault(who.pid, who.actor)
            if who.rank >= 0 and who.node:
                self._where.setdefault(who.rank, who.node)
        self._rank = {pid: next(iter(of)) for pid, of in ranks.items() if len(of) == 1 and len(pids[next(iter(of))]) == 1}
        self._pid = {rank: next(iter(of)) for rank, of in pids.items() if len(of) == 1}
        self._node = {pid: next(iter(of)) for pid, of in nodes.items() if len(of) == 1}
        self.known_pids = {who.pid for who in _everyone(files) if who.pid >= 0}

    def full(self, who: Who) -> Who:
        """Somebody with all that the run tells of it."""
        rank = who.rank if who.rank >= 0 else self._rank.get(who.pid, -1)
        pid = who.pid if who.pid >= 0 else self._pid.get(rank, -1)
        node = who.node or self._node.get(pid, "") or self._where.get(rank, "")
        return Who(rank, pid, node, who.actor or self._actors.get(pid, ""))

    def processes(self, files: Sequence[FileRead]) -> dict[str, Process]:
        """Every process by a name for it."""
        found: dict[str, Process] = {}

        def of(who: Who, file: FileRead) -> Process:
            own = self.full(who)
            process = found.setdefault(self.name(own, file), Process(own))
            process.who = process.who.over(own)
            return process

        for file in files:
            if file.kind not in SHARED_FILES and file.who != Who(node=file.who.node):
                of(file.who, file).files.append(file)
            for doing in file.doing:
                of(doing.who, file).doing.append((doing, file))
            for seen in file.events:
                if seen.role != "tells":
                    of(seen.who, file).events.append(Placed(seen, file))
        return found

    def name(self, who: Who, file: FileRead) -> str:
        """What a process is called in here."""
        if who.rank >= 0 and (who.pid < 0 or self._rank.get(who.pid) == who.rank):
            return f"rank {who.rank}"
        if who.pid >= 0:
            return f"pid {who.pid}"
        if who.actor:
            return f"actor {who.node} {who.actor}"
        if file.kind == "kernel" or (who.node and file.kind in ("launcher", "raylet", "gcs")):
            return f"node {who.node}"
        return f"file {file.member.path}"


def _everyone(files: Sequence[FileRead]) -> list[Who]:
    found: dict[Who, None] = {}
    for file in files:
        found[file.who] = None
        found.update((one.who, None) for one in file.events)
        found.update((one.who, None) for one in file.doing)
    return list(found)


def expected_ranks(files: Sequence[FileRead], processes: dict[str, Process]) -> int | None:
    """How many ranks the run says that it has; None where neither a line nor a file tells."""
    sizes = [number(seen.said["size"]) for file in files for seen in file.events if "size" in seen.said]
    sizes += [number(doing.said["size"]) for file in files for doing in file.doing if "size" in doing.said]
    seen = [process.who.rank + 1 for process in processes.values() if process.who.rank >= 0]
    return max([*sizes, *seen], default=None)
