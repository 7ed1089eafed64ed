"""Bugs that upstream has mended, or knows of, from the ledger."""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator

from packaging.version import InvalidVersion

from fieldguide.commands.data import compiled_folder
from fieldguide.runtime.explain import BOLD, RESET
from fieldguide.runtime.guide import Affected, Answer, Answers, Guide, read_answers, read_guide
from fieldguide.runtime.version import version_of


def bugs(options: argparse.Namespace) -> int:
    """List the known bugs of a framework or library."""
    folder = compiled_folder(options.root)
    guide, answers = read_guide(folder), read_answers(folder, options.lang)
    known = sorted({one.repository for one in guide.bugs.values()})
    if options.framework not in known:
        return _wrong(f"no bugs of {options.framework!r} are known; there are some of: {', '.join(known)}")
    for release in (options.release, options.to):
        try:
            version_of(release or "0")
        except InvalidVersion:
            return _wrong(f"not a release: {release!r}; write it like v0.9.0")
    found = list(_found(guide, answers, options))
    print(_as_json(guide, found) if options.json else _as_text(found, answers))
    return 0 if found else 1


def _found(guide: Guide, answers: Answers, options: argparse.Namespace) -> Iterator[tuple[str, Answer]]:
    words, errors = [word.lower() for word in options.words], _errors(guide)
    for id_, affected in guide.bugs.items():
        answer = answers.entries[id_]
        if affected.repository != options.framework or not _meant(affected, options.release, options.to):
            continue
        said = "\n".join((id_, answer.title, answer.short, answer.fix, *errors[id_])).lower()
        if all(word in said for word in words):
            yield id_, answer


def _errors(guide: Guide) -> dict[str, list[str]]:
    """Row → what it prints."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in guide.signatures:
        if one.bug:
            found[one.entry].append(one.shown)
    return found


def _meant(affected: Affected, release: str | None, to: str | None) -> bool:
    return (release is None or affected.by(release) == "bug") and (to is None or affected.by(to) == "fix")


def _as_text(found: list[tuple[str, Answer]], answers: Answers) -> str:
    if not found:
        return answers.words["bug_none"]
    bold, reset = (BOLD, RESET) if sys.stdout.isatty() and "NO_COLOR" not in os.environ else ("", "")
    return "\n\n".join(f"{bold}{one.title}{reset}\n  {one.short}\n  {one.fix}\n  {id_} · {one.page}" for id_, one in found)


def _as_json(guide: Guide, found: list[tuple[str, Answer]]) -> str:
    errors = _errors(guide)
    rows = [
        {
            "id": id_,
            "what": one.title,
            "standing": one.short,
            "todo": one.fix,
            "page": one.page,
            **guide.bugs[id_].span,
            "errors": errors[id_],
        }
        for id_, one in found
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2)


def _wrong(reason: str) -> int:
    print(f"bugs: {reason}", file=sys.stderr)
    return 2
