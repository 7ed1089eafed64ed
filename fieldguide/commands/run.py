"""A command with its output explained when it fails."""

import argparse
import io
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from fieldguide.commands.data import compiled_folder
from fieldguide.commands.output import is_coloured
from fieldguide.commands.passing import HEAD, TAIL, Kept, end_by, pass_through
from fieldguide.runtime.guide import read_answers, read_guide

_NOT_STARTED, _NOT_FOUND = 126, 127  # as shells say it
_SHOWN = 60  # characters of the command that are named


def run(options: argparse.Namespace) -> int:
    """Run a command; nothing of ours is printed unless it fails."""
    command = options.argv[1:] if options.argv[:1] == ["--"] else options.argv
    if not command:
        print("run: name a command: fieldguide run -- python train.py", file=sys.stderr)
        return 2
    kept = Kept()
    try:
        code = pass_through(command, kept)
    except OSError as error:
        return _not_started(options, command[0], error)
    # Who stops a run by Ctrl-C knows why it ended.
    if code and code not in (-signal.SIGINT, 128 + signal.SIGINT):
        try:
            _tell(options.root, options.lang, command, code, kept)
        except Exception as error:  # whatever it is must not hide how the command ended
            print(f"run: {type(error).__name__}: {error}", file=sys.stderr)
    if code < 0:
        end_by(-code)
    return code


def _not_started(options: argparse.Namespace, program: str, error: OSError) -> int:
    words = read_answers(compiled_folder(options.root), options.lang).words
    missing = isinstance(error, FileNotFoundError)
    said = words["run_not_found" if missing else "run_not_started"].format(command=program, reason=error.strerror or error)
    print(f"run: {said}", file=sys.stderr)
    return _NOT_FOUND if missing else _NOT_STARTED


def _tell(root: Path, language: str, command: Sequence[str], code: int, kept: Kept) -> None:
    """Say on standard error what `explain` says of the output."""
    from fieldguide.runtime.log_answer import answer_log_from

    folder = compiled_folder(root)
    answers = read_answers(folder, language)
    output = kept.text()
    lines = ["", f"fieldguide: {_ended(answers.words, command, code)}"]
    if kept.left_out:
        lines.append(answers.words["run_cut"].format(head=HEAD // 1_000_000, tail=TAIL // 1_000_000))
    lines += ["", answer_log_from(folder, io.BytesIO(output), read_guide(folder), answers).text(is_coloured(sys.stderr))]
    print("\n".join(lines), file=sys.stderr, flush=True)


def _ended(words: Mapping[str, str], command: Sequence[str], code: int) -> str:
    shown = shlex.join(command)
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    if code < 0:
        return words["run_killed"].format(command=shown, signal=signal.Signals(-code).name)
    return words["run_failed"].format(command=shown, code=code)
