"""Read a log of any size and list the known errors in it, the first of the run first.

Memory is bounded: a chunk of text, a window around each hit, and one record per entry.
"""

import codecs
import gzip
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import ahocorasick_rs

from fieldguide.catalog.store import Catalog
from fieldguide.find.clean import clean
from fieldguide.find.match import HINT_BONUS, Pattern, patterns

CHUNK = 4 * 1024 * 1024
# Lines before and after a hit that a signature of several lines may reach to, and how much of a line is looked at.
LINES_AROUND = 4
MAX_LINE = 8192
# An entry found this often is not verified any further; the lines are still counted by their anchor.
MAX_VERIFIED = 2000

_MAGIC = {b"\x28\xb5\x2f\xfd": "zstd", b"\xfd7zXZ\x00": "xz", b"BZh": "bzip2", b"PK\x03\x04": "zip"}
_UNPACK = {
    "zstd": "zstd -dc train.log.zst | python -m fieldguide explain -",
    "xz": "xz -dc train.log.xz | python -m fieldguide explain -",
    "bzip2": "bzip2 -dc train.log.bz2 | python -m fieldguide explain -",
    "zip": "unzip -p logs.zip | python -m fieldguide explain -",
}


class LogError(ValueError):
    """The file is not a log that can be read; the message says what to do."""


@dataclass(frozen=True)
class Finding:
    """A known error in a log.

    Attributes:
        line: 1-based number of the first line it stands on.
        count: how often it stands there.
        text: what matched first, as cleaned.
        also: other entries that the same text could mean.
    """

    entry: str
    line: int
    count: int
    text: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Diagnosis:
    """What a log shows.

    Attributes:
        findings: by first line.
        framework: the one most named, or None.
        lines: how many were read.
    """

    findings: tuple[Finding, ...]
    framework: str | None
    lines: int


@dataclass
class _Hit:
    pattern: Pattern
    line: int
    count: int
    text: str


