"""From the guide to what Typst reads: `python -m fieldguide.book.prepare`, which `sources.py` runs."""

import gc
import os
import pickle
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from fieldguide.book.book import gather, typst_files
from fieldguide.book.progress import Progress
from fieldguide.book.scope import Scope
from fieldguide.book.settings import Settings, SettingsError, load_settings
from fieldguide.book.sources import Source
from fieldguide.content.checks import run
from fieldguide.content.guide import Guide
from fieldguide.content.problems import ContentError

TEMPLATE = Path(__file__).parent / "template.typ"


def prepare(root: Path, languages: Sequence[str], scope: Scope, folder: Path) -> dict[str, Source]:
    """Check the content and write the Typst files of each book to a folder of its own below `folder`.

    Returns:
        language → its book.

    Raises:
        ContentError: faults of the content, or constructs and links that the book cannot show.
        SettingsError: see there.
    """
    progress = Progress()
    settings = load_settings(root)
    guide = run(root)
    scope.check(guide)
    progress("content checked")
    if "SITE_URL" not in os.environ:
        progress(f"SITE_URL is not set, permalinks begin with {settings.url}")
    return {language: _source(guide, settings, language, scope, folder / language, progress) for language in languages}


def _source(guide: Guide, settings: Settings, language: str, scope: Scope, folder: Path, progress: Progress) -> Source:
    book = gather(guide, settings, language, scope)
    progress(f"{language}: {len(book.chapters)} pages rendered")
    main = _write(folder, typst_files(book))
    progress(f"{language}: pages written for Typst")
    return Source(main, settings.timestamp, settings.words[language]["link"])


def _write(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir()
    for name, text in {"template.typ": TEMPLATE.read_text(encoding="utf-8"), **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "main.typ"


def main() -> None:
    """Read the arguments of `prepare` from standard input, write what it returns or raises by design to standard output."""
    gc.disable()  # hundreds of thousands of objects that live until the end: searching them for cycles takes a second
    outcome: dict[str, Source] | Exception
    try:
        outcome = prepare(*pickle.load(sys.stdin.buffer))
    except (ContentError, SettingsError) as error:
        outcome = error
    sys.stdout.buffer.write(pickle.dumps(outcome))


if __name__ == "__main__":
    main()
