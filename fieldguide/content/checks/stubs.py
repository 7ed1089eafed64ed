"""What `make new-entry` wrote and nobody has filled in yet."""

import re
from collections.abc import Iterator

from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem

MARK = "FILL IN:"
_HINT = re.compile(rf"{MARK}([^\"{{]*)")


def check_stubs(guide: Guide) -> Iterator[Problem]:
    """Every line of catalog and pages with a place that still has to be filled in."""
    for file in sorted([*guide.root.glob("catalog/**/*.yml"), *guide.root.glob("docs/**/*.md")]):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for hint in _HINT.findall(line):
                yield Problem(file.relative_to(guide.root), number, f"to be filled in: {hint.strip()}")
