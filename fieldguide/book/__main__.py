"""`python -m fieldguide.book`: the guide as PDF, a book per language."""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from fieldguide.book.fonts import FontError
from fieldguide.book.scope import Scope
from fieldguide.book.settings import SettingsError
from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.problems import ContentError

ROOT = Path(__file__).resolve().parent.parent.parent
NEEDED = ("pikepdf", "typst")


def main(arguments: list[str] | None = None) -> int:
    """Build the books.

    Returns:
        exit code: 0 fine, 1 the content cannot be set (all faults are printed), 2 something is missing or wrong use.
    """
    options = _parser().parse_args(arguments)
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        print(f"pdf: not installed: {', '.join(missing)}. Run: bash scripts/setup.sh pdf", file=sys.stderr)
        return 2
    from fieldguide.book.build import build
    from fieldguide.book.places import DeadLinkError
    from fieldguide.book.typeset import TypesetError

    try:
        build(options.root, options.out, options.lang, Scope(options.framework or None, options.topic or None))
    except ContentError as error:
        print(f"{error}\npdf: {len(error.problems)} problem(s)", file=sys.stderr)
        return 1
    except TypesetError as error:
        print(f"{error}\npdf: Typst cannot set the book", file=sys.stderr)
        return 1
    except DeadLinkError as error:
        print(f"{error}\npdf: links lead nowhere", file=sys.stderr)
        return 1
    except (SettingsError, FontError) as error:
        print(f"pdf: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fieldguide.book", description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="checkout to print (default: the one of this file)")
    parser.add_argument("--out", type=Path, default=Path("dist"), help="folder for the files (default: dist)")
    parser.add_argument("--lang", nargs="+", choices=LANGUAGES, default=list(LANGUAGES), help="languages (default: all)")
    parser.add_argument("--framework", help="only this framework's entries, landing page and glossary")
    parser.add_argument("--topic", help="only this topic's page")
    return parser


if __name__ == "__main__":
    sys.exit(main())
