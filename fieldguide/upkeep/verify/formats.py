"""A report as text for a terminal, as JSON for programs, as Markdown for an issue."""

import html
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import accumulate

from fieldguide.content.catalog.models import Change, ChangeKind
from fieldguide.upkeep.verify.result import Looked, ReleaseReport, Report
from fieldguide.upkeep.verify.spans import Spans

# An issue holds 65,536 characters; the rest of the report takes a few thousand.
ROOM = 50_000
WIDTH = 160

_SAID = {
    ChangeKind.UNREAD: "no longer parses",
    ChangeKind.FILE: "file is gone",
    ChangeKind.MOVED: "file moved",
    ChangeKind.DEFAULT: "default changed",
    ChangeKind.TEXT: "line reworded",
    ChangeKind.LOST: "line is gone",
    ChangeKind.ERROR: "error text no longer printed",
}


def as_text(report: Report) -> str:
    """Repositories, changes, what was not checked, faults; the number of changes last."""
    lines = [f"{one.id}: {_span(one)}: {_amount(one)}" for one in report.looked]
    for change in report.changes:
        lines += ["", f"{change.repo} {place(change)}: {_SAID[change.kind]} since {change.since}", f"    was: {change.was}"]
        lines += [f"    now: {change.now}"] if change.now else []
        lines += [f"    cited by: {', '.join(cited_by(change))}"]
    lines += ["", *(f"wrong in the catalog: {problem}" for problem in report.problems)] if report.problems else []
    lines += ["", "not checked:", *(f"    {line}" for line in not_checked(report))] if list(not_checked(report)) else []
    lines += ["", *(f"not readable: {fault}" for fault in report.faults)] if report.faults else []
    lines += _releases(report.releases)
    return "\n".join([*lines, "", summary(report)])


def _releases(report: ReleaseReport) -> list[str]:
    lines = ["", *(release_amount(one) for one in report.spans)] if report.spans else []
    lines += [f"{one.framework}: {_many(one.keys, 'declared key')} in {_many(one.points, 'version')}" for one in report.keys]
    lines += ["", *(f"contradicts the releases: {one}" for one in report.wrong)] if report.wrong else []
    lines += ["", *(f"not had: {one}" for one in report.missing)] if report.missing else []
    return lines + (["", *(f"not as it was: {one}" for one in report.moved)] if report.moved else [])


def release_amount(one: Spans) -> str:
    """`verl: 16 releases up to v0.9.1 (2026-09-20): 121 error texts, 60 cited lines; 4 error texts not followed (python 4)`."""
    last = one.releases[-1].release
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(one.reasons.items()))
    left = f"; {_many(sum(one.reasons.values()), 'error text')} not followed ({reasons})" if reasons else ""
    amount = f"{_many(one.texts, 'error text')}, {_many(one.lines, 'cited line')}"
    return f"{one.repo}: {_many(len(one.releases), 'release')} up to {last.tag} ({last.date}): {amount}{left}"


def as_json(report: Report) -> str:
    """Everything, the single items that were not checked included."""
    data = {
        "repositories": [asdict(one) for one in report.looked],
        "changes": [change.model_dump(mode="json", exclude_none=True) for change in report.changes],
        "problems": [str(problem) for problem in report.problems],
        "not_readable": list(report.faults),
        "without_clone": {id_: {"lines": tally.lines, "errors": tally.errors} for id_, tally in report.absent.items()},
        "not_checked": [asdict(one) for one in report.unchecked],
        "releases": {one.repo: [looked.release.tag for looked in one.releases] for one in report.releases.spans},
        "contradicts_releases": report.releases.wrong,
        "not_had": list(report.releases.missing),
        "not_as_it_was": list(report.releases.moved),
    }
    return json.dumps(data, ensure_ascii=False, indent=2)


def as_markdown(report: Report) -> str:
    """Two tables, and no more changes than fit an issue."""
    lines = [f"**{summary(report)}**", "", "| Repository | Checked against | Newest | Looked at |", "|---|---|---|---|"]
    lines += [f"| {one.name} | {one.pinned.stamp} | {_newest(one)} | {_amount(one)} |" for one in report.looked]
    if report.changes:
        rows = [_row(change) for change in report.changes]
        fitting = sum(length <= ROOM for length in accumulate(len(row) + 1 for row in rows))
        lines += ["", "| What | Where | Was | Now | Cited by |", "|---|---|---|---|---|", *rows[:fitting]]
        lines += ["", f"… and {len(rows) - fitting} more changes."] if len(rows) > fitting else []
    lines += ["", "Wrong in the catalog:", "", *(f"- {_cell(str(one))}" for one in report.problems)] if report.problems else []
    lines += ["", "Not readable:", "", *(f"- {_cell(fault)}" for fault in report.faults)] if report.faults else []
    lines += _listed("Contradicts the releases:", report.releases.wrong) + _listed("Not had:", report.releases.missing)
    lines += _listed("Not as it was:", report.releases.moved)
    skipped = [f"- {_cell(line)}" for line in not_checked(report)]
    lines += ["", "<details><summary>Not checked</summary>", "", *skipped, "", "</details>"] if skipped else []
    return "\n".join(lines)


def _listed(head: str, items: Sequence[str]) -> list[str]:
    return ["", head, "", *(f"- {_cell(item)}" for item in items)] if items else []


def summary(report: Report) -> str:
    """One line: how much holds."""
    held = sum(one.tally.lines for one in report.looked)
    counts = (len(report.changes), len(report.problems), len(report.faults))
    return f"{_many(held, 'cited line')} looked up: %d changed upstream, %d wrong in the catalog, %d not readable" % counts


def place(change: Change) -> str:
    """`path:line`, or the path."""
    return f"{change.path}:{change.line}" if change.line else change.path


def cited_by(change: Change) -> list[str]:
    """Ids of entries, keys and rules, in this order."""
    return [*change.entries, *change.keys, *change.rules]


def not_checked(report: Report) -> Iterator[str]:
    """Groups of what was not looked at, with the reason."""
    for id_, tally in report.absent.items():
        yield f"{id_}: {_many(tally.lines, 'cited line')}, {_many(tally.errors, 'error text')}: no clone"
    for one in report.looked:
        if one.tally.past:
            yield f"{one.id}: {_many(one.tally.past, 'error text')}: of past versions"
    kinds = Counter((one.repo, one.what, one.reason) for one in report.unchecked)
    for (repo, what, reason), count in kinds.items():
        yield f"{repo}: {_many(count, what)}: {reason}"


def _span(one: Looked) -> str:
    return f"{one.pinned.stamp} → {one.newest.stamp}" if one.newest else f"{one.pinned.stamp}, not followed"


def _amount(one: Looked) -> str:
    tally = one.tally
    shifted = f" ({tally.shifted} on another line)" if tally.shifted else ""
    lines = _many(tally.lines, "cited line")
    return f"{lines}{shifted}, {_many(tally.defaults, 'default')}, {_many(tally.errors, 'error text')}"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _newest(one: Looked) -> str:
    return one.newest.stamp if one.newest else "not followed"


def _row(change: Change) -> str:
    cells = (
        f"{change.repo}: {_SAID[change.kind]}",
        _code(place(change)),
        _code(change.was),
        _code(change.now) if change.now else "—",
        ", ".join(cited_by(change)),
    )
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    """Code in a cell: HTML, because backticks and bars inside Markdown code end the cell."""
    short = text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
    return f"<code>{_cell(short)}</code>"


def _cell(text: str) -> str:
    return html.escape(" ".join(text.split()), quote=False).translate({ord(sign): f"&#{ord(sign)};" for sign in "|`*_~[]@#"})
