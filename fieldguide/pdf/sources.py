"""From the guide to what Typst reads, in a process of its own: its memory is free again before Typst takes the most of all."""

import gc
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fieldguide.checks import run
from fieldguide.pdf.book import gather, typst_files
from fieldguide.pdf.convert import to_typst
from fieldguide.pdf.progress import Progress
from fieldguide.pdf.scope import Scope
from fieldguide.pdf.settings import load_settings

PACKAGE_ROOT = Path(__file__).resolve().parent.parent.parent
TEMPLATE = Path(__file__).parent / "template.typ"


@dataclass(frozen=True)
class Source:
    """One book as Typst reads it.

    Attributes:
        main: the file to compile.
        timestamp: of the PDF, in seconds since 1970.
        link_words: what screen readers say of a link inside the book.
    """

    main: Path
    timestamp: int
    link_words: str


def write_sources(root: Path, languages: Sequence[str], scope: Scope, folder: Path) -> dict[str, Source]:
    """Write the Typst files of each book to a folder of its own below `folder`.

    Returns:
        language → its book.

    Raises:
        ContentError: faults of the content, or constructs and links that the book cannot show.
        SettingsError, ConvertError: see there.
    """
    progress = Progress()
    settings = load_settings(root)
    guide = run(root)
    scope.check(guide)
    progress("content checked")
    if "SITE_URL" not in os.environ:
        progress(f"SITE_URL is not set, permalinks begin with {settings.url}")
    sources = {}
    for language in languages:
        book = gather(guide, settings, language, scope)
        progress(f"{language}: {len(book.chapters)} pages rendered")
        files = typst_files(book, to_typst(book.articles))
        sources[language] = Source(_write(folder / language, files), settings.timestamp, settings.words[language]["link"])
        progress(f"{language}: pages converted")
    return sources


def _write(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir()
    for name, text in {"template.typ": TEMPLATE.read_text(encoding="utf-8"), **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "main.typ"


def sources_apart(root: Path, languages: Sequence[str], scope: Scope, folder: Path) -> dict[str, Source]:
    """`write_sources` in a process of its own; raises what that raises."""
    given = pickle.dumps((root.resolve(), languages, scope, folder))
    command = [sys.executable, "-m", "fieldguide.pdf.sources"]
    done = subprocess.run(command, cwd=PACKAGE_ROOT, input=given, stdout=subprocess.PIPE, check=True)
    outcome: dict[str, Source] | Exception = pickle.loads(done.stdout)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def main() -> None:
    """Read the arguments of `write_sources` from standard input, write what it returns or raises to standard output."""
    gc.disable()  # hundreds of thousands of objects that live until the end: searching them for cycles takes a second
    outcome: dict[str, Source] | Exception
    try:
        outcome = write_sources(*pickle.load(sys.stdin.buffer))
    except Exception as error:
        outcome = error
    sys.stdout.buffer.write(pickle.dumps(outcome))


if __name__ == "__main__":
    from fieldguide.pdf import sources  # what is pickled belongs to the module that the other process knows

    sources.main()
