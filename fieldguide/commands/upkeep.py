"""What keeps the guide true."""

import argparse
import sys

from fieldguide.content.guide import load_guide
from fieldguide.upkeep.extract.command import update
from fieldguide.upkeep.extract.git import GitError
from fieldguide.upkeep.extract.merge import ExtractError


def keys(options: argparse.Namespace) -> int:
    """Read a framework's keys from its clone."""
    try:
        outcome = update(load_guide(options.root), options.framework, options.repository, options.rev, options.many)
    except (ExtractError, GitError) as error:
        print(f"keys: {error}", file=sys.stderr)
        return 2 if isinstance(error, GitError) else 1
    print(outcome.summary)
    return 0
