"""What the logs of a run say: one file as ever, or all of them together."""

import argparse
import json
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

from fieldguide.commands.data import compiled_folder
from fieldguide.commands.output import is_coloured
from fieldguide.runtime.guide import read_answers, read_guide

# Where Ray keeps the logs of its last session on a node.
SESSION = Path("/tmp/ray/session_latest")


def explain(options: argparse.Namespace) -> int:
    """List the known errors of a log, or tell from the logs of a run what failed first."""
    from fieldguide.runtime.run.collect import is_one_log

    given = options.log or ([str(SESSION)] if sys.stdin.isatty() and SESSION.exists() else ["-"])
    if len(given) == 1 and (given[0] == "-" or is_one_log(Path(given[0]))):
        return explain_one(options, given[0])
    return explain_run(options, given)


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
    print(json.dumps(made.record(), ensure_ascii=False, indent=2) if options.json else made.text(is_coloured(sys.stdout)))
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


def explain_run(options: argparse.Namespace, given: list[str]) -> int:
    """Read the logs of a run and tell what failed first.

    Returns:
        0 a failure was found or an error is known, 1 none, 2 nothing could be read.
    """
    from fieldguide.runtime.doctor.facts import read_facts
    from fieldguide.runtime.log_answer import versions_text
    from fieldguide.runtime.rank.finder import read_finder
    from fieldguide.runtime.run.rules import read_rules
    from fieldguide.runtime.run.text import as_text
    from fieldguide.runtime.run.whole import answer_run

    folder = compiled_folder(options.root)
    guide, answers, rules = read_guide(folder), read_answers(folder, options.lang), read_rules(folder)
    made = answer_run(
        given, folder, guide, answers, rules, lambda: read_finder(folder, options.lang, guide), lambda: read_facts(folder)
    )
    if options.json:
        print(json.dumps(made.record, ensure_ascii=False, indent=2))
    elif not made.is_empty:
        said = as_text(made.record, answers, rules.limits["folded"], colour=is_coloured(sys.stdout))
        print("\n\n".join(filter(None, (said, versions_text(made.compared, answers)))))
    if made.is_empty:
        print(f"explain: {', '.join(given)}: {answers.words['run_nothing']}", file=sys.stderr)
        return 2
    return 0 if made.failed else 1
