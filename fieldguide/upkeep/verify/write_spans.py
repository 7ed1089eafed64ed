"""Write what the releases say into the catalog: the lists of releases, and where each text and line is found."""

from collections import defaultdict
from pathlib import Path

import yaml

from fieldguide.upkeep.verify.edit import Path as Field
from fieldguide.upkeep.verify.edit import edited, write_texts
from fieldguide.upkeep.verify.result import ReleaseReport
from fieldguide.upkeep.verify.spans import Spans

_HEAD = "# Releases in which texts are looked up, oldest first. Written by `make verify FIX=1`.\nreleases:\n"


def write_spans(root: Path, report: ReleaseReport) -> list[str]:
    """Rewrite `catalog/releases/`, the spans of entries, and the releases of known bugs.

    Returns:
        what was done, a line for each repository.
    """
    texts: dict[Path, str] = {}
    fields: dict[Path, dict[Field, str | int | None]] = defaultdict(dict)
    said = []
    for spans in report.spans:
        texts[Path("catalog") / "releases" / f"{spans.repo}.yml"] = _HEAD + "".join(_rows(spans))
        for one in spans.boundaries:
            for end in ("since", "until"):
                if getattr(one.was, end) != getattr(one.now, end):
                    fields[one.record.path][(*one.field, end)] = getattr(one.now, end)
        said.append(f"{spans.repo}: {len(spans.releases)} releases, {len(spans.boundaries)} spans written")
    for ledger in report.ledgers:
        for row in ledger.boundaries:
            fields[row.record.path] |= {("bugs", row.position, name): now for name, now in row.differing.items()}
        said.append(f"{ledger.repository}: {ledger.rows} rows of the bug ledger, {len(ledger.boundaries)} written")
    write_texts(root, texts | edited(root, fields))
    return said


def _rows(spans: Spans) -> list[str]:
    records = [one.release.model_dump(mode="json", exclude_none=True) for one in spans.releases]
    return [f"  - {_flow(record)}\n" for record in records]


def _flow(record: dict[str, str]) -> str:
    return str(yaml.safe_dump(record, default_flow_style=True, sort_keys=False, width=200)).strip()
