"""What several records noticed of one change upstream becomes one change."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from fieldguide.content.catalog.models import Change, ChangeKind
from fieldguide.upkeep.verify.result import Finding

# Of a whole file: one change however many lines of it are cited.
_WHOLE = (ChangeKind.UNREAD, ChangeKind.FILE, ChangeKind.MOVED)
_ORDER = list(ChangeKind)


def merge(findings: Iterable[Finding]) -> tuple[Change, ...]:
    """Group findings of the same file, or of overlapping lines; the most telling one names the group.

    Returns:
        the changes by repository, path and line.
    """
    files: dict[tuple[str, str, str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        whole = finding.kind.value if finding.kind in _WHOLE else ""
        files[finding.repo, finding.path, finding.since.hash, whole].append(finding)
    groups = [[found] if key[3] else _overlapping(found) for key, found in files.items()]
    changes = [_change(group) for split in groups for group in split]
    return tuple(sorted(changes, key=lambda change: (change.repo, change.path, change.line or 0, _ORDER.index(change.kind))))


def _overlapping(findings: Sequence[Finding]) -> list[list[Finding]]:
    groups: list[list[Finding]] = []
    end = -1
    for finding in sorted(findings, key=lambda finding: finding.lines):
        if finding.lines[0] <= end:
            groups[-1].append(finding)
        else:
            groups.append([finding])
        end = max(end, finding.lines[1])
    return groups


def _change(group: Sequence[Finding]) -> Change:
    first = min(group, key=lambda finding: _ORDER.index(finding.kind))
    entries = {finding.entry for finding in group if finding.entry}
    keys, rules = ({finding.owner[1] for finding in group if finding.owner[0] == kind} for kind in ("keys", "rules"))
    return Change(
        repo=first.repo,
        kind=first.kind,
        path=first.path,
        line=None if first.kind in _WHOLE else first.lines[0] or None,
        since=first.since.stamp,
        was=first.was,
        now=first.now,
        entries=tuple(sorted(entries)),
        keys=tuple(sorted(keys)),
        rules=tuple(sorted(rules)),
    )
