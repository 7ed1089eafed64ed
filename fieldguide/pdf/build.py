"""The steps from the guide to the files in dist/."""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from fieldguide.checks import run
from fieldguide.guide import Guide
from fieldguide.pdf.book import gather, typst_files
from fieldguide.pdf.convert import to_typst
from fieldguide.pdf.scope import Scope
from fieldguide.pdf.settings import Settings, load_settings
from fieldguide.pdf.typeset import Press, TypesetError, check_glyphs, finished


class Progress:
    """One line a step, with the seconds it took."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, what: str) -> None:
        now = time.monotonic()
        print(f"pdf: {what} ({now - self._last:.1f} s)", file=sys.stderr, flush=True)
        self._last = now


def build(root: Path, out: Path, languages: Sequence[str], scope: Scope) -> list[Path]:
    """Write one PDF per language into `out`; nothing is there before it is whole.

    Raises:
        ContentError: faults of the content, or constructs, links and characters that the book cannot show.
        SettingsError, FontError, TypesetError, DeadLinkError: see there.
    """
    progress = Progress()
    settings = load_settings(root)
    guide = run(root)
    scope.check(guide)
    progress("content checked")
    if "SITE_URL" not in os.environ:
        progress(f"SITE_URL is not set, permalinks begin with {settings.url}")
    with Press(settings.timestamp) as press:
        progress("fonts unpacked")
        written = []
        for language in languages:
            data = set_book(guide, settings, language, scope, press, progress)
            written.append(_write(out / f"rl-fieldguide{scope.file_part}-{language}.pdf", data))
            progress(f"{language}: {written[-1].as_posix()} written, {len(data) / 1e6:.1f} MB")
    return written


def set_book(guide: Guide, settings: Settings, language: str, scope: Scope, press: Press, progress: Progress) -> bytes:
    """One book from the guide to PDF bytes."""
    book = gather(guide, settings, language, scope)
    progress(f"{language}: {len(book.chapters)} pages rendered")
    files = typst_files(book, to_typst(book.articles))
    progress(f"{language}: pages converted")
    try:
        file = press.pdf(files)
    except TypesetError as error:
        check_glyphs(guide, language, error.missing_glyphs)
        raise
    progress(f"{language}: book set")
    data = finished(file, settings.words[language]["link"])
    progress(f"{language}: links made, packed")
    return data


def _write(file: Path, data: bytes) -> Path:
    """Write under another name first."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        half.write_bytes(data)
        half.replace(file)
    finally:
        half.unlink(missing_ok=True)
    return file
