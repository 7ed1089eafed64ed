"""The guide against upstream: clones and releases."""

import argparse
import sys

from fieldguide.content.guide import load_sound_guide
from fieldguide.upkeep.releases.cache import default_folder
from fieldguide.upkeep.releases.index import OnlineIndex
from fieldguide.upkeep.verify import compare, formats
from fieldguide.upkeep.verify.releases import ReleaseLook
from fieldguide.upkeep.verify.stamps import move_stamps
from fieldguide.upkeep.verify.write_spans import write_spans

FORMS = {"text": formats.as_text, "json": formats.as_json, "markdown": formats.as_markdown}


def verify(options: argparse.Namespace) -> int:
    """Compare with upstream."""
    guide = load_sound_guide(options.root)
    with ReleaseLook(guide, default_folder(), None if options.offline else OnlineIndex()) as look:
        report = compare.verify(guide.catalog, options.clones, dict(options.rev), look)
    print(FORMS[options.form](report))
    if options.fix:
        for line in move_stamps(options.root, guide.catalog, report):
            print(line, file=sys.stderr)
        for line in write_spans(options.root, report.releases):
            print(line, file=sys.stderr)
    return report.exit_code
