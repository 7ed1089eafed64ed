"""Whether a file is still the one that was read."""

from pathlib import Path

Edition = tuple[int, int]


def edition(file: Path) -> Edition:
    """Time of the last change and size of a file; zeros where there is none."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
