"""Read a log of any size and list the known errors in it, the first of the run first.

The page does the same in `overrides/assets/javascripts/scan/scanner.js`; `tests/cases/logs.yml` holds both to it.

How: an automaton looks for one distinctive piece of every signature at once. At each hit the line is matched as it
stands; if that fails, a window of a few lines is cleaned and matched as if it were one line (as a pasted traceback arrives
in the search box). Signatures that share a line of text compete: the best one is the finding, the others are what the same
text could mean besides.

Memory is bounded: a chunk of text, a window around each hit, and one record per set of signatures found together.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import BinaryIO

import ahocorasick_rs

from fieldguide.runtime.encoding import LogReader
from fieldguide.runtime.findings import Diagnosis, Places, Span, cause_first
from fieldguide.runtime.guide import Guide, Signature
from fieldguide.runtime.match import MOST_TEXT
from fieldguide.runtime.window import Sides, Stands, Windows, has, split

CHUNK = 4 * 1024 * 1024
_END = 4 * MOST_TEXT  # bytes at either end of a log that hold so many characters
_FEW = 32  # hits of one text in a chunk that are looked at one by one
_SPACE = re.compile("[ \t\n\r\f\v]+")


def spellings(key: str, gaps: Sequence[str]) -> list[str]:
    """The key with each thing that may stand in its gap; behind it the next word is left to the match.

    >>> spellings("batch_size -", ["\\n"]), spellings("chunks", ["\\n"])
    (['batch_size -', 'batch_size\\n'], ['chunks'])
    """
    first, gap, _ = key.partition(" ")
    return [key, *(first + other for other in gaps)] if gap else [key]


@dataclass(frozen=True)
class _Wanted:
    """A signature in the scanner, with its position in the guide."""

    index: int
    signature: Signature

    @cached_property
    def words(self) -> tuple[bytes, ...]:
        return tuple(word.encode() for word in self.signature.words)


@dataclass
class _Run:
    """What is known of one log so far; its size does not depend on the log's."""

    places: Places
    texts: dict[int, str] = field(default_factory=dict)
    looks: dict[int, int] = field(default_factory=dict)
    hints: dict[tuple[str, bytes], int] = field(default_factory=dict)


