"""What git knows about the guide."""

import os
import subprocess
from pathlib import Path


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
