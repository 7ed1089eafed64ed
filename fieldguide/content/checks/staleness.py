"""Each Chinese section carries the hash of the English section that it reflects.

    ### batch_size 小于 chunks { #roll-batch-size-chunks }
    <!-- en:3f2a9c1b -->

When the English changes, the hash no longer fits and the section is stale until somebody has looked at both and
stamped it anew (`make stamp`).
"""

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from fieldguide.content.addresses import FIRST, OTHERS
from fieldguide.content.document import STAMP, Document, Section, parse_document
from fieldguide.content.guide import Guide
from fieldguide.content.history import git
from fieldguide.content.problems import Problem


def check_stamps(guide: Guide) -> Iterator[Problem]:
    """Stale and missing stamps, each with what changed since in the original when git still knows it."""
    for twin, original in _twins(guide):
        if [s.id for s in original.sections] != [s.id for s in twin.sections]:
            continue  # the parity check reports these
        for one, other in zip(original.sections, twin.sections, strict=True):
            if other.stamp != one.digest:
                yield Problem(twin.path, other.line, _message(guide.root, original, one, other))


def _twins(guide: Guide) -> Iterator[tuple[Document, Document]]:
    """Each page of another language with the one that it reflects; the parity check reports those without."""
    for language in OTHERS:
        for name, twin in guide.documents[language].items():
            if original := guide.documents[FIRST].get(name):
                yield twin, original


def _message(root: Path, original: Document, one: Section, other: Section) -> str:
    place = f"{original.path.as_posix()}:{one.line}"
    if other.stamp is None:
        return f"section #{other.id or 'top'} has no stamp of {place}; review it, then run `make stamp`"
    then, now = f"{FIRST}:{other.stamp}", f"{FIRST}:{one.digest}"
    message = f"section #{other.id or 'top'} reflects {then}, {place} is now {now}; review, `make stamp`"
    before = _old_section(root, original, one.id, other.stamp)
    if before is None:
        return message
    return message + "\n" + "\n".join(_difference(before, one))


def _difference(before: Section, after: Section) -> Iterator[str]:
    old = [f"{'#' * before.level} {before.title}", *before.text.splitlines()]
    new = [f"{'#' * after.level} {after.title}", *after.text.splitlines()]
    lines = list(difflib.unified_diff(old, new, "then", "now", lineterm="", n=1))
    yield from (f"    {line}" for line in lines[:40])


def _old_section(root: Path, document: Document, id_: str, digest: str) -> Section | None:
    """The version of a section with this digest, from the history of its file; None when git does not know it."""
    path = document.path.as_posix()
    for commit in git(root, "log", "--format=%H", "-n", "50", "--", path).split():
        text = git(root, "show", f"{commit}:{path}")
        for section in parse_document(document.path, document.name, document.language, text).sections:
            if section.id == id_ and section.digest == digest:
                return section
    return None


def stamp(guide: Guide) -> list[Path]:
    """Write the hash of the original as it is now below every heading of the other languages' pages.

    Returns:
        the files that changed.
    """
    changed = []
    for twin, original in _twins(guide):
        file = guide.root / twin.path
        before = file.read_text(encoding="utf-8")
        after = stamped(before, {s.line: d for s, d in _pairs(original, twin)})
        if after != before:
            file.write_text(after, encoding="utf-8")
            changed.append(twin.path)
    return changed


def _pairs(original: Document, twin: Document) -> Iterator[tuple[Section, str]]:
    digests = {section.id: section.digest for section in original.sections}
    for section in twin.sections:
        if section.id in digests:
            yield section, digests[section.id]


def stamped(source: str, digests: dict[int, str]) -> str:
    """`source` with a stamp line below each heading whose 1-based line is in `digests`; older stamps are dropped."""
    lines = source.split("\n")
    result: list[str] = []
    for number, line in enumerate(lines, 1):
        if STAMP.match(line.strip()):
            continue
        result.append(line)
        if number in digests:
            result.append(f"<!-- {FIRST}:{digests[number]} -->")
    return "\n".join(result)


def without_stamps(markdown: str) -> str:
    """Page source as it is rendered: the stamps are for the check only."""
    return re.sub(rf"^<!-- {FIRST}:[0-9a-f]{{8}} -->\n?", "", markdown, flags=re.MULTILINE)
