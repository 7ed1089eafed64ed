"""Checks of the content before it is built. Each yields problems; `run` collects those of all."""

from collections.abc import Callable, Iterator
from pathlib import Path

from fieldguide.content.checks.bugs import check_bugs
from fieldguide.content.checks.calculators import check_calculators
from fieldguide.content.checks.diagrams import check_diagrams
from fieldguide.content.checks.entries import check_entries
from fieldguide.content.checks.keys import check_keys
from fieldguide.content.checks.links import check_links
from fieldguide.content.checks.parity import check_parity
from fieldguide.content.checks.published import check_published
from fieldguide.content.checks.run import check_run
from fieldguide.content.checks.staleness import check_stamps
from fieldguide.content.checks.stubs import check_stubs
from fieldguide.content.checks.versions import check_blocks, check_pages, check_versions
from fieldguide.content.guide import Guide, load_guide
from fieldguide.content.problems import ContentError, Problem

CHECKS: tuple[Callable[[Guide], Iterator[Problem]], ...] = (
    check_blocks,
    check_bugs,
    check_calculators,
    check_diagrams,
    check_entries,
    check_keys,
    check_links,
    check_pages,
    check_parity,
    check_run,
    check_stamps,
    check_published,
    check_stubs,
    check_versions,
)


def run(root: Path) -> Guide:
    """Load the guide below `root` and run every check.

    Raises:
        ContentError: with every problem found.
    """
    guide = load_guide(root)
    problems = [*guide.faults, *(problem for check in CHECKS for problem in check(guide))]
    if problems:
        raise ContentError(problems)
    return guide