class Scanner:
    """Looks for every signature in a stream of bytes."""

    def __init__(self, guide: Guide, chunk: int = CHUNK) -> None:
        """`chunk`: bytes that are read at once."""
        self._guide = guide
        self._limits = guide.scan["limits"]
        self._windows = Windows.of(guide)
        self._size = chunk
        wanted: dict[bytes, list[_Wanted]] = {}
        for index, one in enumerate(guide.signatures):
            looked_for = _Wanted(index, one)
            for spelling in spellings(one.key, guide.scan["gaps"]):
                wanted.setdefault(spelling.encode(), []).append(looked_for)
        self._wanted = list(wanted.values())
        self._automaton = ahocorasick_rs.BytesAhoCorasick(list(wanted), implementation=ahocorasick_rs.Implementation.DFA)
        self._hints = [(one.id, hint.encode()) for one in guide.known for hint in one.hints]
        self._longest = max((len(hint) for _, hint in self._hints), default=1)
        named = [hint for _, hint in self._hints]
        self._names = ahocorasick_rs.BytesAhoCorasick(named, implementation=ahocorasick_rs.Implementation.DFA)

    def scan(self, stream: BinaryIO, watch: Callable[[bytes], None] | None = None) -> Diagnosis:
        """Read `stream` (plain text, gzip, UTF-8 or UTF-16) to its end.

        Args:
            watch: is given each piece of the text as well, and an empty one at its end.

        Raises:
            LogError: an archive of another kind, or no text at all.
        """
        run = _Run(Places(self._guide, self._limits["groups"]))
        reader = LogReader(stream, self._size, self._limits["head"], self._guide.scan["archives"])
        reach = self._limits["reach"]
        # `data` begins `reach` bytes before `fresh`; what stands less than that before its end waits for the next chunk.
        data, fresh, position, line, head, tail = b"", 0, 0, 0, b"", b""
        for chunk in chain(reader.chunks(), [b""]):
            if watch:
                watch(chunk)
            data += chunk
            head += chunk[: _END - len(head)]
            tail = (tail + chunk)[-_END:]
            safe = max(fresh, len(data) - reach) if chunk else len(data)
            self._count_hints(run, data, fresh, safe, position)
            line = self._chunk(run, data, fresh, safe, line)
            run.places.close(line - self._limits["linesAround"] if chunk else None)
            position += safe - fresh
            ends = data.endswith(b"\n") if data else True
            cut = max(0, safe - reach)
            data, fresh = data[cut:], safe - cut
        frameworks = _frameworks(run)
        end = tail.decode("utf-8", "replace")[-MOST_TEXT:]
        named = self._guide.frameworks_named(end) if position <= _END else set()  # as in the search box
        applying = [*frameworks, *sorted(named.difference(frameworks))]
        found = cause_first(run.places.findings(applying, run.texts), end, self._guide)
        begin = head.decode("utf-8", "replace")[:MOST_TEXT]
        return Diagnosis(found, next(iter(frameworks), None), line if ends else line + 1, end, reader.damaged, begin)

    def _count_hints(self, run: _Run, data: bytes, fresh: int, safe: int, position: int) -> None:
        """Count names of frameworks that begin in [fresh, safe), block by block of the log."""
        block = self._limits["hintBlock"]
        while fresh < safe:
            if position % block == 0 and sum(run.hints.values()) >= self._limits["hintsEnough"]:
                return
            end = min(safe, fresh + block - position % block)
            piece = data[fresh : end + self._longest - 1]
            for key, start, _end in self._names.find_matches_as_indexes(piece, overlapping=True):
                if start < end - fresh:
                    hint = self._hints[key]
                    run.hints[hint] = run.hints.get(hint, 0) + 1
            position += end - fresh
            fresh = end

    def _chunk(self, run: _Run, data: bytes, fresh: int, safe: int, line: int) -> int:
        """Verify every hit that begins in [fresh, safe).

        Returns:
            number of line ends before `safe`, when `line` was that before `fresh`.
        """
        at, seen_on = fresh, -1
        stands, seen = Stands(data), set[int]()
        possible: dict[int, list[_Wanted]] = {}
        hits: dict[int, int] = {}
        for key, start, _end in self._automaton.find_matches_as_indexes(data, overlapping=True):
            if not fresh <= start < safe:
                continue
            if (candidates := possible.get(key)) is None:
                candidates = self._wanted[key]
                hits[key] = hits.get(key, 0) + 1
                if hits[key] > _FEW:  # to look for its words in the whole chunk pays from here on
                    candidates = possible[key] = [one for one in candidates if all(stands[word] for word in one.words)]
            if not candidates:
                continue
            line += data.count(b"\n", at, start) - data.count(b"\n", start, at)
            at = start
            if line != seen_on:
                seen_on, seen = line, set()
            for span in self._verify(run, data, start, line + 1, [one for one in candidates if one.index not in seen]):
                seen.add(span.index)
                run.places.open.append(span)
        return line + data.count(b"\n", at, safe)

    def _verify(self, run: _Run, data: bytes, start: int, line: int, candidates: Sequence[_Wanted]) -> Iterator[Span]:
        """The signatures that stand at `start`, which is on line `line`."""
        around, own = self._windows, self._windows.line(data, start)
        window = text = cleaned = None
        for one in candidates:
            match: Sides | None = None
            if has(data, one.words, own):
                text = text or split(data, own, start)
                match = around.covering(one.signature.compiled, text)
            if match is None and run.looks.get(one.index, 0) < self._limits["looks"]:
                window = window or around.around(data, start)
                if not has(data, one.words, window):
                    continue
                run.looks[one.index] = run.looks.get(one.index, 0) + 1
                cleaned = cleaned or self._cleaned(split(data, window, start))
                match = around.covering(one.signature.compiled, cleaned)
            if match is not None:
                run.texts.setdefault(one.index, _SPACE.sub(" ", match[0] + match[1])[: self._limits["text"]])
                yield Span(line - match[0].count("\n"), line + match[1].count("\n"), one.index)

    def _cleaned(self, sides: Sides) -> Sides:
        """Both sides of a hit cleaned; no rule takes out a line end."""
        return self._guide.cleaned(sides[0]), self._guide.cleaned(sides[1])


def _frameworks(run: _Run) -> list[str]:
    """Frameworks that the log names: those with most different names first; of several, the one named most often."""
    totals: dict[str, tuple[int, int]] = {}
    for (framework, _hint), count in run.hints.items():
        names, times = totals.get(framework, (0, 0))
        totals[framework] = names + 1, times + count
    return sorted(totals, key=lambda one: (-totals[one][0], -totals[one][1], one))
