"""The books as Typst reads them. They are made in a process of its own, whose memory is free again before Typst takes most."""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fieldguide.book.scope import Scope

PACKAGE_ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Source:
    """One book.

    Attributes:
        main: the file to compile.
        timestamp: of the PDF, in seconds since 1970.
        link_words: what screen readers say of a link inside the book.
    """

    main: Path
    timestamp: int
    link_words: str


def make_sources(root: Path, languages: Sequence[str], scope: Scope, folder: Path) -> dict[str, Source]:
    """Run `prepare` of prepare.py, which says what is given, returned and raised."""
    given = pickle.dumps((root.resolve(), languages, scope, folder))
    command = [sys.executable, "-m", "fieldguide.book.prepare"]
    done = subprocess.run(command, cwd=PACKAGE_ROOT, input=given, stdout=subprocess.PIPE, check=True)
    outcome: dict[str, Source] | Exception = pickle.loads(done.stdout)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome
