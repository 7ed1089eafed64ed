"""Command line: `python -m fieldguide explain` and its siblings."""

import argparse
import json
import os
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path

from fieldguide.content.addresses import FIRST, LANGUAGES
from fieldguide.content.checks import run
from fieldguide.content.checks.published import record_ids
from fieldguide.content.checks.staleness import stamp
from fieldguide.content.guide import load_guide
from fieldguide.content.problems import ContentError
from fieldguide.runtime.calculate.judge import as_json as report_json
from fieldguide.runtime.calculate.judge import as_text as report_text
from fieldguide.runtime.calculate.judge import report
from fieldguide.runtime.calculate.settings import PasteError
from fieldguide.runtime.explain import as_json, as_text
from fieldguide.runtime.scan import UNPACK, LogError, Scanner
from fieldguide.site.offline import make_offline
from fieldguide.upkeep.extract.command import update
from fieldguide.upkeep.extract.git import GitError
from fieldguide.upkeep.extract.merge import ExtractError
from fieldguide.upkeep.new_entry import Draft, DraftError, ask, known_for, pinned_source, write_stub
from fieldguide.upkeep.release import release_notes
from fieldguide.upkeep.verify import formats
from fieldguide.upkeep.verify.compare import verify
from fieldguide.upkeep.verify.stamps import move_stamps

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Returns:
        exit code: 0 fine, 1 problems found (all are printed), 2 wrong use.
    """
    options = _parser().parse_args(arguments)
    try:
        return int(options.command(options))
    except ContentError as error:
        print(error, file=sys.stderr)
        print(f"{len(error.problems)} problem(s)", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader (head, less) has seen enough
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fieldguide", description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="checkout to work on (default: the one of this file)")
    commands = parser.add_subparsers(required=True)
    check = commands.add_parser(
        "check",
        help="judge the settings of runs: exit 0 fine, 1 an assertion fires, 2 bad input",
    )
    check.add_argument("config", nargs="+", help="YAML or launch script of a run; -: standard input")
    check.add_argument("--framework", help="whose settings they are (default: guessed from the names)")
    check.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="an input that the file does not tell, such as nodes=2"
    )
    check.add_argument("--lang", choices=LANGUAGES, default=_language(), help="language of the answers")
    check.add_argument("--json", action="store_true", help="one JSON object instead of text")
    check.set_defaults(command=_check)
    validating = commands.add_parser("validate", help="look for faults in catalog, pages and words")
    validating.set_defaults(command=_validate)
    stamping = commands.add_parser("stamp", help="stamp translated sections as reflecting the original as it is now")
    stamping.set_defaults(command=_stamp)
    _add_release(commands)
    _add_new_entry(commands)
    verifying = commands.add_parser("verify", help="compare with upstream: exit 0 all holds, 1 changed, 2 bad input")
    verifying.add_argument("clones", type=Path, help="folder with one clone per repository, named owner+name or name")
    verifying.add_argument(
        "--rev", action="append", default=[], type=_revision, metavar="ID=REVISION",
        help="look at this revision of a repository instead of its newest, as in slime=v0.3.1",
    )  # fmt: skip
    verifying.add_argument("--fix", action="store_true", help="move the stamps that hold, remember what changed")
    form = verifying.add_mutually_exclusive_group()
    form.add_argument("--json", dest="form", action="store_const", const=formats.as_json, help="one JSON object")
    form.add_argument("--markdown", dest="form", action="store_const", const=formats.as_markdown, help="tables for an issue")
    verifying.set_defaults(command=_verify, form=formats.as_text)
    folder = commands.add_parser("offline", help="pack a built site into an archive that opens from a folder")
    folder.add_argument("site", type=Path, help="the built site")
    folder.add_argument("archive", type=Path, help="Zip file to write")
    folder.set_defaults(command=_offline)
    keys = commands.add_parser("keys", help="read a framework's keys from a local clone into catalog/keys")
    keys.add_argument("framework", help="id of the framework")
    keys.add_argument("repository", type=Path, help="its git clone; only read")
    keys.add_argument("--rev", metavar="TAG", help="tag, branch or commit (default: the pinned commit)")
    keys.add_argument("--many", action="store_true", help="accept that more than a quarter of the keys are gone")
    keys.set_defaults(command=_keys)
    explaining = commands.add_parser("explain", help="list the known errors of a log: exit 0 found, 1 none, 2 bad input")
    explaining.add_argument("log", nargs="?", default="-", help="text, gzip or UTF-16 file; - or nothing: standard input")
    explaining.add_argument("--lang", choices=LANGUAGES, default=_language(), help="language of the answers")
    explaining.add_argument("--json", action="store_true", help="one JSON object instead of text")
    explaining.set_defaults(command=_explain)
    return parser


def _add_release(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    recording = commands.add_parser(
        "record-ids", help="before a release: note every id and address, none of which may go afterwards"
    )
    recording.set_defaults(command=_record_ids)
    notes = commands.add_parser("release-notes", help="changelog section of a tag, if this commit is ready to be that release")
    notes.add_argument("tag", help="such as v0.1.0")
    notes.set_defaults(command=_release_notes)


def _add_new_entry(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    new = commands.add_parser("new-entry", help="stub of an entry in catalog and pages; asks for what no option gives")
    new.add_argument("--framework", help="id of a framework, or any")
    new.add_argument("--id", help="of the entry, for ever")
    new.add_argument("--topic", help="topic that it goes to")
    new.add_argument("--printed-by", help="repository that prints the error (default: the framework)")
    new.add_argument("--error", help="text of the error with placeholders; empty: a how-to")
    new.set_defaults(command=_new_entry)


def _new_entry(options: argparse.Namespace) -> int:
    guide = load_guide(options.root)
    if guide.faults:
        raise ContentError(guide.faults)
    try:
        draft = ask(guide, {field.name: getattr(options, field.name) for field in fields(Draft)}, input)
        written = write_stub(guide, draft)
    except DraftError as error:
        print(f"new-entry: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"new-entry: {error}; nothing was written", file=sys.stderr)
        return 1
    for path in written:
        print(f"{path.as_posix()}: written")
    if known := known_for(guide, draft):
        print(f"note: the guide finds {', '.join(known)} for this error already")
    print(f"Look everything up in {pinned_source(guide, draft)}, the source that the guide is checked against.")
    print("Fill in what `make check` lists, in both languages; then `make stamp` and `make check`.")
    return 0


def _offline(options: argparse.Namespace) -> int:
    options.archive.parent.mkdir(parents=True, exist_ok=True)
    made = make_offline(options.site, options.archive, options.archive.stem)
    print(f"{made.archive}: {made.pages} pages, {made.size / 1e6:.1f} MB")
    return 0


def _keys(options: argparse.Namespace) -> int:
    try:
        outcome = update(load_guide(options.root), options.framework, options.repository, options.rev, options.many)
    except (ExtractError, GitError) as error:
        print(f"keys: {error}", file=sys.stderr)
        return 2 if isinstance(error, GitError) else 1
    print(outcome.summary)
    return 0


def _language() -> str:
    said = os.environ.get("LC_ALL", os.environ.get("LANG", ""))
    return next((language for language in LANGUAGES if said.startswith(language)), FIRST)


def _explain(options: argparse.Namespace) -> int:
    guide = load_guide(options.root)
    try:
        piped = options.log == "-"
        with nullcontext(sys.stdin.buffer) if piped else Path(options.log).open("rb") as stream:
            diagnosis = Scanner(guide.catalog).scan(stream)
    except OSError as error:
        return _unreadable(options.log, error.strerror or str(error))
    except LogError as error:
        return _unreadable(options.log, _reason(guide.words[options.lang], error.kind))
    if diagnosis.damaged:
        print(f"explain: {options.log}: {guide.words[options.lang]['explain_damaged']}", file=sys.stderr)
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print(as_json(guide, diagnosis, options.lang) if options.json else as_text(guide, diagnosis, options.lang, colour))
    return 0 if diagnosis.findings else 1


def _reason(words: Mapping[str, str], kind: str) -> str:
    """Why a log cannot be read, in the reader's language."""
    if kind in UNPACK:
        return words["explain_archive"].format(kind=kind, command=UNPACK[kind])
    return words["explain_binary" if kind == "binary" else "explain_broken"]


