"""The answer for a run: what its files tell, as one record for programs; `text.py` shows it to readers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from fieldguide.runtime.dialect import stripped
from fieldguide.runtime.findings import Finding
from fieldguide.runtime.guide import Answers, Guide
from fieldguide.runtime.match import find, in_one_line
from fieldguide.runtime.rank.documents import Document
from fieldguide.runtime.run.clock import shown
from fieldguide.runtime.run.collect import Collected, Skipped
from fieldguide.runtime.run.failure import Failure, Verdict
from fieldguide.runtime.run.flight import Flight
from fieldguide.runtime.run.processes import Process
from fieldguide.runtime.run.read import FileRead
from fieldguide.runtime.told import told_by

_EXAMPLES = 3
_NEAR_LINES = 200  # lines within which a known error in the same log belongs to a failure


@dataclass(frozen=True)
class Run:
    """Everything that is known of a run: its files, what was left out, the verdict."""

    files: Sequence[FileRead]
    collected: Collected
    verdict: Verdict
    flight: Flight | None = None


def as_record(run: Run, guide: Guide, answers: Answers, entry: str | None, nearest: Sequence[Document] = ()) -> dict[str, Any]:
    """The answer for programs.

    Args:
        entry: what answers the first failure, see `entry_of`.
        nearest: entries about the same words, where none answers.

    Returns:
        `{"run": {"files", "lines", "kinds": {kind: files}, "first", "last", "ranks": {"seen", "expected"}, "framework",
        "others": {run: files}},
        "failure": null or {WHO, "how", "sure", "file", "line", "time", "text", "did", "entry", "told", "method"},
        "missing": [rank], "followed": [{WHO, "how", "file", "line", "time", "text"}],
        "last": [{WHO, "file", "time", "did", "text"}],
        "findings": [{"id", "title", "page", "file", "line", "count", "files", "text", "echo", "fix"}],
        "skipped": {reason: {"count", "examples"}}, "nearest": [{"id", "title", "page"}],
        "flight": null or {"dumps", "verdict", "command"}, "report": text}`.
        WHO is "rank", "pid", "node", "actor" (null where unknown) and "kind", of its log. Times are those of the logs' own
        clocks; "entry" is the id of the finding that answers; "did" has "phase", "step", "op", "seq" as far as they are known.
    """
    verdict, files = run.verdict, run.files
    times = [time for file in files for time in (file.first, file.last) if time is not None]
    ranks = [one.who.rank for one in verdict.processes if one.who.rank >= 0]
    return {
        "run": {
            "files": len(files),
            "lines": sum(file.lines for file in files),
            "kinds": dict(sorted(Counter(file.kind for file in files).items())),
            "first": shown(min(times, default=None)),
            "last": shown(max(times, default=None)),
            "ranks": {"seen": len(set(ranks)), "expected": verdict.expected},
            "framework": framework_of(files),
            "others": run.collected.others,
        },
        "failure": _failure(verdict, entry, guide, answers) if verdict.first else None,
        "missing": list(verdict.missing),
        "followed": [_end(one) for one in verdict.followed],
        "last": [_last(one) for one in verdict.processes if one.files or one.doing],
        "findings": list(_findings(files, entry, guide, answers)),
        "skipped": _skipped(run.collected.skipped),
        "nearest": [{"id": one.id, "title": one.title, "page": one.location} for one in nearest],
        "flight": asdict(run.flight) if run.flight else None,
        "report": _report(verdict, guide) if verdict.first and entry is None else "",
    }


def entry_of(run: Run, guide: Guide) -> str | None:
    """The entry that answers the first failure, if one does."""
    first = run.verdict.first
    if first is None:
        return None
    if first.how == "silent":  # what the others say who waited for it
        texts = [one.placed.seen.text for one in run.verdict.followed if one.how == "waited" and one.placed]
        framework = framework_of(run.files)
        found = (one for text in texts[:_EXAMPLES] for one in find(text, guide, framework) if one.exact)
        if known := next(found, None):
            return known.signature.entry
    return _entry(first, run.files, guide)


def _report(verdict: Verdict, guide: Guide) -> str:
    """What to send of an unknown failure, without what names people, machines, places and secrets."""
    first = verdict.first
    block = first.placed.seen.block if first and first.placed else ""
    told = "\n".join(f"{one.how}: {one.placed.seen.text if one.placed else ''}" for one in verdict.followed[:_EXAMPLES])
    return guide.masked(stripped(f"{first.how if first else ''}\n{block}\n\n{told}"))


def framework_of(files: Sequence[FileRead]) -> str | None:
    """The framework that most of the logs name."""
    named = Counter(file.diagnosis.framework for file in files if file.diagnosis.framework)
    return max(named, key=lambda one: (named[one], one), default=None)


def _who(process: Process) -> dict[str, Any]:
    who = process.who
    return {
        "rank": who.rank if who.rank >= 0 else None,
        "pid": who.pid if who.pid >= 0 else None,
        "node": who.node or None,
        "actor": who.actor or None,
        "kind": _kind(process),
    }


def _kind(process: Process) -> str:
    """What its own log is, or the one that tells of it."""
    told = [*process.files, *(one.file for one in process.events), *(file for _, file in process.doing)]
    return told[0].kind if told else "rank"


def _end(failure: Failure) -> dict[str, Any]:
    placed, log = failure.placed, failure.process.last
    file, line, text = (log.member.path, log.lines, log.last_line) if log else ("", 0, "")
    if placed:
        file, line, text = *placed.place, placed.seen.text
    return {**_who(failure.process), "how": failure.how, "file": file, "line": line, "time": shown(failure.time), "text": text}


def _failure(verdict: Verdict, entry: str | None, guide: Guide, answers: Answers) -> dict[str, Any]:
    first = verdict.first
    assert first is not None
    told = told_of(first, guide)
    method = answers.methods[first.how]
    return {
        **_end(first),
        "sure": verdict.sure,
        "did": first.process.did,
        "entry": entry,
        "told": asdict(told) if told else None,
        "method": {"title": method.title, "page": method.page},
    }


def told_of(failure: Failure, guide: Guide) -> Any:
    """What the text of a failure says of itself: of its own traceback before anything else."""
    seen = [failure.placed.seen] if failure.placed else []
    seen += [one.seen for one in failure.evidence]
    own = next((one.told for one in seen if one.told and one.role == "fails"), None)
    return own or next((told for one in seen if one.block and (told := told_by(one.block, guide))), None)


def _entry(first: Failure, files: Sequence[FileRead], guide: Guide) -> str | None:
    """The entry that answers the first failure: what its own text is known as, else a known error near it in its own log."""
    places = ([first.placed] if first.placed else []) + [one for one in first.evidence if one is not first.placed]
    framework = framework_of(files)
    for placed in places:
        text = in_one_line(f"{placed.seen.block} {placed.seen.text}")
        if match := next((one for one in find(text, guide, framework) if one.exact and not one.signature.echo), None):
            return match.signature.entry
    own = [*first.process.files, *(one.file for one in places)]
    near = [
        (abs(finding.line - placed.seen.line), finding.entry)
        for placed in places for finding in placed.file.diagnosis.findings
        if not finding.echo and abs(finding.line - placed.seen.line) <= _NEAR_LINES
    ]  # fmt: skip
    if near:
        return min(near)[1]
    return next((one.entry for file in own[:1] for one in file.diagnosis.findings if not one.echo), None)


def _last(process: Process) -> dict[str, Any]:
    log = process.last
    doing = max((one for one in process.doing), key=lambda one: one[0].time or 0, default=None)
    file = log or (doing[1] if doing else None)
    time = process.quiet_since if process.quiet_since is not None else (doing[0].time if doing else None)
    return {
        **_who(process),
        "file": file.member.path if file else "",
        "time": shown(time),
        "did": process.did,
        "text": log.last_line if log else "",
    }


def _findings(files: Sequence[FileRead], cause: str | None, guide: Guide, answers: Answers) -> list[dict[str, Any]]:
    """The known errors of all files: what answers the first failure, then by time, what only echoes at the end."""
    places: dict[str, list[tuple[FileRead, Finding]]] = {}
    for file in files:
        for finding in file.diagnosis.findings:
            places.setdefault(finding.entry, []).append((file, finding))

    def record(entry: str) -> tuple[tuple[bool, bool, bool, int], dict[str, Any]]:
        found = places.get(entry, [])
        file, finding = min(found, key=lambda one: (one[0].first is None, one[0].first or 0, one[1].line))
        echo = all(one.echo for _, one in found)
        rank = entry != cause, echo, file.first is None, file.first or 0
        place, count = (file.member.path, finding.line), sum(one.count for _, one in found)
        return rank, _known(entry, answers, place, count, len(found), finding.text, echo)

    made = [one for _, one in sorted(map(record, places), key=lambda one: (one[0], one[1]["id"]))]
    return made if cause is None or cause in places else [_known(cause, answers), *made]


def _known(
    entry: str,
    answers: Answers,
    place: tuple[str, int] = ("", 0),
    count: int = 1,
    files: int = 1,
    text: str = "",
    echo: bool = False,
) -> dict[str, Any]:
    """A known error; without a place, one that is known by the text of the failure alone, put together from several files."""
    answer, (file, line) = answers.entries[entry], place
    return {
        "id": entry, "title": answer.title, "page": answer.page, "file": file, "line": line, "count": count, "files": files,
        "text": text, "echo": echo, "fix": answer.fix,
    }  # fmt: skip


def _skipped(skipped: Sequence[Skipped]) -> Mapping[str, Any]:
    reasons = Counter(one.reason for one in skipped)
    return {
        reason: {"count": count, "examples": [one.path for one in skipped if one.reason == reason][:_EXAMPLES]}
        for reason, count in sorted(reasons.items())
    }
