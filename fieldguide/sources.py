"""Look up every cited line in local git clones: does the text still stand there at the cited commit?"""

import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fieldguide.catalog.models import Source
from fieldguide.catalog.store import Catalog
from fieldguide.problems import Problem


@dataclass(frozen=True)
class Report:
    """Outcome of a look-up: how many citations hold, which do not, how many had no clone to look in."""

    found: int
    skipped: int
    problems: tuple[Problem, ...]


def verify_sources(catalog: Catalog, clones: Path) -> Report:
    """Read each cited file at its commit and look for `contains` on the cited line.

    Args:
        clones: folder that holds a git repository per cited one, as `owner+name`, `name`, or either with `repo` below.
    """
    problems: list[Problem] = []
    found = skipped = 0
    for path, line, source in _citations(catalog):
        repository = catalog.repository[source.repo]
        clone = _clone(clones, repository.repository) if repository.repository else None
        revision = source.commit or repository.commit
        if clone is None or revision is None:
            skipped += 1
            continue
        fault = _fault(clone, revision, source)
        if fault:
            problems.append(Problem(path, line, fault))
        else:
            found += 1
    return Report(found, skipped, tuple(problems))


def _citations(catalog: Catalog) -> list[tuple[Path, int, Source]]:
    cited = [(item.path, item.line, source) for item in catalog.entries for source in item.record.sources]
    cited += [(item.path, item.line, item.record.source) for item in catalog.keys]
    cited += [(item.path, item.line, item.record.source) for item in catalog.rules]
    return cited


def _clone(clones: Path, repository: str) -> Path | None:
    owner, name = repository.split("/")
    for candidate in (clones / f"{owner}+{name}" / "repo", clones / f"{owner}+{name}", clones / name):
        if candidate.is_dir():
            return candidate
    return None


def _fault(clone: Path, revision: str, source: Source) -> str | None:
    text = _file_at(clone, revision, source.path)
    if text is None:
        return f"{source.repo}: no file {source.path} at {revision}"
    if source.contains is None:
        return None
    lines = text.splitlines()
    at = lines[source.line - 1] if source.line and source.line <= len(lines) else ""
    if source.contains in at:
        return None
    elsewhere = [number for number, content in enumerate(lines, 1) if source.contains in content][:5]
    where = f"it stands on {', '.join(map(str, elsewhere))}" if elsewhere else "it stands nowhere in the file"
    return f"{source.repo}:{source.path}:{source.line} does not contain {source.contains!r}; {where}"


@cache
def _file_at(clone: Path, revision: str, path: str) -> str | None:
    done = subprocess.run(["git", "-C", str(clone), "show", f"{revision}:{path}"], capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
