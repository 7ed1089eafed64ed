"""What the logs of a run say: one file as ever, or all of them together."""

import argparse
import json
import os
import sys
from pathlib import Path

from fieldguide.content.compiled import compiled_folder
from fieldguide.runtime.guide import read_answers, read_guide

# Where Ray keeps the logs of its last session on a node.
SESSION = Path("/tmp/ray/session_latest")


def explain(options: argparse.Namespace) -> int:
    """List the known errors of a log, or tell from the logs of a run what failed first."""
    from fieldguide.commands.answers import explain_one

    given = options.log or ([str(SESSION)] if sys.stdin.isatty() and SESSION.exists() else ["-"])
    if len(given) == 1 and (given[0] == "-" or _is_plain(Path(given[0]))):
        return explain_one(options, given[0])
    return explain_run(options, given)


def _is_plain(path: Path) -> bool:
    """Whether a path is one log, or nothing at all; a glob is not."""
    from fieldguide.runtime.run.collect import ARCHIVES, is_glob

    if not path.exists():
        return not is_glob(str(path))
    return not path.is_dir() and not (path.is_file() and path.name.lower().endswith(tuple(ARCHIVES)) and _is_archive(path))


def _is_archive(path: Path) -> bool:
    """Whether a file that is called an archive may be one; a short text of that name is told what to do, as ever."""
    import tarfile
    import zipfile

    try:
        return zipfile.is_zipfile(path) or tarfile.is_tarfile(path) or path.stat().st_size > 10_000
    except OSError:
        return False


def explain_run(options: argparse.Namespace, given: list[str]) -> int:
    """Read the logs of a run and tell what failed first.

    Returns:
        0 a failure was found or an error is known, 1 none, 2 nothing could be read.
    """
    from fieldguide.runtime.run.answer import Run, as_record
    from fieldguide.runtime.run.collect import collect
    from fieldguide.runtime.run.failure import judge
    from fieldguide.runtime.run.read import in_one_year, read_all
    from fieldguide.runtime.run.rules import read_rules
    from fieldguide.runtime.run.text import as_text

    folder = compiled_folder(options.root)
    guide, answers, rules = read_guide(folder), read_answers(folder, options.lang), read_rules(folder)
    collected = collect(given, rules)
    files, skipped = read_all(collected.members, guide, rules, folder)
    collected.skipped += skipped
    files = in_one_year(files)
    record = as_record(Run(files, collected, judge(files, rules)), guide, answers, rules)
    if options.json:
        print(json.dumps(record, ensure_ascii=False, indent=2))
    elif files:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        print(as_text(record, answers, rules.limits["folded"], colour=colour))
    if not files:
        print(f"explain: {', '.join(given)}: {answers.words['run_nothing']}", file=sys.stderr)
        return 2
    return 0 if record["failure"] or record["findings"] else 1
