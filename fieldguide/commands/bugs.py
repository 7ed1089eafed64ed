"""Bugs that upstream has mended, or knows of, from the ledger."""

import argparse
import json
import sys
from collections.abc import Sequence

from fieldguide.commands.data import compiled_folder
from fieldguide.commands.output import is_coloured
from fieldguide.runtime.explain import BOLD, RESET
from fieldguide.runtime.guide import Answers, read_answers, read_guide
from fieldguide.runtime.ledger import Known, LedgerError, known_bugs


def bugs(options: argparse.Namespace) -> int:
    """List the known bugs of a framework or library."""
    folder = compiled_folder(options.root)
    guide, answers = read_guide(folder), read_answers(folder, options.lang)
    try:
        found = known_bugs(guide, answers, options.framework, options.words, options.release, options.to)
    except LedgerError as error:
        print(f"bugs: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([one.record() for one in found], ensure_ascii=False, indent=2))
    else:
        print(_as_text(found, answers))
    return 0 if found else 1


def _as_text(found: Sequence[Known], answers: Answers) -> str:
    if not found:
        return answers.words["bug_none"]
    bold, reset = (BOLD, RESET) if is_coloured(sys.stdout) else ("", "")
    rows = ((row.id, row.answer) for row in found)
    return "\n\n".join(f"{bold}{one.title}{reset}\n  {one.short}\n  {one.fix}\n  {id_} · {one.page}" for id_, one in rows)
