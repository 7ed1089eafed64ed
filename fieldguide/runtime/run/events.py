"""What the lines of one log tell of a run: who failed, who reports or echoes it, what each did last.

A log is fed in chunks; memory is bounded by `limits` of the rules, whatever the log's size.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import ahocorasick_rs

from fieldguide.runtime.dialect import stripped
from fieldguide.runtime.guide import Guide
from fieldguide.runtime.run.clock import Clock
from fieldguide.runtime.run.rules import Event, RunRules, number
from fieldguide.runtime.told import Told, told_by

REACH = 32_768  # bytes on both sides of a hit that are at hand
_LONGEST = 4096  # bytes of a line that are looked at
_BACK = 60  # lines before one without a time stamp that are asked for theirs
_WHO = 400  # characters of a line in which its speaker stands
_TRACEBACK = b"Traceback (most recent call last)"
_AROUND = 800  # bytes on both sides of a failing line that are kept for the answer
_RAISED = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,100}(?:\([A-Za-z0-9_.]{1,80}\))?(?::|$|\n)")
_CHAIN = re.compile(r"\n*(?:The above exception was the direct cause|During handling of the above exception)")
_TASK = re.compile(r"ray::[^\n]{0,200}?\(pid=([0-9]{1,15})(?:, ip=([^,) \t\n\r\f\v]+))?")
_WAITED = re.compile(r"[Tt]imed? ?out|[Tt]imeout")


@dataclass(frozen=True)
class Who:
    """A process of a run, as far as a line or a file's name tells it; -1 and "" are not known."""

    rank: int = -1
    pid: int = -1
    node: str = ""
    actor: str = ""

    def over(self, other: "Who") -> "Who":
        """This one, and what the other knows besides: nothing, where they are two."""
        if (self.rank >= 0 <= other.rank != self.rank) or (self.pid >= 0 <= other.pid != self.pid):
            return self if self.node else replace(self, node=other.node)
        return Who(
            self.rank if self.rank >= 0 else other.rank,
            self.pid if self.pid >= 0 else other.pid,
            self.node or other.node,
            self.actor or other.actor,
        )


def who_of(said: dict[str, str]) -> Who:
    """Who fields of a pattern name."""
    return Who(
        number(said.get("rank", "-1")), number(said.get("pid", "-1")), said.get("node", ""), stripped(said.get("actor", ""))
    )


@dataclass(frozen=True)
class Seen:
    """Something that a log tells.

    Attributes:
        role, how: see `Event`; `who` it happened to.
        time: milliseconds; None where neither the line nor those before have a time stamp.
        said: what the groups of its pattern held.
        told: of a traceback, the error and its place.
        block: the text around, for the answer.
        dated: the line has a time stamp of its own; else `time` is that of a line before, and it may be much later.
    """

    name: str
    role: str
    how: str
    line: int
    time: int | None
    text: str
    who: Who
    said: dict[str, str] = field(default_factory=dict)
    told: Told | None = None
    block: str = ""
    dated: bool = True


@dataclass
class Doing:
    """What somebody did last; `began` and `line` are those of the last such line, `times` how many there were."""

    who: Who
    line: int = 0
    time: int | None = None
    times: int = 0
    said: dict[str, str] = field(default_factory=dict)


