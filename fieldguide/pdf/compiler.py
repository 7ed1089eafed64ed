"""Typst, with as little around it as can be: `python -m fieldguide.pdf.compiler` is the process that needs the most memory."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import typst

FONT_FOLDER = "fonts"
_PLACE = re.compile(r"(?<=┌─ )\S*/(?=[\w-]+\.typ)")


@dataclass(frozen=True)
class Outcome:
    """What Typst made of a file: the PDF and its warnings, or the error."""

    data: bytes = b""
    warnings: tuple[str, ...] = ()
    error: str = ""


def compile_file(file: Path, timestamp: int) -> Outcome:
    """Compile a Typst file with the fonts that lie beside it; PDF/UA-1 is enforced."""
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[file.parent / FONT_FOLDER])
    try:
        data, warnings = typst.compile_with_warnings(
            file, root=file.parent, font_paths=fonts, ignore_system_fonts=True, pdf_standards=["ua-1"], timestamp=timestamp
        )
    except typst.TypstError as error:
        return Outcome(error=_PLACE.sub("", error.diagnostic.strip()))
    return Outcome(data, tuple(_PLACE.sub("", one.diagnostic.strip()) for one in warnings))


def main(file: Path, timestamp: int) -> None:
    """Compile `file` to a PDF beside it; errors and warnings are printed and nothing else."""
    outcome = compile_file(file, timestamp)
    print("\n".join(filter(None, [outcome.error, *outcome.warnings])), end="")
    file.with_suffix(".pdf").write_bytes(outcome.data)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
