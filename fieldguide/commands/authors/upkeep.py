"""What keeps the guide true."""

import argparse
import sys
from contextlib import ExitStack

from fieldguide.content.guide import load_guide, load_sound_guide
from fieldguide.upkeep.extract.command import update
from fieldguide.upkeep.extract.git import GitError
from fieldguide.upkeep.extract.merge import ExtractError
from fieldguide.upkeep.ledger.candidates import candidates
from fieldguide.upkeep.releases.cache import default_folder
from fieldguide.upkeep.verify.releases import ReleaseLook
from fieldguide.upkeep.verify.upstream import open_clones


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
    guide = load_sound_guide(options.root)
    catalog = guide.catalog
    wanted = {id_: one for id_, one in catalog.framework.items() if options.framework in (None, id_) and not one.lineage.until}
    if not wanted:
        print(f"bug-candidates: no framework {options.framework!r}; known: {', '.join(catalog.framework)}", file=sys.stderr)
        return 2
    with ReleaseLook(guide, default_folder(), None) as look, ExitStack() as stack:
        opened = open_clones(options.clones, wanted, {}, stack, lambda _: None)
        for id_, upstream in opened.upstreams.items():
            with look.ledger(upstream.repository, upstream.history.clone) as ledger:
                found = list(candidates(catalog, id_, ledger, options.since))
            rows, refused = len(catalog.bugs_of.get(id_, ())), sum(item.path.stem == id_ for item in catalog.refused)
            print(f"{id_}: {len(found)} candidates; {rows} rows and {refused} refused")
            for one in found:
                print(one)
    for id_, fault in opened.faults.items():
        print(f"bug-candidates: {id_}: {fault}", file=sys.stderr)
    if not opened.upstreams:
        print(f"bug-candidates: {options.clones} holds no clone of {', '.join(wanted)}", file=sys.stderr)
    return 2 if opened.faults or not opened.upstreams else 0
