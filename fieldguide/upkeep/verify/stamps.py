"""Move the stamps of what still holds, and remember what does not.

The pin of a repository moves to the newest commit looked at. What holds there gets its new line or path. What does not
keeps its own: its sources get `held`, the commit at which they were found last. So no stamp says more than was checked.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import yaml

from fieldguide.content.catalog.models import Change, ChangeKind, Newest
from fieldguide.content.catalog.store import Catalog
from fieldguide.upkeep.verify.compare import citations
from fieldguide.upkeep.verify.edit import Path as Field
from fieldguide.upkeep.verify.edit import edited, write_texts
from fieldguide.upkeep.verify.result import Citation, Finding, Looked, Report

RECORD = Path("catalog") / "checks.yml"
_HEAD = "# What upstream changed since the guide's stamps. Written by `make verify FIX=1`; the site shows it.\n"

Fields = dict[Path, dict[Field, str | int | None]]


def move_stamps(root: Path, catalog: Catalog, report: Report) -> list[str]:
    """Rewrite the catalog below `root`.

    Returns:
        what was done, a line per repository; why nothing was, if the catalog is wrong at its own commits.
    """
    if report.problems:
        return ["nothing moved: correct first what is wrong in the catalog"]
    followed = [one for one in citations(catalog) if not one.source.commit]
    said: list[str] = []
    fields: Fields = defaultdict(dict)
    moved: set[str] = set()
    for looked in report.looked:
        own = [one for one in followed if one.source.repo == looked.id]
        lost = _cannot_be_held(own, [finding for finding in report.findings if finding.repo == looked.id])
        if looked.newest is None or lost:
            said += [f"{looked.id}: stays at {looked.pinned.stamp}: no source to hold for {', '.join(lost)}"] if lost else []
            continue
        moved.add(looked.id)
        said.append(_move(fields, catalog, looked, own, report))
    write_texts(root, {**edited(root, fields), RECORD: _record(catalog, report, moved)})
    return said


def _move(fields: Fields, catalog: Catalog, looked: Looked, own: Sequence[Citation], report: Report) -> str:
    """Set the fields of one repository and say how many."""
    assert looked.newest
    moves = {(move.citation.owner, move.citation.index): move for move in report.moves}
    stale = _stale(own, [finding for finding in report.findings if finding.repo == looked.id])
    held = numbered = 0
    for citation in own:
        move = moves.get((citation.owner, citation.index))
        if citation.owner in stale:
            held += 1
            if not citation.source.held and looked.newest != looked.pinned:
                _set(fields, citation, "held", looked.pinned.stamp)
            continue
        if citation.source.held:
            _set(fields, citation, "held", None)
        if move:
            numbered += 1
            _set(fields, citation, "path", move.path)
            if move.line:
                _set(fields, citation, "line", move.line)
    if looked.newest != looked.pinned:
        place, field = _pin(catalog, looked.id)
        fields[place] |= {(*field, "commit"): looked.newest.hash, (*field, "date"): looked.newest.date}
    return f"{looked.id}: {looked.newest.stamp}: {numbered} citations follow, {held} keep the commit they were found at"


def _set(fields: Fields, citation: Citation, name: str, value: str | int | None) -> None:
    kind = citation.owner[0]
    # An entry is a file of its own; keys and rules share one.
    where: Field = ("sources", citation.index) if kind == "entries" else (kind, citation.position, "source")
    fields[citation.record.path][(*where, name)] = value


def _pin(catalog: Catalog, id_: str) -> tuple[Path, Field]:
    frameworks = [item.record.id for item in catalog.frameworks]
    libraries = [item.record.id for item in catalog.libraries]
    kind, ids = ("frameworks", frameworks) if id_ in frameworks else ("libraries", libraries)
    return Path("catalog") / "frameworks.yml", (kind, ids.index(id_))


def _stale(own: Sequence[Citation], findings: Iterable[Finding]) -> set[tuple[str, str]]:
    """Records that must not move: what changed itself, and the entry that shows it. A file that moved holds nothing.

    An entry that cites the repository only through its rules is held by those.
    """
    kept = [finding for finding in findings if finding.kind is not ChangeKind.MOVED]
    stale = {finding.owner for finding in kept} | {("entries", finding.entry) for finding in kept if finding.entry}
    citing = {citation.owner for citation in own}
    bare = {name for kind, name in stale if kind == "entries" and ("entries", name) not in citing}
    return stale | {citation.owner for citation in own if citation.entry in bare}


def _cannot_be_held(own: Sequence[Citation], findings: Iterable[Finding]) -> list[str]:
    """Entries that lost an error text and cite no line that could keep the old commit for them."""
    holding = {citation.entry for citation in own}
    lost = {finding.entry for finding in findings if finding.kind is ChangeKind.ERROR and finding.entry not in holding}
    return sorted(entry for entry in lost if entry)


def _record(catalog: Catalog, report: Report, moved: set[str]) -> str:
    """The file of what was looked at and what changed; repositories that were not looked at keep theirs."""
    newest = {item.record.id: item.record for item in catalog.newest}
    for looked in report.looked:
        if looked.newest:
            newest[looked.id] = Newest(id=looked.id, commit=looked.newest.hash, date=looked.newest.date)
    seen = {looked.id for looked in report.looked}
    changes = [item.record for item in catalog.changes if item.record.repo not in seen]
    changes += [change for change in report.changes if change.kind is not ChangeKind.MOVED or change.repo not in moved]
    known = [id_ for id_ in catalog.repository if id_ in newest]
    return _HEAD + _listed("repositories", [newest[id_] for id_ in known]) + _listed("changes", changes)


def _listed(name: str, records: Sequence[Newest | Change]) -> str:
    rows: list[Mapping[str, object]] = [record.model_dump(mode="json", exclude_defaults=True) for record in records]
    return str(yaml.safe_dump({name: rows}, sort_keys=False, allow_unicode=True, width=120))
