"""The settings of runs, judged."""

import argparse
import json
import sys
from pathlib import Path

from fieldguide.commands.data import compiled_folder
from fieldguide.runtime.guide import Answers, Guide, read_answers, read_guide


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
