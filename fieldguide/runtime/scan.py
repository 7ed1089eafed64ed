"""Read a log of any size and list the known errors in it, the first of the run first.

The page does the same in `overrides/assets/javascripts/scan/scanner.js`; `tests/cases/logs.yml` holds both to it.

How: an automaton looks for one distinctive piece of every signature at once. At each hit the line is matched as it
stands; if that fails, a window of a few lines is cleaned and matched as if it were one line (as a pasted traceback arrives
in the search box). Signatures that share a line of text compete: the best one is the finding, the others are what the same
text could mean besides.

Memory is bounded: a chunk of text, a window around each hit, and one record per set of signatures found together.
"""

import codecs
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import BinaryIO

import ahocorasick_rs

from fieldguide.content.catalog.store import Catalog
from fieldguide.content.signature import parse_signature
from fieldguide.runtime.clean import clean
from fieldguide.runtime.match import HINT_BONUS, Pattern, patterns

CHUNK = 4 * 1024 * 1024
# A hit is looked at with this many lines and at most this many bytes on both sides, wherever the chunks were cut.
LINES_AROUND = 4
REACH = 8192
# So often is a window cleaned for one signature; after that, only the line of a hit is looked at, as it stands.
MAX_LOOKS = 1000
MAX_TRIES = 200
MAX_GROUPS = 4096
MAX_TEXT = 500
# Names of frameworks are counted in blocks of the log until so many were seen.
HINT_BLOCK = 1024 * 1024
HINTS_ENOUGH = 1000
HEAD = 65536

MAX_WORDS = 4
# What may stand between two words, at least how it begins: white space, or a terminal colour.
_GAPS = ("\n", "\r", "\t", "\x1b", "  ", " \n", " \r", " \t", " \x1b")
_SPACE = re.compile("[ \t\n\r\f\v\u2028\u2029]+")

_MAGIC = {b"\x28\xb5\x2f\xfd": "zstd", b"\xfd7zXZ\x00": "xz", b"BZh": "bzip2", b"PK\x03\x04": "zip"}
# How the terminal gets at the text of an archive that it does not read itself.
UNPACK = {
    "zstd": "zstd -dc train.log.zst | python -m fieldguide explain -",
    "xz": "xz -dc train.log.xz | python -m fieldguide explain -",
    "bzip2": "bzip2 -dc train.log.bz2 | python -m fieldguide explain -",
    "zip": "unzip -p logs.zip | python -m fieldguide explain -",
}
_GZIP = b"\x1f\x8b"
_CONTROL = bytes({*range(8), *range(14, 27), *range(28, 32)})


class LogError(ValueError):
    """The file is not a log that can be read.

    Attributes:
        kind: "binary", "damaged", or the name of an archive in `UNPACK`.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(f"cannot be read as a log: {kind}")
        self.kind = kind


@dataclass(frozen=True)
class Finding:
    """A known error in a log.

    Attributes:
        line: 1-based number of the first line it stands on.
        count: how often it stands there; twice on one line counts once.
        text: what matched first, cleaned and on one line.
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
        damaged: a compressed log broke off; what stands before the break was read.
    """

    findings: tuple[Finding, ...]
    framework: str | None
    lines: int
    damaged: bool = False


def distinctive(text: str) -> tuple[str, list[str]]:
    """What to look for first in a log for a signature: a word, or two with a space between; and further words of it.

    >>> distinctive("WARNING: could not find the metadata file {word}")
    ('WARNING: could', ['metadata', 'find', 'file', 'not'])
    """
    runs = [""]
    for piece in parse_signature(text):
        if piece.placeholder:
            runs.append("")
        else:
            runs[-1] += piece.text
    sentences = [run.split() for run in runs]
    words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
    pairs = [f"{one} {two}" for sentence in sentences for one, two in pairwise(sentence) if len(one) > 2]
    key = max([*pairs, *words], key=len)
    others = sorted((word for word in words if word not in key.split()), key=len, reverse=True)
    return key, others[:MAX_WORDS]


def spellings(key: str) -> list[str]:
    """The key with each thing that may stand in its gap; behind it the next word is left to the match."""
    first, gap, _ = key.partition(" ")
    return [key, *(first + other for other in _GAPS)] if gap else [key]


@dataclass(frozen=True)
class _Wanted:
    """A signature in the scanner, with its place in the catalog."""

    index: int
    regex: re.Pattern[str]
    words: tuple[bytes, ...]


@dataclass(frozen=True, order=True)
class _Span:
    """Lines of the log that a signature matched."""

    first: int
    last: int
    index: int


@dataclass
class _Group:
    """Places at which the same signatures were found."""

    line: int
    count: int = 0


@dataclass
class _Run:
    """What is known of one log so far; its size does not depend on the log's."""

    texts: dict[int, str] = field(default_factory=dict)
    looks: dict[int, int] = field(default_factory=dict)
    groups: dict[tuple[int, ...], _Group] = field(default_factory=dict)
    open: list[_Span] = field(default_factory=list)
    hints: dict[tuple[str, bytes], int] = field(default_factory=dict)
    damaged: bool = False


