"""The terminal's log scanner."""

import bz2
import gzip
import io
import lzma
import random
import time
import tracemalloc
import zipfile
from dataclasses import replace

import pytest

from fieldguide.content.guide import load_guide
from fieldguide.runtime.encoding import UNPACK, LogError
from fieldguide.runtime.guide import Guide
from fieldguide.runtime.scan import Scanner, spellings
from tests.conftest import ROOT
from tests.logs import Log, load_logs, plain
from tests.texts import sample

LOGS = load_logs()
BATCH = "AssertionError: batch_size 32 < chunks 64"
FOUND = [["roll-batch-size-chunks", 2, 1, []]]


@pytest.fixture(scope="module")
def scanner(compiled: Guide) -> Scanner:
    return Scanner(compiled)


def read(scanner: Scanner, data: bytes) -> dict[str, object]:
    return plain(scanner.scan(io.BytesIO(data)))


@pytest.mark.parametrize("log", LOGS, ids=[log.name for log in LOGS])
def test_known_logs(scanner: Scanner, log: Log) -> None:
    assert read(scanner, log.text.encode()) == log.expected


@pytest.mark.parametrize("size", [1, 7, 64, 1000, 9000])
def test_chunks_do_not_change_what_is_found(scanner: Scanner, compiled: Guide, size: int) -> None:
    logs = [log for log in LOGS if len(log.text) < 50 * size * size]
    wanted = [read(scanner, log.text.encode()) for log in logs]
    assert [read(Scanner(compiled, size), log.text.encode()) for log in logs] == wanted


def test_an_error_at_every_place_of_a_chunk_is_found(compiled: Guide) -> None:
    error = "    return self.node2pg[node_rank]\n           ~~~~^^^^\nKeyError: 1\n"
    scan = {**compiled.scan, "limits": {**compiled.scan["limits"], "reach": 512}}
    scanner = Scanner(replace(compiled, scan=scan), 4096)
    for offset in range(3400, 4200, 7):
        text = "x" * offset + "\n" + error + "y\n" * 2000
        assert read(scanner, text.encode())["findings"] == [["roll-node2pg-keyerror", 2, 1, []]], offset


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
@pytest.mark.parametrize("log", LOGS, ids=[log.name for log in LOGS])
def test_other_encodings(scanner: Scanner, log: Log, encoding: str) -> None:
    assert read(scanner, log.text.encode(encoding)) == log.expected


def test_big_endian_with_its_mark(scanner: Scanner) -> None:
    assert read(scanner, b"\xfe\xff" + f"INFO\n{BATCH}\n".encode("utf-16-be"))["findings"] == FOUND


@pytest.mark.parametrize("log", LOGS, ids=[log.name for log in LOGS])
def test_gzip(scanner: Scanner, log: Log) -> None:
    assert read(scanner, gzip.compress(log.text.encode())) == log.expected


def test_several_gzip_files_in_one(scanner: Scanner) -> None:
    both = gzip.compress(b"INFO\n") + gzip.compress(f"{BATCH}\n".encode())
    assert read(scanner, both)["findings"] == FOUND