class Scanner:
    """Looks for every signature in a stream of bytes."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._rules = [item.record for item in catalog.cleaning]
        self._patterns = patterns(catalog)
        anchors: dict[bytes, list[Pattern]] = {}
        for pattern in self._patterns:
            anchors.setdefault(pattern.anchor.encode(), []).append(pattern)
        self._anchors = list(anchors.values())
        self._automaton = ahocorasick_rs.BytesAhoCorasick(list(anchors))
        self._hints = [(framework.id, hint.encode()) for framework in catalog.framework.values() for hint in framework.hints]

    def scan(self, stream: BinaryIO) -> Diagnosis:
        """Read `stream` (plain text, gzip, UTF-8 or UTF-16) to its end.

        Raises:
            LogError: an archive of another kind, or no text at all.
        """
        hits: dict[str, _Hit] = {}
        named: Counter[str] = Counter()
        number, tail = 0, b""
        for chunk in _text_chunks(stream):
            data = tail + chunk
            base = number - tail.count(b"\n")
            self._chunk(data, base, len(tail), hits, named)
            number = base + data.count(b"\n")
            tail = _last_lines(data)
        lines = number + (1 if tail and not tail.endswith(b"\n") else 0)
        framework = named.most_common(1)[0][0] if named else None
        return Diagnosis(tuple(self._findings(hits, framework)), framework, lines)

    def _chunk(self, data: bytes, base: int, fresh: int, hits: dict[str, _Hit], named: Counter[str]) -> None:
        """Verify every anchor that stands in `data`; what begins before `fresh` was seen with the chunk before."""
        for framework, hint in self._hints:
            named[framework] += min(data.count(hint, fresh), 1000)
        line, at = base, 0
        verified: set[tuple[str, int]] = set()
        for index, start, _end in self._automaton.find_matches_as_indexes(data, overlapping=True):
            if start < fresh:
                continue
            line += data.count(b"\n", at, start)
            at = start
            self._verify(data, start, line + 1, self._anchors[index], hits, verified)

    def _verify(
        self,
        data: bytes,
        start: int,
        line: int,
        candidates: Sequence[Pattern],
        hits: dict[str, _Hit],
        verified: set[tuple[str, int]],
    ) -> None:
        window: str | None = None
        for pattern in candidates:
            held = hits.get(pattern.signature.text + pattern.entry)
            if (pattern.signature.text + pattern.entry, line) in verified:
                continue
            if held and held.count >= MAX_VERIFIED:
                held.count += 1
                continue
            window = window if window is not None else self._window(data, start)
            found = pattern.compiled.search(window)
            if not found:
                continue
            verified.add((pattern.signature.text + pattern.entry, line))
            if held:
                held.count += 1
            else:
                hits[pattern.signature.text + pattern.entry] = _Hit(pattern, line, 1, found.group())

    def _window(self, data: bytes, start: int) -> str:
        """The line of a hit with a few lines on both sides, cleaned."""
        begin = end = start
        for _ in range(LINES_AROUND + 1):
            begin = max(data.rfind(b"\n", max(0, begin - MAX_LINE), begin), 0)
        for _ in range(LINES_AROUND + 1):
            following = data.find(b"\n", end + 1, end + MAX_LINE)
            end = following if following >= 0 else min(end + MAX_LINE, len(data))
        return clean(data[begin:end].decode("utf-8", "replace"), self._rules)

    def _findings(self, hits: dict[str, _Hit], framework: str | None) -> Iterator[Finding]:
        """One per entry; entries that share the text of another, better one are named there."""
        best: dict[str, _Hit] = {}
        for hit in hits.values():
            held = best.get(hit.pattern.entry)
            if held is None or hit.line < held.line:
                best[hit.pattern.entry] = hit
        shadowed: dict[str, list[str]] = {}
        for entry, hit in list(best.items()):
            better = self._better(hit, best.values(), framework)
            if better is not None:
                shadowed.setdefault(better, []).append(entry)
                del best[entry]
        for entry, hit in sorted(best.items(), key=lambda pair: (pair[1].line, pair[0])):
            yield Finding(entry, hit.line, hit.count, hit.text, tuple(sorted(shadowed.get(entry, []))))

    def _better(self, hit: _Hit, others: Iterable[_Hit], framework: str | None) -> str | None:
        """Entry of a hit on the same line that fits better: more specific text, or the framework of the log."""

        def score(one: _Hit) -> tuple[int, str]:
            return one.pattern.weight + (HINT_BONUS if one.pattern.framework == framework else 0), one.pattern.entry

        rivals = [one for one in others if one.line == hit.line and one is not hit and score(one) > score(hit)]
        return max(rivals, key=score).pattern.entry if rivals else None


def _last_lines(data: bytes) -> bytes:
    """The end of a chunk that is read again with the next: its last lines, bounded."""
    at = len(data)
    for _ in range(LINES_AROUND + 1):
        at = data.rfind(b"\n", max(0, at - MAX_LINE), at)
        if at < 0:
            return data[-MAX_LINE:]
    return data[at + 1 :]


def _text_chunks(stream: BinaryIO) -> Iterator[bytes]:
    """UTF-8 bytes of the text in `stream`, in chunks of about CHUNK."""
    head = stream.read(65536)
    if head.startswith(b"\x1f\x8b"):
        unpacked = gzip.GzipFile(fileobj=_Joined(head, stream))
        yield from _text_chunks(io.BufferedReader(unpacked))
        return
    for magic, name in _MAGIC.items():
        if head.startswith(magic):
            raise LogError(f"this is a {name} archive; unpack it first: {_UNPACK[name]}")
    encoding = _utf16(head)
    if encoding is None and head.count(0) > len(head) // 100:
        raise LogError("this is a binary file, not a log")
    decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
    data = head
    while data:
        yield decoder.decode(data).encode("utf-8", "replace") if decoder else data
        data = stream.read(CHUNK)


def _utf16(head: bytes) -> str | None:
    """Name of a UTF-16 encoding, by its mark or by the zeros of ASCII text in it."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    even, odd = head[:2000:2].count(0), head[1:2000:2].count(0)
    if len(head) > 20 and odd > 400 and even < 20:
        return "utf-16-le"
    return "utf-16-be" if len(head) > 20 and even > 400 and odd < 20 else None


class _Joined(io.RawIOBase):
    """`head` followed by the rest of a stream that cannot be rewound (a pipe)."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self._head:
            return self._rest.read(size)
        taken = self._head if size < 0 else self._head[:size]
        self._head = self._head[len(taken) :]
        return taken + self._rest.read(size) if size < 0 else taken