class Scanner:
    """Looks for every signature in a stream of bytes."""

    def __init__(self, catalog: Catalog) -> None:
        self._rules = [item.record for item in catalog.cleaning]
        self._patterns = patterns(catalog)
        wanted: dict[bytes, list[_Wanted]] = {}
        for index, pattern in enumerate(self._patterns):
            key, words = distinctive(pattern.signature.text)
            one = _Wanted(index, re.compile(pattern.regex, re.DOTALL), tuple(word.encode() for word in words))
            for spelling in spellings(key):
                wanted.setdefault(spelling.encode(), []).append(one)
        self._wanted = list(wanted.values())
        self._automaton = ahocorasick_rs.BytesAhoCorasick(list(wanted), implementation=ahocorasick_rs.Implementation.DFA)
        self._hints = [(framework.id, hint.encode()) for framework in catalog.framework.values() for hint in framework.hints]

    def scan(self, stream: BinaryIO) -> Diagnosis:
        """Read `stream` (plain text, gzip, UTF-8 or UTF-16) to its end.

        Raises:
            LogError: an archive of another kind, or no text at all.
        """
        run = _Run()
        # `data` begins REACH bytes before `fresh`; what stands less than REACH before its end waits for the next chunk.
        data, fresh, position, line = b"", 0, 0, 0
        for chunk in chain(_text_chunks(stream, run), [b""]):
            data += chunk
            safe = max(fresh, len(data) - REACH) if chunk else len(data)
            self._count_hints(run, data, fresh, safe, position)
            line = self._chunk(run, data, fresh, safe, line)
            self._close(run, line - LINES_AROUND if chunk else None)
            position += safe - fresh
            ends = data.endswith(b"\n") if data else True
            cut = max(0, safe - REACH)
            data, fresh = data[cut:], safe - cut
        frameworks = _frameworks(run)
        found = self._findings(run, frameworks)
        return Diagnosis(tuple(found), next(iter(frameworks), None), line if ends else line + 1, run.damaged)

    def _count_hints(self, run: _Run, data: bytes, fresh: int, safe: int, position: int) -> None:
        """Count names of frameworks that begin in [fresh, safe), block by block of the log."""
        while fresh < safe:
            if position % HINT_BLOCK == 0 and sum(run.hints.values()) >= HINTS_ENOUGH:
                return
            end = min(safe, fresh + HINT_BLOCK - position % HINT_BLOCK)
            for hint in self._hints:
                if found := data.count(hint[1], fresh, end + len(hint[1]) - 1):
                    run.hints[hint] = run.hints.get(hint, 0) + found
            position += end - fresh
            fresh = end

    def _chunk(self, run: _Run, data: bytes, fresh: int, safe: int, line: int) -> int:
        """Verify every hit that begins in [fresh, safe).

        Returns:
            number of line ends before `safe`, when `line` was that before `fresh`.
        """
        at, seen_on = fresh, -1
        stands, seen = _Stands(data), set[int]()
        possible: dict[int, list[_Wanted]] = {}
        for key, start, _end in self._automaton.find_matches_as_indexes(data, overlapping=True):
            if (candidates := possible.get(key)) is None:
                candidates = possible[key] = [one for one in self._wanted[key] if all(stands[word] for word in one.words)]
            if not candidates or not fresh <= start < safe:
                continue
            line += data.count(b"\n", at, start) - data.count(b"\n", start, at)
            at = start
            if line != seen_on:
                seen_on, seen = line, set()
            for span in self._verify(run, data, start, line + 1, [one for one in candidates if one.index not in seen]):
                seen.add(span.index)
                run.open.append(span)
        return line + data.count(b"\n", at, safe)

    def _verify(self, run: _Run, data: bytes, start: int, line: int, candidates: Sequence[_Wanted]) -> Iterator[_Span]:
        """The signatures that stand at `start`, which is on line `line`."""
        own = _window(data, start, 0)
        window = text = cleaned = None
        for one in candidates:
            match = None
            if _has(data, one.words, own):
                text = text or _split(data, *own, start)
                match = _covering(one.regex, *text)
            if match is None and run.looks.get(one.index, 0) < MAX_LOOKS:
                window = window or _window(data, start, LINES_AROUND)
                if not _has(data, one.words, window):
                    continue
                run.looks[one.index] = run.looks.get(one.index, 0) + 1
                cleaned = cleaned or self._cleaned(*_split(data, *window, start))
                match = _covering(one.regex, *cleaned)
            if match is not None:
                run.texts.setdefault(one.index, _SPACE.sub(" ", match[0] + match[1])[:MAX_TEXT])
                yield _Span(line - match[0].count("\n"), line + match[1].count("\n"), one.index)

    def _close(self, run: _Run, before: int | None) -> None:
        """Count the places that end before line `before`, where no later span can reach."""
        spans, run.open = sorted(run.open), []
        at = 0
        while at < len(spans):
            end, last = at + 1, spans[at].last
            while end < len(spans) and spans[end].first <= last:
                last = max(last, spans[end].last)
                end += 1
            if before is not None and last >= before:
                run.open += spans[at:end]
            else:
                _note(run, spans[at].first, tuple(sorted({span.index for span in spans[at:end]})), self._patterns)
            at = end

    def _cleaned(self, before: str, after: str) -> tuple[str, str]:
        """Both sides of a hit cleaned; no rule takes out a line end."""
        return clean(before, self._rules), clean(after, self._rules)

    def _findings(self, run: _Run, frameworks: Sequence[str]) -> list[Finding]:
        """One per entry that is the best at some place."""
        found = {index: self._patterns[index] for indexes in run.groups for index in indexes}
        specific = {pattern.entry for pattern in found.values() if not pattern.generic}

        def meant(index: int) -> bool:
            """A text that many programs print counts only for a framework of the log, or beside another of its entry."""
            pattern = found[index]
            return not pattern.generic or pattern.hinted(frameworks) or pattern.entry in specific

        def counts_here(index: int) -> bool:
            """Normal output counts only in a log without a known error."""
            return meant(index) and (not found[index].output or not errors)

        errors = any(meant(index) and not pattern.output for index, pattern in found.items())

        def rank(index: int) -> tuple[int, str]:
            pattern = found[index]
            return -pattern.weight - (HINT_BONUS if [pattern.framework] == list(frameworks[:1]) else 0), pattern.entry

        first: dict[str, tuple[int, int]] = {}
        counts: dict[str, int] = {}
        also: dict[str, set[str]] = {}
        for indexes, group in run.groups.items():
            valid = [index for index in indexes if counts_here(index)]
            if not valid:
                continue
            best = min(valid, key=rank)
            entry = self._patterns[best].entry
            first[entry] = min(first.get(entry, (group.line, best)), (group.line, best))
            counts[entry] = counts.get(entry, 0) + group.count
            also.setdefault(entry, set()).update(self._patterns[index].entry for index in valid)
        return [
            Finding(entry, line, counts[entry], run.texts[best], tuple(sorted(also[entry] - first.keys())))
            for entry, (line, best) in sorted(first.items(), key=lambda item: (item[1][0], item[0]))
        ]


