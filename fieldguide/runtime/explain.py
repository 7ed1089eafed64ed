"""Answers for a log in a terminal: the same matcher as the site's, as plain text or JSON."""

import json
from typing import Any

from fieldguide.runtime.findings import Diagnosis, Finding
from fieldguide.runtime.guide import Answers, Guide

BOLD, DIM, RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def as_json(guide: Guide, answers: Answers, diagnosis: Diagnosis) -> str:
    """The diagnosis as one JSON object.

    Returns:
        `{"framework", "lines", "findings": [{"id", "title", "framework", "line", "count", "text", "also", "page", "fix"}]}`.
    """
    data: dict[str, Any] = {
        "framework": diagnosis.framework,
        "lines": diagnosis.lines,
        "findings": [_record(guide, answers, finding) for finding in diagnosis.findings],
    }
    return json.dumps(data, ensure_ascii=False, indent=2)


def as_text(guide: Guide, answers: Answers, diagnosis: Diagnosis, colour: bool) -> str:
    """The diagnosis for a reader, the first error of the run first."""
    words = answers.words
    bold, dim, reset = (BOLD, DIM, RESET) if colour else ("", "", "")
    if not diagnosis.findings:
        return words["explain_nothing"].format(lines=diagnosis.lines)
    name = next((one.name for one in guide.frameworks if one.id == diagnosis.framework), "?")
    blocks = [words["explain_head"].format(lines=diagnosis.lines, found=len(diagnosis.findings), framework=name)]
    for rank, finding in enumerate(diagnosis.findings, 1):
        record = _record(guide, answers, finding)
        where = words["explain_where"].format(line=finding.line, count=finding.count)
        lines = [f"{bold}{rank}. {record['title']}{reset}", f"{dim}{where} · {record['id']} · {record['page']}{reset}"]
        lines += ["", f"    {finding.text}", "", *(f"  {line}" if line else "" for line in record["fix"].splitlines())]
        if finding.also:
            lines += ["", f"{dim}{words['explain_also']} {', '.join(finding.also)}{reset}"]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


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
