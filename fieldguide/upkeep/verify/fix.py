"""Write what a look at upstream found: stamps first, then what the releases say."""

from collections.abc import Callable
from pathlib import Path

from fieldguide.content.catalog.store import Catalog
from fieldguide.upkeep.verify.result import ReleaseReport, Report
from fieldguide.upkeep.verify.stamps import move_stamps
from fieldguide.upkeep.verify.write_spans import write_spans


def fix(root: Path, catalog: Catalog, report: Report, look_again: Callable[[], Report]) -> tuple[list[str], ReleaseReport]:
    """Rewrite the catalog below `root`.

    Args:
        look_again: looks at the catalog as it is then. The pin counts beside the releases, so one that moved may end a span.

    Returns:
        what was done, a line for each repository and step; and what the releases said in the end.
    """
    said = move_stamps(root, catalog, report)
    moved = any(one.newest not in (None, one.pinned) for one in report.looked)
    releases = look_again().releases if moved else report.releases
    return [*said, *write_spans(root, releases)], releases
