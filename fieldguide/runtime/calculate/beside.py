"""Files that a script names, looked for beside it and in the folders above."""

import re
from collections.abc import Iterator
from pathlib import Path

from fieldguide.runtime.calculate.launch import Sources

_OPEN = re.compile(r"(?s:.*)(?:[)}`]|\$\w+|\$[@*#?])")
LEVELS = 6  # folders above the script's own
LARGEST = 1_000_000  # bytes


def beside(script: Path) -> Sources:
    """A way to the text of a file, by the name that a script uses for it.

    A part of the name that only running the script could tell, `$(dirname "$0")/..`, is left out: what follows it is looked
    for in the script's folder, in those above it, and beside what was read so far. Of an absolute path that is not there, as
    `/root/repo/scripts/env.sh` of another machine, the end is looked for likewise.
    """
    folder = script.resolve().parent
    places = [folder, *folder.parents[:LEVELS]]

    def read(name: str) -> str | None:
        found = _OPEN.match(name)
        rest = name[found.end() :].lstrip("/") if found else name
        while rest.startswith(("./", "../")):
            rest = rest.partition("/")[2]
        for wanted in _ends(rest):
            for place in places:
                text = _text(place / wanted)
                if text is not None:
                    places.append((place / wanted).parent)
                    return text
        return None

    return read


def _ends(name: str) -> Iterator[str]:
    """The name, and its ends of two parts and more where it is absolute."""
    if name:
        yield name
    parts = name.split("/")[2:] if name.startswith("/") else []
    yield from ("/".join(parts[at:]) for at in range(len(parts) - 1))


def _text(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8") if file.is_file() and file.stat().st_size <= LARGEST else None
    except (OSError, UnicodeDecodeError, ValueError):
        return None
