"""Typst, with as little around it as can be: `python -m fieldguide.book.compiler` is the process that needs the most memory."""

import re
import sys
from pathlib import Path

import typst

from fieldguide.book.fonts import FONT_FOLDER

_PLACE = re.compile(r"(?<=┌─ )\S*/(?=[\w-]+\.typ)")


def main(file: Path, timestamp: int) -> None:
    """Compile `file` to a PDF beside it, with the fonts that lie beside its folder; PDF/UA-1 is enforced.

    Errors and warnings are printed and nothing else.
    """
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[file.parent.parent / FONT_FOLDER])
    try:
        data, warnings = typst.compile_with_warnings(
            file, root=file.parent, font_paths=fonts, ignore_system_fonts=True, pdf_standards=["ua-1"], timestamp=timestamp
        )
    except typst.TypstError as error:
        print(_said(error), end="")
        return
    print("\n".join(map(_said, warnings)), end="")
    file.with_suffix(".pdf").write_bytes(data)


def _said(problem: typst.TypstError | typst.TypstWarning) -> str:
    """What Typst says, without the temporary folder."""
    return _PLACE.sub("", problem.diagnostic.strip())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
