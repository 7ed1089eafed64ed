"""What of an archive texts are looked up in: sources, and the readable strings of compiled libraries."""

import gzip
import hashlib
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

SUFFIXES = frozenset({".py", ".yaml", ".yml", ".toml", ".sh", ".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".go"})
# Files that say what a package is built with, besides.
NAMES = ("requirements*.txt", "*Dockerfile*")
# What the strings of a compiled file are kept as.
STRINGS = ".strings"
# A larger source is data in the form of source.
LARGEST = 4 << 20
# Sentences: printable, of some length, with a space; names of symbols have none.
_RUN = re.compile(rb"[\x20-\x7e]{10,4000}")


class ArchiveError(Exception):
    """The archive cannot be opened; the message says why."""


def sources(path: Path, compiled: Sequence[str] = ()) -> Iterator[tuple[str, bytes]]:
    """Name and content of each source file; of compiled files that fit a pattern of `compiled` their strings.

    Args:
        path: `.whl` or `.tar.gz`; the one folder that a source archive consists of is left out of names.

    Raises:
        ArchiveError: it is damaged, or neither, or has no source at all: everything would seem to be gone with it.
    """
    empty = True
    try:
        for one in _wheel(path, compiled) if path.suffix == ".whl" else _tar(path):
            empty = False
            yield one
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError) as error:
        raise ArchiveError(f"{path.name}: cannot be opened ({error})") from error
    if empty:
        raise ArchiveError(f"{path.name}: has no source file")


def _wheel(path: Path, compiled: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if _is_source(member.filename, member.file_size):
                yield member.filename, archive.read(member)
            elif any(fnmatchcase(member.filename, pattern) for pattern in compiled):
                yield member.filename + STRINGS, strings(archive.read(member))


def _tar(path: Path) -> Iterator[tuple[str, bytes]]:
    with gzip.open(path) as stream, tarfile.open(fileobj=stream, mode="r:") as archive:
        for member in archive:
            name = member.name.partition("/")[2]
            if member.isfile() and _is_source(name, member.size):
                held = archive.extractfile(member)
                yield name, held.read() if held else b""
        while stream.read(LARGEST):  # tarfile takes a broken header for the end; the checksum stands at the real one
            pass


def _is_source(name: str, size: int) -> bool:
    path = PurePosixPath(name)
    return size <= LARGEST and (path.suffix in SUFFIXES or any(fnmatchcase(path.name, pattern) for pattern in NAMES))


def selection() -> str:
    """Another word whenever other files are taken out of archives."""
    return hashlib.sha256(repr((sorted(SUFFIXES), NAMES)).encode()).hexdigest()[:12]


def strings(data: bytes) -> bytes:
    """The sentences of a compiled file, each once, a line each, sorted.

    >>> strings(b"\\x00CUDA out of memory. \\x00_ZN3c104impl8functionEv\\x00")
    b'CUDA out of memory.\\n'
    """
    found = {run.strip() for run in _RUN.findall(data) if b" " in run.strip()}
    return b"".join(line + b"\n" for line in sorted(found))
