"""What git knows about the guide."""

import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

# The id of an entry: on the first line of its file, or in a list as records were before each had one.
_ENTRY_ID = re.compile(r" *(?:- )?id: *['\"]?([a-z0-9-]+)")


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
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, encoding="utf-8", errors="replace", check=False
        )
    except FileNotFoundError:
        return ""
    return done.stdout if done.returncode == 0 else ""


@dataclass(frozen=True)
class Edit:
    """What one commit did to one file.

    Attributes:
        path: None for a file that the commit deletes.
        time: of the commit; None where a shallow clone is cut off, so that the lines may be older.
        added, removed: the lines.
    """

    path: Path | None
    time: int | None
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


def edits(root: Path, *folders: str) -> Iterator[Edit]:
    """Every edit of the files below some folders, newest first, read from one log; nothing outside a git checkout."""
    cut, time, edit = shallow_commits(root), None, None
    shown = ("-c", "core.quotePath=off", "log", "--patch", "--unified=0", "--no-renames", "--no-color", "--format=%x00%H %ct")
    for line in git(root, *shown, "--", *folders).split("\n"):
        if line.startswith("\0"):
            commit, _, stamp = line[1:].partition(" ")
            time = None if commit in cut else int(stamp)
        elif line.startswith("diff --git "):
            if edit:
                yield edit
            edit = Edit(None, time)
        elif edit and not edit.added and not edit.removed and line.startswith(("+++ b/", "+++ /dev/null", "--- ")):
            edit = replace(edit, path=Path(line[6:])) if line.startswith("+++ b/") else edit
        elif edit and line.startswith("+"):
            edit.added.append(line[1:])
        elif edit and line.startswith("-"):
            edit.removed.append(line[1:])
    if edit:
        yield edit


def entry_ids(lines: Iterable[str]) -> list[str]:
    """The ids that lines of entries' records name.

    >>> entry_ids(["id: slime-oom", "framework: slime", "  - id: roll-oom"])
    ['slime-oom', 'roll-oom']
    """
    return [found.group(1) for line in lines if (found := _ENTRY_ID.match(line))]


def shallow_commits(root: Path) -> frozenset[str]:
    """Commits at which a shallow clone was cut off: what they hold may be older."""
    name = git(root, "rev-parse", "--git-path", "shallow").strip()
    file = root / name
    return frozenset(file.read_text(encoding="ascii").split()) if name and file.is_file() else frozenset()
