"""What keeps the guide true."""

import argparse
import sys

from fieldguide.content.guide import load_guide, load_sound_guide
from fieldguide.upkeep.extract.command import update
from fieldguide.upkeep.extract.git import Clone, GitError
from fieldguide.upkeep.extract.merge import ExtractError
from fieldguide.upkeep.ledger.candidates import candidates
from fieldguide.upkeep.ledger.history import Ledger
from fieldguide.upkeep.releases.cache import ReleaseCache, default_folder
from fieldguide.upkeep.releases.known import Releases
from fieldguide.upkeep.verify.presence import Memory


def keys(options: argparse.Namespace) -> int:
    """Read a framework's keys from its clone."""
    try:
        outcome = update(load_guide(options.root), options.framework, options.repository, options.rev, options.many)
    except (ExtractError, GitError) as error:
        print(f"keys: {error}", file=sys.stderr)
        return 2 if isinstance(error, GitError) else 1
    print(outcome.summary)
    return 0


def bug_candidates(options: argparse.Namespace) -> int:
    """List commits that look like fixes and that the bug ledger does not have."""
    catalog = load_sound_guide(options.root).catalog
    repository = catalog.repository.get(options.framework)
    if repository is None:
        print(f"bug-candidates: no framework {options.framework!r}; known: {', '.join(catalog.framework)}", file=sys.stderr)
        return 2
    cache = ReleaseCache(default_folder())
    try:
        with Clone(options.repository) as clone:
            archives = cache.repository(repository.index.package) if repository.index else None
            known = Releases(cache, None).of(repository, clone, Clone(archives) if archives else None)
            memory = Memory(default_folder() / "looked-up" / f"{repository.id}-ledger.json")
            found = list(candidates(catalog, repository.id, Ledger(clone, known.releases, memory), options.since))
    except GitError as error:
        print(f"bug-candidates: {error}", file=sys.stderr)
        return 2
    for one in found:
        print(one)
    refused = sum(item.path.stem == repository.id for item in catalog.refused)
    rows = len(catalog.bugs_of.get(repository.id, ()))
    print(f"{len(found)} candidates; {rows} rows and {refused} refused", file=sys.stderr)
    return 0