class Watcher:
    """Looks for the events of the rules in one log."""

    def __init__(self, anchors: "Anchors", who: Who) -> None:
        self._anchors, self._rules, self._who = anchors, anchors.rules, who
        self._data, self._fresh, self._line = b"", 0, 0
        half = self._rules.limits["keep"] // 2
        self._first: list[Seen] = []
        self._latest: deque[Seen] = deque(maxlen=half)
        self._half = half
        self._told: list[Seen] = []
        self._skip_until: dict[Who, int] = {}
        self._undated: dict[Who, int] = {}
        self.doing: dict[Who, Doing] = {}
        self.first_time: int | None = None
        self.last_time: int | None = None
        self.last_line = ""

    @property
    def events(self) -> tuple[Seen, ...]:
        """What was seen, in order: of very many the first and the last."""
        return (*self._told, *self._first, *self._latest)

    def feed(self, chunk: bytes) -> None:
        """The next piece of the log; none is its end."""
        data = self._data + chunk
        safe = max(self._fresh, len(data) - REACH) if chunk else len(data)
        at = self._fresh
        if self.first_time is None:
            self.first_time = self._first_time(data)
        for start, key in self._hits(data, safe):
            self._line += data.count(b"\n", at, start)
            at = start
            self._hit(data, start, self._anchors.events[key])
        self._date(data)
        self._line += data.count(b"\n", at, safe)
        if (time := self._time_before(data, safe)) is not None:
            self.last_time = time
        if not chunk:
            self.last_line = self._last_line(data)
        cut = max(0, safe - REACH)
        self._skip_until = {who: until - cut for who, until in self._skip_until.items() if until > cut}
        self._data, self._fresh = data[cut:], safe - cut

    def _hits(self, data: bytes, safe: int) -> list[tuple[int, int]]:
        """Where anchors stand from `fresh` to `safe`, in order; of very many with one text the first and the last, of doings
        the last alone.
        """
        found: dict[int, list[int]] = {}
        for key, start, _end in self._anchors.automaton.find_matches_as_indexes(data, overlapping=True):
            if self._fresh <= start < safe:
                found.setdefault(key, []).append(start)
        most = self._rules.limits["hits"]
        for key, starts in found.items():
            if len(starts) > most:
                half = 0 if {event.role for event in self._anchors.events[key]} == {"does"} else most // 2
                found[key] = starts[:half] + starts[half - most :]
        return sorted((start, key) for key, starts in found.items() for start in starts)

    def _hit(self, data: bytes, start: int, events: tuple[Event, ...]) -> None:
        begin = max(data.rfind(b"\n", max(0, start - _LONGEST), start) + 1, start - _LONGEST, 0)
        line = _line(data, begin)
        who = self._speaker(line).over(self._who)
        if not events:
            if start >= self._skip_until.get(who, 0):
                self._traceback(data, begin, who)
            return
        for event in events:
            text = line if event.lines == 1 else self._anchors.guide.cleaned(_lines(data, begin, event.lines))
            said = event.named.read(text)
            if said is None:
                continue
            if event.role == "does":
                self._does(event, said, who, begin)
            elif event.role == "tells":
                self._tells(event, said, who)
            else:
                self._note(event, said, who, data, begin, line)
            return

    def _does(self, event: Event, said: dict[str, str], who: Who, begin: int) -> None:
        if who not in self.doing and len(self.doing) >= self._rules.limits["speakers"]:
            return
        own = self.doing.setdefault(who, Doing(who))
        own.line, own.times = self._line + 1, own.times + 1
        own.said.update(said)
        self._undated[who] = begin
        if event.does:
            own.said["phase"] = event.does

    def _date(self, data: bytes) -> None:
        """Read the time of what each speaker did last in this chunk."""
        for who, begin in self._undated.items():
            self.doing[who].time = self._time(data, begin, _line(data, begin))
        self._undated.clear()

    def _tells(self, event: Event, said: dict[str, str], who: Who) -> None:
        """Who is who, and how many: said once, however often it is repeated."""
        told = Seen(event.name, event.role, event.how, 0, None, "", who_of(said).over(who), said)
        if len(self._told) < self._half and told not in self._told:
            self._told.append(told)

    def _note(self, event: Event, said: dict[str, str], who: Who, data: bytes, begin: int, line: str) -> None:
        named = who_of(said)
        if event.role == "reports" and named != Who():
            # Who reports is another than who ended: of the speaker only the node is taken, where the line names none.
            whose = named if named.node else replace(named, node=self._who.node)
        else:
            whose = named.over(who)
        block = self._around(data, begin)
        self._keep(
            Seen(
                event.name, event.role, event.how, self._line + 1, self._time(data, begin, line),
                self._shown(line), whose, said, None, block, self._anchors.clock.read(line) is not None,
            )
        )  # fmt: skip

    def _traceback(self, data: bytes, begin: int, who: Who) -> None:
        lines, end = self._block(data, begin, who)
        self._skip_until[who] = end
        text = "\n".join(lines)
        told = told_by(text, self._anchors.guide)
        message = next((one for one in reversed(lines) if stripped(one) and not one.startswith((" ", "\t"))), "")
        error = f"{told.error}: {told.message}" if told else message
        echo = told is None or told.error.rpartition(".")[2] in self._rules.echoes
        echo = echo or any(one in error for one in self._rules.echo_texts)
        how = ("waited" if _WAITED.search(error) else "lost") if echo else "raised"
        raw = data[begin:end].decode("utf-8", "replace") if "RayTaskError" in text else ""
        if tasks := _TASK.findall(raw):
            pid, node = tasks[-1]
            who = Who(pid=int(pid), node=node) if int(pid) != who.pid else who
        time = self._time(data, begin, _line(data, begin))
        self._keep(
            Seen(
                "traceback", "echoes" if echo else "fails", how, self._line + 1, time, error[: self._rules.limits["shown"]],
                who, {}, told, text[-_AROUND * 3 :],
            )
        )  # fmt: skip

    def _block(self, data: bytes, begin: int, who: Who) -> tuple[list[str], int]:
        """The cleaned lines of a traceback with those that it is chained to, as one process says them; and where they end."""
        most = self._rules.limits["block"]
        pieces = data[begin : begin + most].split(b"\n")
        heads = [self._speaker(piece[:_LONGEST].decode("utf-8", "replace")) for piece in pieces[:2]]
        # Where each line of the block is marked with its speaker, those of others stand between them.
        marked = heads[-1] != Who() and _same(heads[-1], heads[0])
        lines: list[str] = []
        at, raised = begin, -1
        for piece in pieces:
            line = piece[:_LONGEST].decode("utf-8", "replace").rstrip("\r")
            if marked and not _same(self._speaker(line), heads[0]):
                at += len(piece) + 1
                continue
            cleaned = self._anchors.guide.cleaned(line)
            if raised >= 0:
                if _CHAIN.match(cleaned):
                    raised = -1
                elif len(lines) - raised > 3 or cleaned.startswith("Traceback"):
                    break
            elif lines and _RAISED.match(cleaned) and not cleaned.startswith(("Traceback", "File ")) and "ray::" not in cleaned:
                raised = len(lines)  # behind `ray::` follows the traceback of the worker
            lines.append(cleaned)
            at += len(piece) + 1
        return lines[: raised + 1] if raised >= 0 else lines, min(at, begin + most)

    def _around(self, data: bytes, begin: int) -> str:
        """Whole lines before and from the one that begins there."""
        low = (data.find(b"\n", begin - _AROUND, begin) + 1 or begin) if begin > _AROUND else 0
        high = data.rfind(b"\n", begin, begin + _AROUND)
        return data[low : high if high > begin else begin + _AROUND].decode("utf-8", "replace")

    def _keep(self, seen: Seen) -> None:
        if len(self._first) < self._half:
            self._first.append(seen)
        else:
            self._latest.append(seen)

    def _shown(self, line: str) -> str:
        return stripped(self._anchors.guide.cleaned(line))[: self._rules.limits["shown"]]

    def _speaker(self, line: str) -> Who:
        """Who says a line, by what stands at its head."""
        found = Who()
        head = line[:_WHO]
        for rule in self._rules.speakers:
            for match in rule.compiled.finditer(head):
                found = who_of(rule.values(match)).over(found)
        return found

    def _time(self, data: bytes, begin: int, line: str) -> int | None:
        time = self._anchors.clock.read(line)
        return time if time is not None else self._time_before(data, begin)

    def _time_before(self, data: bytes, end: int) -> int | None:
        """The time of the last line that has one and ends before."""
        for line in _back(data, end):
            if (time := self._anchors.clock.read(line)) is not None:
                return time
        return self.last_time

    def _first_time(self, data: bytes) -> int | None:
        lines = data[:REACH].split(b"\n", _BACK)[:_BACK]
        times = (self._anchors.clock.read(line[:_LONGEST].decode("utf-8", "replace")) for line in lines)
        return next((time for time in times if time is not None), None)

    def _last_line(self, data: bytes) -> str:
        last = next((line for line in _back(data, len(data)) if stripped(line)), "")
        return self._shown(last)


