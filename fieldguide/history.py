"""What git knows about the guide."""

import os
import re
import subprocess
from pathlib import Path

_HEADER = re.compile(r"^[0-9a-f]{40} \d+ \d+")


def commit_time(root: Path) -> int | None:
    """SOURCE_DATE_EPOCH, or the time of the last commit; None where there is neither.

    Raises:
        ValueError: SOURCE_DATE_EPOCH is no number of seconds.
    """
    if stated := os.environ.get("SOURCE_DATE_EPOCH"):
        if not stated.isdigit():
            raise ValueError(f"SOURCE_DATE_EPOCH must be seconds since 1970, it is {stated!r}")
        return int(stated)
    stamp = git(root, "log", "-1", "--format=%ct").strip()
    return int(stamp) if stamp else None


def git(root: Path, *arguments: str) -> str:
    """What a git command prints; empty when it fails or there is no git."""
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def line_times(root: Path, path: Path) -> list[int | None]:
    """When each line of a file was written, as commit time; None where git does not know (not committed, shallow clone).

    Returns:
        one time a line; nothing outside a git checkout.
    """
    cut = shallow_commits(root)
    times: dict[str, int] = {}
    found: list[int | None] = []
    commit = ""
    for line in git(root, "blame", "--porcelain", "--root", "--", path.as_posix()).splitlines():
        if line.startswith("\t"):
            found.append(None if commit in cut or not commit.strip("0") else times[commit])
        elif line.startswith("committer-time "):
            times[commit] = int(line.split()[1])
        elif _HEADER.match(line):
            commit = line.split()[0]
    return found


def shallow_commits(root: Path) -> frozenset[str]:
    """Commits at which a shallow clone was cut off: what they hold may be older."""
    name = git(root, "rev-parse", "--git-path", "shallow").strip()
    file = root / name
    return frozenset(file.read_text(encoding="ascii").split()) if name and file.is_file() else frozenset()