class _Stands(dict[bytes, bool]):
    """Whether a word stands anywhere in the data; looked up once."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = data

    def __missing__(self, word: bytes) -> bool:
        self[word] = word in self._data
        return self[word]


def _note(run: _Run, line: int, indexes: tuple[int, ...], known: Sequence[Pattern]) -> None:
    """Count a place at which these signatures were found."""
    if indexes not in run.groups and len(run.groups) >= MAX_GROUPS:
        indexes = (max(indexes, key=lambda index: (known[index].weight, -index)),)
    group = run.groups.setdefault(indexes, _Group(line))
    group.line = min(group.line, line)
    group.count += 1


def _frameworks(run: _Run) -> list[str]:
    """Frameworks that the log names: those with most different names first; of several, the one named most often."""
    totals: dict[str, tuple[int, int]] = {}
    for (framework, _hint), count in run.hints.items():
        names, times = totals.get(framework, (0, 0))
        totals[framework] = names + 1, times + count
    return sorted(totals, key=lambda one: (-totals[one][0], -totals[one][1], one))


def _window(data: bytes, start: int, around: int) -> tuple[int, int]:
    """Bounds of the line of a hit with `around` more on both sides, at most REACH bytes each way."""
    floor, low = max(0, start - REACH), start
    ceiling, high = min(len(data), start + REACH), start - 1
    for _ in range(around + 1):
        low = data.rfind(b"\n", floor, low)
        if low < 0:
            break
    for _ in range(around + 1):
        high = data.find(b"\n", high + 1, ceiling)
        if high < 0:
            break
    return (floor if low < 0 else low + 1), (ceiling if high < 0 else high)


def _has(data: bytes, words: Sequence[bytes], bounds: tuple[int, int]) -> bool:
    """Whether all words stand between the bounds."""
    return all(data.find(word, *bounds) >= 0 for word in words)


def _split(data: bytes, low: int, high: int, start: int) -> tuple[str, str]:
    """The text of a window before and from the hit."""
    return data[low:start].decode("utf-8", "replace"), data[start:high].decode("utf-8", "replace")


def _covering(regex: re.Pattern[str], before: str, after: str) -> tuple[str, str] | None:
    """What the pattern matches at the hit, on both sides: a match elsewhere in the window has a hit of its own."""
    text, place, at = before + after, len(before), 0
    for _ in range(MAX_TRIES):
        match = regex.search(text, at)
        if match is None or match.start() > place:
            return None
        if match.end() > place:
            return text[match.start() : place], text[place : match.end()]
        at = match.start() + 1
    return None


def _text_chunks(stream: BinaryIO, run: _Run) -> Iterator[bytes]:
    """UTF-8 bytes of the text in `stream`, in chunks of about CHUNK."""
    blocks = iter(lambda: stream.read(CHUNK), b"")
    head = next(blocks, b"")
    if head.startswith(_GZIP):
        blocks = _unpacked(chain([head], blocks), run)
        head = next(blocks, b"")
        if not head and run.damaged:
            raise LogError("damaged")
    encoding = _encoding(head[:HEAD])
    if encoding is None:
        yield from (block for block in chain([head], blocks) if block)
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for block in chain([head], blocks):
        if text := decoder.decode(block):
            yield text.encode("utf-8", "replace")


def _unpacked(blocks: Iterator[bytes], run: _Run) -> Iterator[bytes]:
    """Text of a gzip file, also of several in one. The log of a killed job often breaks off: what there is, counts."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        for block in blocks:
            while block:
                if text := unpacker.decompress(block, CHUNK):
                    yield text
                block = unpacker.unconsumed_tail
                if unpacker.eof and (block := unpacker.unused_data.lstrip(b"\0")):
                    unpacker = zlib.decompressobj(wbits=31)
    except zlib.error:
        run.damaged = True
        return
    run.damaged = not unpacker.eof


def _encoding(head: bytes) -> str | None:
    """Name of a UTF-16 encoding, by its mark or by the zeros of ASCII text in it; None is UTF-8.

    Raises:
        LogError: an archive or a binary file.
    """
    for magic, name in _MAGIC.items():
        if head.startswith(magic):
            raise LogError(name)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    pairs = len(head[:2000]) // 2
    even, odd = head[:2000:2].count(0), head[1:2000:2].count(0)
    for name, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if pairs >= 10 and zeros > pairs * 0.4 and others < pairs * 0.02:
            return name
    control = len(head) - len(head.translate(None, _CONTROL))
    if head.count(0) * 100 > len(head) or control * 20 > len(head) or head.startswith(_GZIP):
        raise LogError("binary")
    return None
