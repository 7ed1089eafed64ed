"""Whether the versions of an environment fit."""

import argparse
import json
import sys
from pathlib import Path

from fieldguide.commands.data import compiled_folder
from fieldguide.runtime.guide import Answers, read_answers


def doctor(options: argparse.Namespace) -> int:
    """Compare an environment with what upstream puts together and with pairs that are known to be bad."""
    from fieldguide.runtime.doctor.answer import as_json, as_text
    from fieldguide.runtime.doctor.environment import LARGEST, read_environment
    from fieldguide.runtime.doctor.facts import read_facts
    from fieldguide.runtime.doctor.here import read_here
    from fieldguide.runtime.doctor.judge import DoctorError, judge

    folder = compiled_folder(options.root)
    facts, answers = read_facts(folder), read_answers(folder, options.lang)
    try:
        if options.file is None:
            environment = read_here(facts)
        else:
            environment = read_environment(facts, _decoded(_bytes(options.file, LARGEST)))
        verdict = judge(facts, environment, options.framework, options.release)
    except OSError as error:
        return _refused(options.file, error.strerror or str(error))
    except UnicodeError:
        return _refused(options.file, answers.words["explain_binary"])
    except DoctorError as error:
        return _refused(options.file, _wrong(answers, error))
    name = options.file or sys.executable
    if options.json:
        print(json.dumps(as_json(facts, verdict, options.lang), ensure_ascii=False, indent=2))
    else:
        print(as_text(facts, verdict, answers.words, options.lang, name))
    return verdict.code


def _bytes(file: str, most: int) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(most + 1)
    with Path(file).open("rb") as stream:
        return stream.read(most + 1)


def _decoded(data: bytes) -> str:
    """UTF-8, or UTF-16 as PowerShell writes it.

    Raises:
        UnicodeError: it is no text.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    if b"\0" in data[:4096]:
        raise UnicodeError
    return data.decode("utf-8", "replace")


def _wrong(answers: Answers, error: Exception) -> str:
    kind, given, known = (getattr(error, name) for name in ("kind", "given", "known"))
    return answers.words[f"doctor_bad_{kind}"].format(given=given, known=", ".join(known))


def _refused(file: str | None, reason: str) -> int:
    print(f"doctor: {file or '-'}: {reason}", file=sys.stderr)
    return 2
