"""Typst: from the files of a book to the bytes of a PDF."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pikepdf

from fieldguide.guide import Guide
from fieldguide.pdf.fonts import FONT_FOLDER, unpack_fonts
from fieldguide.pdf.places import link_places
from fieldguide.problems import ContentError, Problem

PACKAGE_ROOT = Path(__file__).resolve().parent.parent.parent
TEMPLATE = Path(__file__).parent / "template.typ"
# glibc: few heaps (one would make Typst's threads wait for each other), and large pieces outside them; less memory lies idle.
_MEMORY = {"MALLOC_ARENA_MAX": "3", "MALLOC_MMAP_THRESHOLD_": "65536"}
_MISSING = re.compile(r"the text `\"(.+?)\"` could not be displayed")


class TypesetError(Exception):
    """Typst refuses the book, or warns; the message is Typst's, with the place in the generated source."""

    @property
    def missing_glyphs(self) -> list[str]:
        """Characters that no font has."""
        return sorted({character for text in _MISSING.findall(str(self)) for character in text})


class Press:
    """Typst with the fonts of the book; a context that keeps its files in a temporary folder."""

    def __init__(self, timestamp: int) -> None:
        self._timestamp = timestamp
        self._folder = TemporaryDirectory(prefix="fieldguide-pdf-")
        self._root = Path(self._folder.name)

    def __enter__(self) -> "Press":
        (self._root / FONT_FOLDER).mkdir()
        unpack_fonts(self._root / FONT_FOLDER)
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def pdf(self, files: Mapping[str, str]) -> Path:
        """Set the book whose main file is main.typ, in a process of its own: Typst keeps its memory until the end.

        Returns:
            the PDF, which is there until the next one is set.

        Raises:
            TypesetError: Typst refuses it (a rule of PDF/UA-1, …) or warns.
        """
        self._write(files)
        main = self._root / "main.typ"
        command = [sys.executable, "-m", "fieldguide.pdf.compiler", str(main), str(self._timestamp)]
        done = subprocess.run(command, cwd=PACKAGE_ROOT, env=os.environ | _MEMORY, capture_output=True, text=True, check=False)
        if done.returncode or done.stdout:
            raise TypesetError(done.stdout.strip() or f"Typst ended with code {done.returncode}\n{done.stderr}".strip())
        return main.with_suffix(".pdf")

    def _write(self, files: Mapping[str, str]) -> None:
        for old in self._root.glob("*.*"):
            old.unlink()
        for name, text in {"template.typ": TEMPLATE.read_text(encoding="utf-8"), **files}.items():
            (self._root / name).write_text(text, encoding="utf-8")


def finished(file: Path, link_words: str) -> bytes:
    """The PDF with its links inside the book, and its objects packed in streams, which makes it a third of the size.

    The same input gives the same bytes.

    Raises:
        DeadLinkError: see `link_places`.
    """
    out = BytesIO()
    with pikepdf.open(file) as pdf:
        link_places(pdf, link_words)
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return out.getvalue()


def check_glyphs(guide: Guide, language: str, characters: Iterable[str]) -> None:
    """Name the place where each of these characters, which no font has, stands first.

    Raises:
        ContentError: there are any.
    """
    sources = [guide.root / document.path for document in guide.documents[language].values()]
    sources += sorted((guide.root / "catalog").rglob("*.yml"))
    problems = []
    for character in characters:
        path, line = _first_place(sources, character)
        what = f"no font of the PDF has {character!r} (U+{ord(character):04X})"
        remedy = "write it otherwise, or add it to RANGES in scripts/vendor_fonts.py and run that"
        problems.append(Problem(path.relative_to(guide.root), line, f"{what}; {remedy}"))
    if problems:
        raise ContentError(problems)


def _first_place(sources: Sequence[Path], character: str) -> tuple[Path, int]:
    for source in sources:
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            if character in line:
                return source, number
    return sources[0], 0