def _unreadable(log: str, reason: str) -> int:
    print(f"explain: {log}: {reason}", file=sys.stderr)
    return 2


def _check(options: argparse.Namespace) -> int:
    return max(_check_run(options, file) for file in options.config)


def _check_run(options: argparse.Namespace, file: str) -> int:
    guide = load_guide(options.root)
    words = guide.words[options.lang]
    more = dict(one.partition("=")[::2] for one in options.set)
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        if options.framework and options.framework not in guide.catalog.calculator:
            raise PasteError("calc_bad_choice", text=options.framework, choices=", ".join(guide.catalog.calculator))
        made = report(guide, text, more, options.framework)
    except (OSError, UnicodeDecodeError) as error:
        print(f"check: {file}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 2
    except PasteError as error:
        print(f"check: {file}: {words[error.problem].format(**error.fills)}", file=sys.stderr)
        return 2
    print(json.dumps(report_json(made), ensure_ascii=False) if options.json else report_text(guide, made, file, options.lang))
    return 2 if made.problems else int(made.outcome.first is not None)


def _validate(options: argparse.Namespace) -> int:
    guide = run(options.root)
    catalog = guide.catalog
    print(
        f"{len(catalog.entries)} entries, {len(catalog.keys)} keys, {len(guide.documents['en'])} pages per language: no problem"
    )
    return 0


def _stamp(options: argparse.Namespace) -> int:
    for path in stamp(load_guide(options.root)):
        print(f"stamped {path.as_posix()}")
    return 0


def _release_notes(options: argparse.Namespace) -> int:
    print(release_notes(run(options.root), options.tag), end="")
    return 0


def _record_ids(options: argparse.Namespace) -> int:
    for record, added in record_ids(run(options.root)).items():
        print(f"{len(added)} line(s) added to {record.as_posix()}")
    return 0


def _revision(text: str) -> tuple[str, str]:
    id_, separator, revision = text.partition("=")
    if not (id_ and separator and revision):
        raise argparse.ArgumentTypeError(f"{text!r} is not ID=REVISION, as in slime=v0.3.1")
    return id_, revision


def _verify(options: argparse.Namespace) -> int:
    guide = load_guide(options.root)
    if guide.faults:
        raise ContentError(guide.faults)
    report = verify(guide.catalog, options.clones, dict(options.rev))
    print(options.form(report))
    if options.fix:
        for line in move_stamps(options.root, guide.catalog, report):
            print(line, file=sys.stderr)
    return report.exit_code


if __name__ == "__main__":
    sys.exit(main())
