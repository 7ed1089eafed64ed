"""Typst: from the files of a book to the bytes of a PDF."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path

import pikepdf

from fieldguide.book.places import link_places
from fieldguide.book.smaller import make_smaller, smaller_page
from fieldguide.book.sources import PACKAGE_ROOT
from fieldguide.content.problems import ContentError, Problem

# glibc: few heaps (one would make Typst's threads wait for each other), and large pieces outside them; less memory lies idle.
_MEMORY = {"MALLOC_ARENA_MAX": "3", "MALLOC_MMAP_THRESHOLD_": "65536"}
_MISSING = re.compile(r"the text `\"(.+?)\"` could not be displayed")


class TypesetError(Exception):
    """Typst refuses the book, or warns; the message is Typst's, with the place in the generated source."""

    @property
    def missing_glyphs(self) -> list[str]:
        """Characters that no font has."""
        return sorted({character for text in _MISSING.findall(str(self)) for character in text})


def typeset(main: Path, timestamp: int) -> Path:
    """Set the book whose main file this is, in a process of its own: Typst keeps its memory until the end.

    Returns:
        the PDF, beside the main file.

    Raises:
        TypesetError: Typst refuses it (a rule of PDF/UA-1, …) or warns.
    """
    command = [sys.executable, "-m", "fieldguide.book.compiler", str(main), str(timestamp)]
    done = subprocess.run(command, cwd=PACKAGE_ROOT, env=os.environ | _MEMORY, capture_output=True, text=True, check=False)
    if done.returncode or done.stdout:
        raise TypesetError(done.stdout.strip() or f"Typst ended with code {done.returncode}\n{done.stderr}".strip())
    return main.with_suffix(".pdf")


def finished(file: Path, link_words: str) -> bytes:
    """The PDF with its links inside the book, and its objects packed in streams, which makes it a third of the size.

    The same input gives the same bytes.

    Raises:
        DeadLinkError: see `link_places`.
    """
    out = BytesIO()
    pikepdf.settings.set_flate_compression_level(9)
    with pikepdf.open(file) as pdf:
        link_places(pdf, link_words)
        for page in pdf.pages:
            page.Contents.write(smaller_page(page.Contents.read_bytes()))
            for annotation in page.obj.get("/Annots", ()):
                make_smaller(annotation)
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True, deterministic_id=True)
    return out.getvalue()


def check_glyphs(root: Path, language: str, characters: Iterable[str]) -> None:
    """Name the place where each of these characters, which no font has, stands first.

    Raises:
        ContentError: there are any.
    """
    sources = [*sorted((root / "docs" / language).rglob("*.md")), *sorted((root / "catalog").rglob("*.yml"))]
    problems = []
    for character in characters:
        path, line = _first_place(sources, character)
        what = f"no font of the PDF has {character!r} (U+{ord(character):04X})"
        remedy = "write it otherwise, or add it to RANGES in scripts/vendor_fonts.py and run that"
        problems.append(Problem(path.relative_to(root), line, f"{what}; {remedy}"))
    if problems:
        raise ContentError(problems)


def _first_place(sources: Sequence[Path], character: str) -> tuple[Path, int]:
    for source in sources:
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            if character in line:
                return source, number
    return sources[0], 0
