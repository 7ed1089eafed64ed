"""The commands of those who write and keep the guide: there in a checkout, not in the installed package."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from fieldguide.commands.options import Commands, add
from fieldguide.content.problems import ContentError


def add_authors(commands: Commands) -> None:
    """Add all of them."""
    _add_writing(commands)
    _add_upkeep(commands)
    _add_release(commands)


def telling_faults(command: Callable[[], int]) -> int:
    """Run a command that reads a checkout, whose content may have faults.

    Returns:
        its exit code; 1 with a line for each fault.
    """
    try:
        return command()
    except ContentError as error:
        print(error, file=sys.stderr)
        print(f"{len(error.problems)} problem(s)", file=sys.stderr)
        return 1


def _add_writing(commands: Commands) -> None:
    """What somebody needs who writes."""
    add(
        commands, "validate", "authors.content.validate", "check catalog and pages: exit 0 fine, 1 with a line for each problem"
    )
    add(commands, "stamp", "authors.content.stamp", "stamp Chinese sections as reflecting the current English")
    new = add(
        commands,
        "new-entry",
        "authors.content.new_entry",
        "stub of an entry in catalog and pages; asks for what no option gives",
    )
    new.add_argument("--framework", help="id of a framework, or any")
    new.add_argument("--id", help="of the entry, for ever")
    new.add_argument("--topic", help="topic that it goes to")
    new.add_argument("--printed-by", help="repository that prints the error (default: the framework)")
    new.add_argument("--error", help="text of the error with placeholders; empty: a how-to")


def _add_upkeep(commands: Commands) -> None:
    """What keeps the guide true."""
    verify = add(commands, "verify", "authors.verify.verify", "compare with upstream: exit 0 all holds, 1 changed, 2 bad input")
    verify.add_argument("clones", type=Path, help="folder with one clone per repository, named owner+name or name")
    verify.add_argument(
        "--rev", action="append", default=[], type=_revision, metavar="ID=REVISION",
        help="look at this revision of a repository instead of its newest, as in slime=v0.3.1",
    )  # fmt: skip
    verify.add_argument("--offline", action="store_true", help="ask nothing of the network; releases are those of the cache")
    verify.add_argument("--fix", action="store_true", help="move the stamps that hold, remember what changed")
    form = verify.add_mutually_exclusive_group()
    form.add_argument("--json", dest="form", action="store_const", const="json", help="one JSON object")
    form.add_argument("--markdown", dest="form", action="store_const", const="markdown", help="tables for an issue")
    verify.set_defaults(form="text")
    built = add(
        commands, "versions", "authors.verify.versions", "read from clones what each release was built with: catalog/versions"
    )
    built.add_argument("clones", type=Path, help="folder with one clone per repository, named owner+name or name")
    built.add_argument("--offline", action="store_true", help="ask nothing of the network; releases are those of the cache")
    keys = add(commands, "keys", "authors.upkeep.keys", "read a framework's keys from a local clone into catalog/keys")
    keys.add_argument("framework", help="id of the framework")
    keys.add_argument("repository", type=Path, help="its git clone; only read")
    keys.add_argument("--rev", metavar="TAG", help="tag, branch or commit (default: the pinned commit)")
    keys.add_argument("--many", action="store_true", help="accept that more than a quarter of the keys are gone")
    bugs = add(commands, "bug-candidates", "authors.upkeep.bug_candidates", "commits of a clone that the bug ledger may lack")
    bugs.add_argument("clones", type=Path, help="folder with one clone per repository, named owner+name or name")
    bugs.add_argument("--framework", help="that one alone")
    bugs.add_argument("--since", default="", metavar="DAY", help="from this day on, such as 2026-08-01")


def _add_release(commands: Commands) -> None:
    """What a release is made with."""
    add(
        commands,
        "record-ids",
        "authors.release.record",
        "before a release: note every id and address, none of which may go afterwards",
    )
    notes = add(
        commands,
        "release-notes",
        "authors.release.notes",
        "changelog section of a tag, if this commit is ready to be that release",
    )
    notes.add_argument("tag", help="such as v0.1.0")
    folder = add(commands, "offline", "authors.release.offline", "pack a built site into an archive that opens from a folder")
    folder.add_argument("site", type=Path, help="the built site")
    folder.add_argument("archive", type=Path, help="Zip file to write")


def _revision(text: str) -> tuple[str, str]:
    id_, separator, revision = text.partition("=")
    if not (id_ and separator and revision):
        raise argparse.ArgumentTypeError(f"{text!r} is not ID=REVISION, as in slime=v0.3.1")
    return id_, revision
