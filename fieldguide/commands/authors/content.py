"""What writers of the guide use."""

import argparse
import sys
from dataclasses import fields

from fieldguide.content.checks import run
from fieldguide.content.checks.staleness import stamp as stamp_sections
from fieldguide.content.guide import load_guide, load_sound_guide
from fieldguide.upkeep.new_entry import Draft, DraftError, ask, known_for, pinned_source, write_stub


def validate(options: argparse.Namespace) -> int:
    """Check catalog and pages."""
    guide = run(options.root)
    catalog, pages = guide.catalog, len(next(iter(guide.documents.values())))
    print(f"{len(catalog.entries)} entries, {len(catalog.keys)} keys, {pages} pages per language: no problem")
    return 0


def stamp(options: argparse.Namespace) -> int:
    """Say that the translations reflect the current English."""
    for path in stamp_sections(load_guide(options.root)):
        print(f"stamped {path.as_posix()}")
    return 0


def new_entry(options: argparse.Namespace) -> int:
    """Write the stub of an entry."""
    guide = load_sound_guide(options.root)
    try:
        draft = ask(guide, {field.name: getattr(options, field.name) for field in fields(Draft)}, input)
        written = write_stub(guide, draft)
    except DraftError as error:
        print(f"new-entry: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"new-entry: {error}; nothing was written", file=sys.stderr)
        return 1
    for path in written:
        print(f"{path.as_posix()}: written")
    if known := known_for(guide, draft):
        print(f"note: the guide finds {', '.join(known)} for this error already")
    print(f"Look everything up in {pinned_source(guide, draft)}, the source that the guide is checked against.")
    print("Fill in what `make check` lists, in both languages; then `make stamp` and `make check`.")
    return 0