class Anchors:
    """The texts by which events are found, for any number of logs."""

    def __init__(self, rules: RunRules, guide: Guide) -> None:
        self.rules, self.guide, self.clock = rules, guide, Clock(rules)
        wanted: dict[bytes, list[Event]] = {_TRACEBACK: []}
        for event in rules.events:
            wanted.setdefault(event.anchor.encode(), []).append(event)
        self.events = [tuple(events) for events in wanted.values()]
        made: Any = ahocorasick_rs.BytesAhoCorasick(list(wanted), implementation=ahocorasick_rs.Implementation.DFA)
        self.automaton = made


def _same(one: Who, other: Who) -> bool:
    return (one.pid, one.rank, one.actor) == (other.pid, other.rank, other.actor)


def _line(data: bytes, begin: int) -> str:
    end = data.find(b"\n", begin, begin + _LONGEST)
    return data[begin : end if end >= 0 else begin + _LONGEST].decode("utf-8", "replace").rstrip("\r")


def _lines(data: bytes, begin: int, count: int) -> str:
    return "\n".join(
        line[:_LONGEST].decode("utf-8", "replace").rstrip("\r")
        for line in data[begin : begin + REACH].split(b"\n", count)[:count]
    )


def _back(data: bytes, end: int) -> Iterator[str]:
    """Lines before `end`, the last one first."""
    for _ in range(_BACK):
        if end <= 0:
            return
        begin = data.rfind(b"\n", max(0, end - REACH), end - 1) + 1 if end > 1 else 0
        yield data[begin : min(end, begin + _LONGEST)].decode("utf-8", "replace")
        end = begin
