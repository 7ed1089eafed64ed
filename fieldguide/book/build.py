"""The steps from the guide to the files in dist/. No more than one of them takes much memory at a time."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from fieldguide.book.fonts import FONT_FOLDER, unpack_fonts
from fieldguide.book.progress import Progress
from fieldguide.book.scope import Scope
from fieldguide.book.sources import Source, make_sources
from fieldguide.book.typeset import TypesetError, check_glyphs, finished, typeset
from fieldguide.content.writing import write_whole


def build(root: Path, out: Path, languages: Sequence[str], scope: Scope) -> list[Path]:
    """Write one PDF per language into `out`; nothing is there before it is whole.

    Raises:
        ContentError: faults of the content, or constructs, links and characters that the book cannot show.
        SettingsError, FontError, TypesetError, DeadLinkError: see there.
    """
    progress = Progress()
    with TemporaryDirectory(prefix="fieldguide-pdf-") as name:
        folder = Path(name)
        unpack_fonts(folder / FONT_FOLDER)
        progress("fonts unpacked")
        sources = make_sources(root, languages, scope, folder)
        progress("all books prepared")
        written = []
        for language, source in sources.items():
            data = set_book(root, language, source, progress)
            written.append(write_whole(out / f"rl-fieldguide{scope.file_part}-{language}.pdf", data))
            progress(f"{language}: {written[-1].as_posix()} written, {len(data) / 1e6:.1f} MB")
    return written


def set_book(root: Path, language: str, source: Source, progress: Progress) -> bytes:
    """One book from Typst's files to PDF bytes."""
    try:
        file = typeset(source.main, source.timestamp)
    except TypesetError as error:
        check_glyphs(root, language, error.missing_glyphs)
        raise
    progress(f"{language}: book set")
    data = finished(file, source.link_words)
    progress(f"{language}: links made, packed")
    return data