def test_gzip_that_breaks_off_counts_as_far_as_it_goes(scanner: Scanner) -> None:
    noise = random.Random(1).randbytes(200_000).hex()
    packed = gzip.compress(f"INFO\n{BATCH}\n{noise}\n".encode())
    diagnosis = scanner.scan(io.BytesIO(packed[: len(packed) // 2]))
    assert diagnosis.damaged and plain(diagnosis)["findings"] == FOUND
    assert not scanner.scan(io.BytesIO(packed)).damaged
    with pytest.raises(LogError) as caught:
        scanner.scan(io.BytesIO(b"\x1f\x8b\x08\x00garbage that is no gzip at all"))
    assert caught.value.kind == "damaged"


@pytest.mark.slow
def test_a_gzip_bomb_is_read_in_pieces(scanner: Scanner) -> None:
    packed = gzip.compress(b"0" * 80_000_000, compresslevel=1)
    tracemalloc.start()
    try:
        scanner.scan(io.BytesIO(packed))
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
    finally:
        tracemalloc.stop()


def archives() -> dict[str, bytes]:
    """The same log in each kind of archive that is named and not read."""
    text = f"INFO\n{BATCH}\n".encode()
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as file:
        file.writestr("train.log", text)
    zstd = b"\x28\xb5\x2f\xfd\x04\x58" + text  # the magic number is what counts
    return {"zip": zipped.getvalue(), "bzip2": bz2.compress(text), "xz": lzma.compress(text), "zstd": zstd}


@pytest.mark.parametrize("kind", UNPACK)
def test_other_archives_are_named(scanner: Scanner, kind: str) -> None:
    with pytest.raises(LogError) as caught:
        scanner.scan(io.BytesIO(archives()[kind]))
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 20,
        b"\x7fELF\x02\x01\x01" + bytes(200),
        random.Random(2).randbytes(5000),
        gzip.compress(gzip.compress(b"a", mtime=0), mtime=0),
    ],
    ids=["all bytes", "program", "noise", "gzip in gzip"],
)
def test_binary_files_are_refused(scanner: Scanner, data: bytes) -> None:
    with pytest.raises(LogError) as caught:
        scanner.scan(io.BytesIO(data))
    assert caught.value.kind == "binary"


def test_empty_and_tiny(scanner: Scanner) -> None:
    for data, lines in ((b"", 0), (b"\n", 1), (b"a", 1), (b"\n\na", 3)):
        assert read(scanner, data) == {"framework": None, "lines": lines, "findings": []}


def test_bytes_that_are_no_text_do_not_stop_it(scanner: Scanner) -> None:
    data = b"INFO \xff\xfe\xe4 \xc3\n" + BATCH.encode() + b" \xed\xa0\x80\n"
    assert read(scanner, data)["findings"] == FOUND


def test_a_line_of_ten_megabytes(scanner: Scanner) -> None:
    bar = b" 50%|#####     | 5/9 [00:01<00:01]\r" * 300_000
    begun = time.monotonic()
    found = read(scanner, b"INFO\n" + bar + BATCH.encode() + bar + b"\n" + BATCH.encode())
    assert found["lines"] == 3 and found["findings"] == [["roll-batch-size-chunks", 2, 2, []]]
    assert time.monotonic() - begun < 5


def test_words_of_errors_on_every_line_do_not_slow_it_down(scanner: Scanner) -> None:
    line = b"WARNING: could not find it; batch_size is not in; 'train/grad_norm': 0.5; CUDA out of memory. Tried\n"
    begun = time.monotonic()
    assert read(scanner, line * 80_000)["findings"] == []
    assert time.monotonic() - begun < 10


def test_many_hits_are_counted_to_the_end(scanner: Scanner) -> None:
    assert read(scanner, f"{BATCH}\n".encode() * 50_000)["findings"] == [["roll-batch-size-chunks", 1, 50_000, []]]


@pytest.mark.slow
def test_memory_is_bounded(scanner: Scanner) -> None:
    block = (b"[2025-10-14 02:08:17] INFO slime step\n" * 20_000) + BATCH.encode() + b"\n"
    stream = io.BufferedReader(_Repeated(block, 60))
    tracemalloc.start()
    try:
        diagnosis = scanner.scan(stream)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert diagnosis.findings[0].count == 60
    assert peak < 48_000_000


class _Repeated(io.RawIOBase):
    """A block again and again, without holding the whole."""

    def __init__(self, block: bytes, times: int) -> None:
        self._block, self._times, self._rest = block, times, b""

    def readable(self) -> bool:
        return True

    def readinto(self, target: bytearray) -> int:  # type: ignore[override]
        if not self._rest and self._times:
            self._times -= 1
            self._rest = self._block
        taken = self._rest[: len(target)]
        self._rest = self._rest[len(taken) :]
        target[: len(taken)] = taken
        return len(taken)


def test_every_signature_is_found_in_its_own_text(scanner: Scanner) -> None:
    """Each on its own, as a log of one line; another entry with the same text may win."""
    guide = load_guide(ROOT)
    named = {framework.id: framework.hints[0] for framework in guide.catalog.framework.values()}
    some_framework = next(iter(named.values()))
    lost = []
    for entry, signature in ((entry, one) for entry, some in guide.catalog.signatures_of.items() for one in some):
        hint = named.get(guide.catalog.entry[entry].framework) or named.get(signature.of, some_framework)
        found = scanner.scan(io.BytesIO(f"{hint}\n{sample(signature.text)}\n".encode())).findings
        if not any(entry in (one.entry, *one.also) for one in found):
            lost.append(signature.text)
    assert not lost


def test_what_is_looked_for_is_long_enough_to_be_rare(compiled: Guide) -> None:
    for one in compiled.signatures:
        assert all(len(spelling.strip()) >= 3 for spelling in spellings(one.key, compiled.scan["gaps"])), one.shown


def test_no_rule_of_cleaning_takes_out_a_line_end(compiled: Guide) -> None:
    """The scanner counts the lines of a match in the cleaned text."""
    for log in LOGS:
        assert compiled.cleaned(log.text).count("\n") == log.text.count("\n"), log.name
