"""What a text tells of an error that is not known: the error that ended the run, and where it was raised.

The browser does the same in `overrides/assets/javascripts/scan/told.js`; `tests/test_agreement.py` holds both to one another.
"""

import re
from dataclasses import dataclass

from fieldguide.runtime.guide import Guide

# The name of an error with what it says, at the beginning of a line.
_ERROR = re.compile(
    r"(?:[A-Za-z0-9_ ().,=-]{0,120}[)\]:] )?([A-Za-z_][A-Za-z0-9_.]{0,100}(?:Error|Exception|Interrupt|Exit|Failure))"
    r"(?::[ \t]*([^\n\r]{0,300}))?"
)
_FRAME = re.compile(r"[ \t]*File \"([^\"\n\r]{1,300})\", line ([0-9]{1,7})(?:, in ([^\n\r]{1,120}))?")
_PACKAGE = re.compile(r"(?:site-packages|dist-packages)/([A-Za-z0-9_]+)")
_LINES = 4000


@dataclass(frozen=True)
class Told:
    """What a text itself says.

    Attributes:
        error, message: name and words of the last error that does not only report another.
        file, line, function: the last frame before it, if the text has one.
        library: the package that the file belongs to; `version` is what the text says of it.
    """

    error: str
    message: str
    file: str = ""
    line: int = 0
    function: str = ""
    library: str = ""
    version: str = ""


def told_by(text: str, guide: Guide) -> Told | None:
    """What a text of moderate size tells; None when no error has a name in it."""
    frame: re.Match[str] | None = None
    found: tuple[re.Match[str], re.Match[str] | None] | None = None
    for line in guide.cleaned(text).split("\n")[-_LINES:]:
        if here := _FRAME.match(line):
            frame = here
        elif (error := _ERROR.match(line)) and error[1].rpartition(".")[2] not in guide.echoes:
            found = error, frame
    if found is None:
        return None
    error, frame = found
    name, message = error[1], (error[2] or "").rstrip(" \t")
    if frame is None:
        return Told(name, message)
    library = _library(frame[1], guide)
    return Told(name, message, frame[1], int(frame[2]), frame[3] or "", library, version_told(library, text))


def _library(file: str, guide: Guide) -> str:
    """The installed package of a file, or the training program whose folder it is in."""
    if installed := _PACKAGE.search(file):
        return installed[1]
    return next((one.name for one in guide.known if f"/{one.id}/" in file.lower()), "")


def version_told(library: str, text: str) -> str:
    """The version that a text says of a package, such as `vllm==0.11.0` or `verl v0.7.1`; "" where it says none."""
    if not library:
        return ""
    name = re.escape(library).replace("_", "[-_]")
    number = r"v?([0-9]+\.[0-9]+(?:\.[0-9A-Za-z+.]+)?)"
    found = re.search(rf"\b{name}(?:==|[ -]version[ :=]*|[ :/=-]+){number}", text, re.I | re.ASCII)
    return found[1].rstrip(".") if found else ""
