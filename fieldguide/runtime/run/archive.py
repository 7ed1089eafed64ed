"""The files of an archive, read as a stream one after the other; a broken archive gives those before the break."""

import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

from fieldguide.runtime.run.collect import ARCHIVES, Member, Skipped, ignored, inside
from fieldguide.runtime.run.rules import RunRules

Opened = tuple[Member, BinaryIO]
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_NAME_IN_UTF8 = 1 << 11
_BLOCK = 1 << 20


def opened(archive: Member, rules: RunRules) -> Iterator[Opened | Skipped]:
    """Each file with its text, which must be read before the next one is asked for; and what is left out.

    At most `members` of them, and never an error: where the archive breaks, the last is `Skipped` as damaged.
    """
    left = rules.limits["members"]
    try:
        for name, size, stream in (_of_tar if archive.packed == "tar" else _of_zip)(archive):
            member = inside(archive, name, size)
            left -= 1
            if left < 0:
                yield Skipped(archive.path, "many")
                return
            if kind := ignored(member.name, rules):
                yield Skipped(member.path, kind)
            elif name.lower().endswith(tuple(ARCHIVES)):
                yield Skipped(member.path, "nested")
            elif stream is None:
                yield Skipped(member.path, "special")
            elif size:
                yield member, stream
    except PermissionError:
        yield Skipped(archive.path, "unreadable")
    except _BROKEN:
        yield Skipped(archive.path, "damaged")


def _of_tar(archive: Member) -> Iterator[tuple[str, int, BinaryIO | None]]:
    with tarfile.open(archive.file, "r|*") as tar:
        for one in tar:
            if one.isdir():
                continue
            stream = tar.extractfile(one) if one.isreg() else None
            yield one.name, one.size, cast("BinaryIO | None", stream)


def _of_zip(archive: Member) -> Iterator[tuple[str, int, BinaryIO | None]]:
    try:
        whole = zipfile.ZipFile(archive.file)
    except zipfile.BadZipFile:
        yield from _of_broken_zip(archive)
        raise
    with whole:
        for one in whole.infolist():
            if one.is_dir():
                continue
            if one.flag_bits & 1:  # encrypted
                yield one.filename, one.file_size, None
                continue
            with whole.open(one) as stream:
                yield one.filename, one.file_size, cast(BinaryIO, stream)


def _of_broken_zip(archive: Member) -> Iterator[tuple[str, int, BinaryIO | None]]:
    """What stands before the break: the list of a Zip file is at its end, but each file has a head of its own."""
    with archive.file.open("rb") as file:
        while len(head := file.read(_LOCAL.size)) == _LOCAL.size:
            magic, _, flags, method, _, _, _, packed, size, length, extra = _LOCAL.unpack(head)
            if magic != b"PK\x03\x04" or method not in (0, 8) or flags & 9:  # encrypted, or the sizes come behind
                return
            name = file.read(length).decode("utf-8" if flags & _NAME_IN_UTF8 else "cp437", "replace")
            file.seek(extra, io.SEEK_CUR)
            end = file.tell() + packed
            if not name.endswith("/"):
                yield name, size, cast(BinaryIO, _Inflated(file, packed, stored=method == 0))
            file.seek(end)


class _Inflated(io.RawIOBase):
    """A file of a Zip archive as far as it goes."""

    def __init__(self, file: BinaryIO, packed: int, *, stored: bool) -> None:
        super().__init__()
        self._file, self._left = file, packed
        self._unpacker = None if stored else zlib.decompressobj(-zlib.MAX_WBITS)

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes; none at the end, or where it breaks."""
        most = size if size >= 0 else _BLOCK
        while True:
            held = self._unpacker.unconsumed_tail if self._unpacker else b""
            block = held or self._file.read(min(most, self._left))
            self._left -= 0 if held else len(block)
            if not self._unpacker or not block:
                return block
            try:
                if made := self._unpacker.decompress(block, most):
                    return made
            except zlib.error:
                return b""
