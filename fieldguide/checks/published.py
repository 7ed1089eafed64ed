"""An id that was published stays: as it is, or as the alias of what took its place. Other sites link to it."""

import re
from collections.abc import Iterator
from pathlib import Path

from fieldguide.catalog.store import Catalog
from fieldguide.guide import Guide
from fieldguide.history import git
from fieldguide.problems import Problem

# One id a line; `python -m fieldguide record-ids` adds to it before a release, nothing is ever taken out.
RECORD = Path("catalog/published-ids.txt")
_ENTRY_ID = re.compile(r"- id: *['\"]?([a-z0-9-]+)")


def check_published(guide: Guide) -> Iterator[Problem]:
    """Ids of the record, and of the entries of every tagged release, that lead nowhere today."""
    if guide.catalog.broken:
        return  # an id or alias may stand in a record that could not be read
    known = known_ids(guide.catalog)
    for id_, (path, line) in {**tagged_ids(guide.root), **recorded_ids(guide.root)}.items():
        if id_ not in known:
            yield Problem(path, line, f"id {id_!r} was published and is gone; make it an alias of what took its place")


def known_ids(catalog: Catalog) -> set[str]:
    """Ids and aliases of all entries and keys."""
    return {*catalog.entry, *catalog.key_by_id, *catalog.aliases}


def recorded_ids(root: Path) -> dict[str, tuple[Path, int]]:
    """Id → its line in the record; nothing where there is no record yet."""
    file = root / RECORD
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {line.strip(): (RECORD, number) for number, line in enumerate(lines, 1) if line.strip()}


def tagged_ids(root: Path) -> dict[str, tuple[Path, int]]:
    """Id → the release it stands in, for the entries of every tag `v…`; nothing outside a git checkout."""
    found = {}
    for tag in git(root, "tag", "--list", "v*").split():
        for id_ in _ENTRY_ID.findall(git(root, "grep", "-h", "-e", "- id: ", tag, "--", "catalog/entries")):
            found[id_] = (Path(f"{tag}:catalog/entries"), 0)
    return found


def record_ids(guide: Guide) -> list[str]:
    """Add every id that is not in the record yet.

    Returns:
        the ids added.
    """
    old = recorded_ids(guide.root)
    new = sorted(known_ids(guide.catalog) - set(old))
    (guide.root / RECORD).write_text("".join(f"{id_}\n" for id_ in sorted([*old, *new])), encoding="utf-8")
    return new
