"""From the bytes of a log, whatever they are packed in, to UTF-8."""

import codecs
import zlib
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import BinaryIO

_GZIP = b"\x1f\x8b"
_CONTROL = bytes({*range(8), *range(14, 27), *range(28, 32)})
# How the terminal gets at the text of an archive that it does not read itself.
UNPACK = {
    "zstd": "zstd -dc train.log.zst | python -m fieldguide explain -",
    "xz": "xz -dc train.log.xz | python -m fieldguide explain -",
    "bzip2": "bzip2 -dc train.log.bz2 | python -m fieldguide explain -",
    "zip": "unzip -p logs.zip | python -m fieldguide explain -",
}


class LogError(ValueError):
    """The file is not a log that can be read.

    Attributes:
        kind: "binary", "damaged", or the name of an archive in `UNPACK`.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(f"cannot be read as a log: {kind}")
        self.kind = kind


class LogReader:
    """Reads a stream of plain text, gzip, UTF-8 or UTF-16.

    Attributes:
        damaged: a compressed log broke off; what stands before the break was read.
    """

    def __init__(self, stream: BinaryIO, size: int, head: int, archives: Mapping[str, str]) -> None:
        """`size`: bytes of a chunk, about; `head`: bytes that tell the encoding; `archives`: first bytes by name."""
        self.damaged = False
        self._stream = stream
        self._size = size
        self._head = head
        self._archives = {bytes.fromhex(magic): name for name, magic in archives.items()}

    def chunks(self) -> Iterator[bytes]:
        """UTF-8 bytes of the text.

        Raises:
            LogError: an archive of another kind, or no text at all.
        """
        blocks = iter(lambda: self._stream.read(self._size), b"")
        head = next(blocks, b"")
        if head.startswith(_GZIP):
            blocks = self._unpacked(chain([head], blocks))
            head = next(blocks, b"")
            if not head and self.damaged:
                raise LogError("damaged")
        encoding = self._encoding(head[: self._head])
        if encoding is None:
            yield from (block for block in chain([head], blocks) if block)
            return
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        for block in chain([head], blocks):
            if text := decoder.decode(block):
                yield text.encode("utf-8", "replace")

    def _unpacked(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Text of a gzip file, also of several in one. The log of a killed job often breaks off: what there is, counts."""
        unpacker = zlib.decompressobj(wbits=31)
        try:
            for block in blocks:
                while block:
                    if text := unpacker.decompress(block, self._size):
                        yield text
                    block = unpacker.unconsumed_tail
                    if unpacker.eof and (block := unpacker.unused_data.lstrip(b"\0")):
                        unpacker = zlib.decompressobj(wbits=31)
        except zlib.error:
            self.damaged = True
            return
        self.damaged = not unpacker.eof

    def _encoding(self, head: bytes) -> str | None:
        """Name of a UTF-16 encoding, by its mark or by the zeros of ASCII text in it; None is UTF-8."""
        for magic, name in self._archives.items():
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
