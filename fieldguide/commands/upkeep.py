"""What keeps the guide true."""

import argparse
import sys

from fieldguide.content.guide import load_guide, load_sound_guide
from fieldguide.upkeep.extract.command import update
from fieldguide.upkeep.extract.git import GitError
from fieldguide.upkeep.extract.merge import ExtractError
from fieldguide.upkeep.verify import compare, formats
from fieldguide.upkeep.verify.stamps import move_stamps

FORMS = {"text": formats.as_text, "json": formats.as_json, "markdown": formats.as_markdown}


def verify(options: argparse.Namespace) -> int:
    """Compare with upstream."""
    guide = load_sound_guide(options.root)
    report = compare.verify(guide.catalog, options.clones, dict(options.rev))
    print(FORMS[options.form](report))
    if options.fix:
        for line in move_stamps(options.root, guide.catalog, report):
            print(line, file=sys.stderr)
    return report.exit_code


def keys(options: argparse.Namespace) -> int:
    """Read a framework's keys from its clone."""
    try:
        outcome = update(load_guide(options.root), options.framework, options.repository, options.rev, options.many)
    except (ExtractError, GitError) as error:
        print(f"keys: {error}", file=sys.stderr)
        return 2 if isinstance(error, GitError) else 1
    print(outcome.summary)
    return 0
