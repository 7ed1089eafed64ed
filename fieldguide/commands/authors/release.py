"""What a release is made with."""

import argparse

from fieldguide.content.checks import run
from fieldguide.content.checks.published import record_ids
from fieldguide.site.offline import make_offline
from fieldguide.upkeep.release import release_notes


def record(options: argparse.Namespace) -> int:
    """Note every id and address."""
    for record, added in record_ids(run(options.root)).items():
        print(f"{len(added)} line(s) added to {record.as_posix()}")
    return 0


def notes(options: argparse.Namespace) -> int:
    """Print the notes of a release."""
    print(release_notes(run(options.root), options.tag), end="")
    return 0


def offline(options: argparse.Namespace) -> int:
    """Pack the copy that opens from a folder."""
    options.archive.parent.mkdir(parents=True, exist_ok=True)
    made = make_offline(options.site, options.archive, options.archive.stem)
    print(f"{made.archive}: {made.pages} pages, {made.size / 1e6:.1f} MB")
    return 0
