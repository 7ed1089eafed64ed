"""Archives unpacked once into a bare git repository per package, a tag for each release: git keeps what is equal once."""

import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time
from datetime import date as day
from pathlib import Path
from typing import Any


class ReleaseCache:
    """The repositories below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def repository(self, package: str) -> Path:
        """The repository of a package, made when there is none."""
        path = self.folder / f"{package}.git"
        if not (path / "HEAD").exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            subprocess.run(["git", "init", "--quiet", "--bare", str(path)], check=True, capture_output=True)
        return path

    def versions(self, package: str, selection: str = "") -> frozenset[str]:
        """The releases of a package that are in the cache; with a selection, those that were kept with it."""
        shown = "--format=%(refname:short) %(contents:subject)"
        command = ["git", "-C", str(self.repository(package)), "for-each-ref", shown, "refs/tags"]
        rows = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        return frozenset(tag for tag, _, with_ in (row.partition(" ") for row in rows) if selection in ("", with_))

    def keep(self, package: str, version: str, date: str, files: Iterable[tuple[str, bytes]], selection: str = "") -> None:
        """Put the files of a release into the cache, in place of others. One that breaks off half-way leaves no tag.

        Args:
            selection: names what was taken out of the archive.
        """
        command = ["git", "-C", str(self.repository(package)), "fast-import", "--quiet", "--done", "--force"]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as importer:
            assert importer.stdin
            try:
                for part in _stream(version, date, files, selection):
                    importer.stdin.write(part)
                importer.stdin.write(b"done\n")
            finally:
                importer.stdin.close()
        if importer.returncode:
            raise OSError(f"git fast-import failed for {package} {version}")


def read_json(file: Path) -> Any:
    """What a file of the cache holds; None if there is none, or it was broken off."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None


def default_folder() -> Path:
    """Where the cache is: XDG_CACHE_HOME, or ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rl-fieldguide" / "releases"


def _stream(version: str, date: str, files: Iterable[tuple[str, bytes]], message: str) -> Iterator[bytes]:
    """https://git-scm.com/docs/git-fast-import: one commit without a parent."""
    seconds = int(datetime.combine(day.fromisoformat(date), time.min, UTC).timestamp())
    yield f"commit refs/tags/{version}\ncommitter index <> {seconds} +0000\ndata {len(message)}\n{message}\n".encode()
    for name, content in files:
        yield f"M 100644 inline {name}\ndata {len(content)}\n".encode() + content + b"\n"
    yield b"\n"
