"""Answers for a log in a terminal: the same matcher as the site's, as plain text or JSON."""

import json
from typing import Any

from fieldguide.content.addresses import page_address
from fieldguide.content.answer import fix_of
from fieldguide.content.guide import Guide
from fieldguide.runtime.scan import Diagnosis, Finding
from fieldguide.site.markdown.render import Renderer

BOLD, DIM, RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def as_json(guide: Guide, diagnosis: Diagnosis, language: str) -> str:
    """The diagnosis as one JSON object.

    Returns:
        `{"framework", "lines", "findings": [{"id", "title", "framework", "line", "count", "text", "also", "page", "fix"}]}`.
    """
    data: dict[str, Any] = {
        "framework": diagnosis.framework,
        "lines": diagnosis.lines,
        "findings": [_record(guide, finding, language) for finding in diagnosis.findings],
    }
    return json.dumps(data, ensure_ascii=False, indent=2)


def as_text(guide: Guide, diagnosis: Diagnosis, language: str, colour: bool) -> str:
    """The diagnosis for a reader, the first error of the run first."""
    words = guide.words[language]
    bold, dim, reset = (BOLD, DIM, RESET) if colour else ("", "", "")
    if not diagnosis.findings:
        return words["explain_nothing"].format(lines=diagnosis.lines)
    name = guide.catalog.framework[diagnosis.framework].name if diagnosis.framework else "?"
    blocks = [words["explain_head"].format(lines=diagnosis.lines, found=len(diagnosis.findings), framework=name)]
    for rank, finding in enumerate(diagnosis.findings, 1):
        record = _record(guide, finding, language)
        where = words["explain_where"].format(line=finding.line, count=finding.count)
        lines = [f"{bold}{rank}. {record['title']}{reset}", f"{dim}{where} · {record['id']} · {record['page']}{reset}"]
        lines += ["", f"    {finding.text}", "", *(f"  {line}" if line else "" for line in record["fix"].splitlines())]
        if finding.also:
            lines += ["", f"{dim}{words['explain_also']} {', '.join(finding.also)}{reset}"]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _record(guide: Guide, finding: Finding, language: str) -> dict[str, Any]:
    entry = guide.catalog.entry[finding.entry]
    name = guide.catalog.page_of(finding.entry)
    return {
        "id": finding.entry,
        "title": Renderer.code_title(guide.documents[language][name].by_id[finding.entry].title).striptags(),
        "framework": entry.framework,
        "line": finding.line,
        "count": finding.count,
        "text": finding.text,
        "also": list(finding.also),
        "page": page_address(language, name),
        "fix": fix_of(guide, language, finding.entry),
    }
