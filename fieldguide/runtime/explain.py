"""Answers for a log in a terminal: the same as the site's, as plain text or JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from fieldguide.runtime.findings import Diagnosis, Finding, standing
from fieldguide.runtime.guide import Answers, Guide
from fieldguide.runtime.rank.documents import Document
from fieldguide.runtime.told import Told, told_by

BOLD, DIM, RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def as_record(
    guide: Guide,
    answers: Answers,
    diagnosis: Diagnosis,
    nearest: Sequence[Document] = (),
    installed: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """The diagnosis for programs.

    Args:
        nearest: entries about the same words, where no error is known.
        installed: package → version, as far as the log tells.

    Returns:
        `{"framework", "lines", "findings": [{"id", "title", "framework", "line", "count", "text", "also", "page", "fix",
        "bug"}],
        "told": {"error", "message", "file", "line", "function", "library", "version"} or null,
        "nearest": [{"id", "title", "page"}]}`; the finding that most likely ended the run comes first, and `told` and `nearest`
        are of a text without one. `bug` is null for an entry, else
        `{"standing", "since", "until", "fixed", "release", "has"}`; `has` is "bug", "fix" or "none" where the release is known.
    """
    told = None if diagnosis.findings else told_by(diagnosis.tail, guide)
    return {
        "framework": diagnosis.framework,
        "lines": diagnosis.lines,
        "findings": [
            _record(guide, answers, finding) | {"bug": _bug(guide, answers, finding, installed)}
            for finding in diagnosis.findings
        ],
        "told": asdict(told) if told else None,
        "nearest": [{"id": one.id, "title": one.title, "page": one.location} for one in nearest],
    }


def _bug(guide: Guide, answers: Answers, finding: Finding, installed: Mapping[str, str]) -> dict[str, Any] | None:
    affected = guide.bugs.get(finding.entry)
    if affected is None:
        return None
    release, has = standing(finding, guide, installed) or (None, None)
    return {"standing": answers.entries[finding.entry].short, **affected.span, "release": release, "has": has}


def as_text(
    guide: Guide,
    answers: Answers,
    diagnosis: Diagnosis,
    colour: bool,
    nearest: Sequence[Document] = (),
    installed: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The diagnosis for a reader, what most likely ended the run first."""
    words = answers.words
    bold, dim, reset = (BOLD, DIM, RESET) if colour else ("", "", "")
    if not diagnosis.findings:
        blocks = [words["explain_nothing"].format(lines=diagnosis.lines)]
        if told := told_by(diagnosis.tail, guide):
            blocks.append("\n".join([words["explain_told"], *(f"  {line}" for line in _lines_of(told, answers))]))
        if nearest:
            rows = (f"  {one.title}\n    {dim}{one.id} · {one.location}{reset}" for one in nearest)
            blocks.append("\n".join([words["explain_nearest"], *rows]))
        return "\n\n".join(blocks)
    name = next((one.name for one in guide.known if one.id == diagnosis.framework), "?")
    blocks = [words["explain_head"].format(lines=diagnosis.lines, found=len(diagnosis.findings), framework=name)]
    for rank, finding in enumerate(diagnosis.findings, 1):
        record = _record(guide, answers, finding)
        where = words["explain_where"].format(line=finding.line, count=finding.count)
        lines = [f"{bold}{rank}. {record['title']}{reset}", f"{dim}{where} · {record['id']} · {record['page']}{reset}"]
        lines += ["", f"    {finding.text}", ""]
        if finding.entry in guide.bugs:
            lines.append(f"  {words['bug_known']}{words['colon']}{answers.entries[finding.entry].short}")
            if runs := standing(finding, guide, installed):
                lines.append(f"  {words[f'bug_run_{runs[1]}'].format(release=runs[0])}")
        lines += [f"  {line}" if line else "" for line in record["fix"].splitlines()]
        if finding.also:
            lines += ["", f"{dim}{words['explain_also']} {', '.join(finding.also)}{reset}"]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _lines_of(told: Told, answers: Answers) -> list[str]:
    words = answers.words
    lines = [f"{told.error}: {told.message}" if told.message else told.error]
    if told.file:
        lines.append(words["explain_raised"].format(file=told.file, line=told.line))
    if told.library:
        lines.append(words["explain_library"].format(library=f"{told.library} {told.version}".rstrip()))
    return lines


def _record(guide: Guide, answers: Answers, finding: Finding) -> dict[str, Any]:
    answer = answers.entries[finding.entry]
    return {
        "id": finding.entry,
        "title": answer.title,
        "framework": next(one.framework for one in guide.signatures if one.entry == finding.entry),
        "line": finding.line,
        "count": finding.count,
        "text": finding.text,
        "also": list(finding.also),
        "page": answer.page,
        "fix": answer.fix,
    }
