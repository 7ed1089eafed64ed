"""Answers about a run: its log, its settings."""

import argparse
import json
import os
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from fieldguide.content.compiled import compiled_folder
from fieldguide.runtime.guide import Answers, Guide, read_answers, read_guide


def explain_one(options: argparse.Namespace, log: str) -> int:
    """List the known errors of a log."""
    from fieldguide.runtime.encoding import LogError
    from fieldguide.runtime.explain import as_record, as_text
    from fieldguide.runtime.findings import bugs_that_bite_first
    from fieldguide.runtime.rank.answer import nearest
    from fieldguide.runtime.rank.finder import read_finder
    from fieldguide.runtime.scan import Scanner

    folder = compiled_folder(options.root)
    guide, answers = read_guide(folder), read_answers(folder, options.lang)
    try:
        piped = log == "-"
        with nullcontext(sys.stdin.buffer) if piped else Path(log).open("rb") as stream:
            diagnosis = Scanner(guide).scan(stream)
    except OSError as error:
        return _unreadable("explain", log, error.strerror or str(error))
    except LogError as error:
        return _unreadable("explain", log, _reason(answers.words, error.kind))
    if diagnosis.damaged:
        print(f"explain: {log}: {answers.words['explain_damaged']}", file=sys.stderr)
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    near = [] if diagnosis.findings else nearest(diagnosis.tail, guide, read_finder(folder, options.lang, guide))
    said, installed = versions_in(folder, diagnosis.ends, answers, options)
    if options.release and diagnosis.framework:
        installed = {**installed, diagnosis.framework: options.release}
    diagnosis = replace(diagnosis, findings=bugs_that_bite_first(diagnosis.findings, guide, installed))
    if options.json:
        record = as_record(guide, answers, diagnosis, near, installed) | {"versions": said}
        print(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        print("\n\n".join(filter(None, (as_text(guide, answers, diagnosis, colour, near, installed), said))))
    return 0 if diagnosis.findings else 1


def versions_in(folder: Path, ends: str, answers: Answers, options: argparse.Namespace) -> tuple[Any, Mapping[str, str]]:
    """What goes wrong with the versions that a log names at its ends, as records or as text; and those versions, by package."""
    from fieldguide.runtime.doctor.environment import names_versions, read_environment

    if not names_versions(ends):
        return ([] if options.json else ""), {}
    from fieldguide.runtime.doctor.answer import log_records, log_text
    from fieldguide.runtime.doctor.facts import read_facts
    from fieldguide.runtime.doctor.judge import judge

    facts = read_facts(folder)
    verdict = judge(facts, read_environment(facts, ends))
    installed = {name: str(one.number) for name, one in verdict.environment.packages.items() if one.number}
    if options.json:
        return log_records(facts, verdict, options.lang), installed
    return log_text(facts, verdict, answers.words, options.lang), installed


def _reason(words: Mapping[str, str], kind: str) -> str:
    """Why a log cannot be read, in the reader's language."""
    from fieldguide.runtime.encoding import UNPACK

    if kind in UNPACK:
        return words["explain_archive"].format(kind=kind, command=UNPACK[kind])
    return words["explain_binary" if kind == "binary" else "explain_broken"]


def check(options: argparse.Namespace) -> int:
    """Check the settings of runs."""
    folder = compiled_folder(options.root)
    guide, answers = read_guide(folder), read_answers(folder, options.lang)
    codes = [_check(options, guide, answers, file) for file in options.config]
    return next((code for code in (2, 1, 3) if code in codes), 0)


def _check(options: argparse.Namespace, guide: Guide, answers: Answers, file: str) -> int:
    from fieldguide.runtime.calculate.beside import beside
    from fieldguide.runtime.calculate.judge import as_json, as_text, judge
    from fieldguide.runtime.calculate.settings import SettingsError

    more, given = (dict(one.partition("=")[::2] for one in some) for some in (options.set, options.env))
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        sources = beside(Path.cwd() / "-" if file == "-" else Path(file))
        made = judge(guide, text, more, options.framework, options.release, sources, given)
    except (OSError, UnicodeDecodeError) as error:
        return _unreadable("check", file, getattr(error, "strerror", None) or str(error))
    except SettingsError as error:
        return _unreadable("check", file, answers.words[error.problem].format(**error.fills))
    print(json.dumps(as_json(made), ensure_ascii=False) if options.json else as_text(answers, made, file))
    return made.code


def _unreadable(command: str, file: str, reason: str) -> int:
    print(f"{command}: {file}: {reason}", file=sys.stderr)
    return 2
