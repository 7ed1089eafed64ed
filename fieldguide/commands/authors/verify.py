"""The guide against upstream: clones and releases."""

import argparse
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from fieldguide.content.catalog.store import Catalog
from fieldguide.content.guide import Guide, load_sound_guide
from fieldguide.upkeep.releases.cache import default_folder
from fieldguide.upkeep.releases.index import OnlineIndex
from fieldguide.upkeep.verify import compare, formats
from fieldguide.upkeep.verify.fix import fix
from fieldguide.upkeep.verify.releases import ReleaseLook
from fieldguide.upkeep.verify.result import Report
from fieldguide.upkeep.verify.upstream import open_clones
from fieldguide.upkeep.versions.needs import renew_needs
from fieldguide.upkeep.versions.renew import Versions, vocabulary_of, write_versions

FORMS = {"text": formats.as_text, "json": formats.as_json, "markdown": formats.as_markdown}


def verify(options: argparse.Namespace) -> int:
    """Compare with upstream."""
    guide = load_sound_guide(options.root)
    report = _look(options, guide)
    print(FORMS[options.form](report))
    if options.fix:
        said, releases = fix(options.root, guide.catalog, report, lambda: _look(options, load_sound_guide(options.root)))
        for line in said:
            print(line, file=sys.stderr)
        _write(options.root, (one for one, _ in releases.built))
        _renew(options, guide.catalog)
    return report.exit_code


def _look(options: argparse.Namespace, guide: Guide) -> Report:
    with ReleaseLook(guide, default_folder(), None if options.offline else OnlineIndex()) as look:
        return compare.verify(guide.catalog, options.clones, dict(options.rev), look)


def versions(options: argparse.Namespace) -> int:
    """Read what every release was built with, and nothing else."""
    guide = load_sound_guide(options.root)
    with ReleaseLook(guide, default_folder(), None if options.offline else OnlineIndex()) as look, ExitStack() as stack:
        opened = open_clones(options.clones, guide.catalog.repository, {}, stack, lambda _: None)
        held = {id_: one.history.clone for id_, one in opened.upstreams.items()}
        _write(options.root, look.built(held))
    _renew(options, guide.catalog)
    for fault in opened.faults.values():
        print(f"versions: {fault}", file=sys.stderr)
    return 2 if opened.faults or not held else 0


def _write(root: Path, found: Iterable[Versions]) -> None:
    for one in found:
        new = " (new)" if write_versions(root, one) else ""
        print(f"{one.framework}: versions of {len(one.releases)} releases{new}", file=sys.stderr)


def _renew(options: argparse.Namespace, catalog: Catalog) -> None:
    """Ask the package index what new releases of libraries need."""
    if not options.offline:
        for line in renew_needs(options.root, catalog, vocabulary_of(catalog), OnlineIndex().metadata):
            print(f"not had: {line}", file=sys.stderr)
