"""What the logs of a run say: one file as ever, or all of them together."""

import argparse
import json
import os
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from fieldguide.commands.data import compiled_folder
from fieldguide.runtime.guide import read_answers, read_guide

if TYPE_CHECKING:
    from fieldguide.runtime.guide import Guide
    from fieldguide.runtime.rank.documents import Document
    from fieldguide.runtime.run.answer import Run

# Where Ray keeps the logs of its last session on a node.
SESSION = Path("/tmp/ray/session_latest")


def explain(options: argparse.Namespace) -> int:
    """List the known errors of a log, or tell from the logs of a run what failed first."""
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


def explain_one(options: argparse.Namespace, log: str) -> int:
    """List the known errors of a log.

    Returns:
        0 some, 1 none, 2 it cannot be read.
    """
    from fieldguide.runtime.encoding import LogError
    from fieldguide.runtime.log_answer import answer_log_from

    folder = compiled_folder(options.root)
    guide, answers = read_guide(folder), read_answers(folder, options.lang)
    try:
        with nullcontext(sys.stdin.buffer) if log == "-" else Path(log).open("rb") as stream:
            made = answer_log_from(folder, stream, guide, answers, options.release)
    except OSError as error:
        return _unreadable(log, error.strerror or str(error))
    except LogError as error:
        return _unreadable(log, _reason(answers.words, error.kind))
    if made.diagnosis.damaged:
        print(f"explain: {log}: {answers.words['explain_damaged']}", file=sys.stderr)
    print(json.dumps(made.record(), ensure_ascii=False, indent=2) if options.json else made.text(_is_coloured()))
    return 0 if made.diagnosis.findings else 1


def _reason(words: Mapping[str, str], kind: str) -> str:
    """Why a log cannot be read, in the reader's language."""
    from fieldguide.runtime.encoding import UNPACK

    if kind in UNPACK:
        return words["explain_archive"].format(kind=kind, command=UNPACK[kind])
    return words["explain_binary" if kind == "binary" else "explain_broken"]


def _unreadable(log: str, reason: str) -> int:
    print(f"explain: {log}: {reason}", file=sys.stderr)
    return 2


def _is_coloured() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def explain_run(options: argparse.Namespace, given: list[str]) -> int:
    """Read the logs of a run and tell what failed first.

    Returns:
        0 a failure was found or an error is known, 1 none, 2 nothing could be read.
    """
    from fieldguide.runtime.doctor.answer import log_records, log_text
    from fieldguide.runtime.doctor.facts import read_facts
    from fieldguide.runtime.log_answer import compare
    from fieldguide.runtime.run.answer import Run, as_record
    from fieldguide.runtime.run.collect import collect
    from fieldguide.runtime.run.failure import judge
    from fieldguide.runtime.run.flight import read_flight
    from fieldguide.runtime.run.kinds import kind_by_name
    from fieldguide.runtime.run.read import in_one_year, read_all
    from fieldguide.runtime.run.rules import read_rules
    from fieldguide.runtime.run.text import as_text

    folder = compiled_folder(options.root)
    guide, answers, rules = read_guide(folder), read_answers(folder, options.lang), read_rules(folder)
    collected = collect(given, rules)
    dumps = [one for one in collected.members if kind_by_name(one.name, rules)[0] == "flight" and not one.packed]
    members = [one for one in collected.members if one not in dumps] if dumps else collected.members
    files, skipped = read_all(members, guide, rules, folder)
    collected.skipped += skipped
    files = in_one_year(files)
    flight = read_flight([one.file for one in dumps])
    run = Run(files, collected, judge(files, rules), flight)
    record = as_record(run, guide, answers, nearest_to(run, guide, folder, options.lang))
    compared = compare("\n".join(one.ends for one in files), lambda: read_facts(folder))
    if options.json:
        record["versions"] = log_records(*compared, options.lang) if compared else []
        print(json.dumps(record, ensure_ascii=False, indent=2))
    elif files or flight:
        said = log_text(*compared, answers.words, options.lang) if compared else ""
        print("\n\n".join(filter(None, (as_text(record, answers, rules.limits["folded"], colour=_is_coloured()), said))))
    if not files and not flight:
        print(f"explain: {', '.join(given)}: {answers.words['run_nothing']}", file=sys.stderr)
        return 2
    return 0 if record["failure"] or record["findings"] else 1


def nearest_to(run: "Run", guide: "Guide", folder: Path, language: str) -> list["Document"]:
    """Entries about the same words, where none knows the first failure."""
    from fieldguide.runtime.rank.answer import nearest
    from fieldguide.runtime.rank.finder import read_finder
    from fieldguide.runtime.run.answer import entry_of

    first = run.verdict.first
    if first is None or first.placed is None or first.placed.seen.told is None or entry_of(run, guide):
        return []
    return nearest(first.placed.seen.text, guide, read_finder(folder, language, guide))
