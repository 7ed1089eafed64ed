"""Command line: `python -m fieldguide explain` and its siblings.

Each command is a function in `fieldguide.commands`, imported when it is asked for: who reads a log waits for nothing else.
"""

import argparse
import importlib
import os
import sys
from pathlib import Path

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.problems import ContentError

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Returns:
        exit code: 0 fine, 1 problems found (all are printed), 2 wrong use.
    """
    options = _parser().parse_args(arguments)
    module, _, name = options.command.partition(".")
    try:
        return int(getattr(importlib.import_module(f"fieldguide.commands.{module}"), name)(options))
    except ContentError as error:
        print(error, file=sys.stderr)
        print(f"{len(error.problems)} problem(s)", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader (head, less) has seen enough
        return 0


Commands = argparse._SubParsersAction  # argparse has no public name for it


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fieldguide", description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="checkout to work on (default: the one of this file)")
    commands = parser.add_subparsers(required=True)
    _add_answers(commands)
    _add_content(commands)
    _add_upkeep(commands)
    _add_release(commands)
    return parser


def _add(commands: "Commands[argparse.ArgumentParser]", name: str, command: str, help_: str) -> argparse.ArgumentParser:
    """`command`: module and function in `fieldguide.commands`."""
    parser = commands.add_parser(name, help=help_)
    parser.set_defaults(command=command)
    return parser


def _add_answers(commands: "Commands[argparse.ArgumentParser]") -> None:
    """What somebody asks whose run died."""
    explain = _add(
        commands,
        "explain",
        "explain.explain",
        "list the known errors of a log, or tell what failed first in the logs of a run: exit 0 found, 1 none, 2 bad input",
    )
    explain.add_argument(
        "log",
        nargs="*",
        help="text, gzip or UTF-16 file; several, folders, globs, tar and Zip archives are read as one run; -: standard input; "
        "nothing: standard input, in a terminal the last session of Ray",
    )
    explain.add_argument(
        "--release", help="of the framework, such as v0.9.0, where the log does not say: known bugs depend on it"
    )
    check = _add(
        commands,
        "check",
        "answers.check",
        "check settings of runs: exit 0 fine, 1 an assertion fires, 2 bad input, 3 not all could be judged",
    )
    check.add_argument("config", nargs="+", help="YAML or launch script of a run; -: standard input")
    check.add_argument("--framework", help="whose settings they are (default: guessed from the names)")
    check.add_argument("--release", help="whose rules, such as v0.9.0 (default: the commit that was checked)")
    check.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="an input that the file does not tell, such as nodes=2"
    )
    check.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE", help="a variable of the script, such as NNODES=2"
    )
    doctor = _add(
        commands,
        "doctor",
        "doctor.doctor",
        "compare an environment with what upstream tests: exit 0 fits, 1 known bad, 2 bad input, 3 not all could be judged",
    )
    doctor.add_argument(
        "file", nargs="?", help="pip, conda or uv list, requirements, Dockerfile, log; -: standard input; nothing: this Python"
    )
    doctor.add_argument("--framework", help="which framework it is for, where the list does not say so")
    doctor.add_argument("--release", help="which release of it, such as v0.9.0 (default: the one that is installed)")
    bugs = _add(commands, "bugs", "bugs.bugs", "known bugs of a framework or library: exit 0 some, 1 none, 2 bad input")
    bugs.add_argument("framework", help="id of a framework or library, such as verl or vllm")
    bugs.add_argument("words", nargs="*", help="what the row must say")
    bugs.add_argument("--release", help="that you run: the bugs that it has")
    bugs.add_argument("--to", metavar="RELEASE", help="that you could go to: of those, what it mends")
    for one in (explain, check, doctor, bugs):
        one.add_argument("--lang", choices=LANGUAGES, default=_language(), help="language of the answers")
        one.add_argument("--json", action="store_true", help="one JSON object instead of text")


def _add_content(commands: "Commands[argparse.ArgumentParser]") -> None:
    """What somebody needs who writes."""
    _add(commands, "validate", "content.validate", "check catalog and pages: exit 0 fine, 1 with a line for each problem")
    _add(commands, "stamp", "content.stamp", "stamp Chinese sections as reflecting the current English")
    new = _add(
        commands, "new-entry", "content.new_entry", "stub of an entry in catalog and pages; asks for what no option gives"
    )
    new.add_argument("--framework", help="id of a framework, or any")
    new.add_argument("--id", help="of the entry, for ever")
    new.add_argument("--topic", help="topic that it goes to")
    new.add_argument("--printed-by", help="repository that prints the error (default: the framework)")
    new.add_argument("--error", help="text of the error with placeholders; empty: a how-to")


def _add_upkeep(commands: "Commands[argparse.ArgumentParser]") -> None:
    """What keeps the guide true."""
    verify = _add(commands, "verify", "verify.verify", "compare with upstream: exit 0 all holds, 1 changed, 2 bad input")
    verify.add_argument("clones", type=Path, help="folder with one clone per repository, named owner+name or name")
    verify.add_argument(
        "--rev", action="append", default=[], type=_revision, metavar="ID=REVISION",
        help="look at this revision of a repository instead of its newest, as in slime=v0.3.1",
    )  # fmt: skip
    verify.add_argument("--offline", action="store_true", help="ask nothing of the network; releases are those of the cache")
    verify.add_argument("--fix", action="store_true", help="move the stamps that hold, remember what changed")
    form = verify.add_mutually_exclusive_group()
    form.add_argument("--json", dest="form", action="store_const", const="json", help="one JSON object")
    form.add_argument("--markdown", dest="form", action="store_const", const="markdown", help="tables for an issue")
    verify.set_defaults(form="text")
    built = _add(commands, "versions", "verify.versions", "read from clones what each release was built with: catalog/versions")
    built.add_argument("clones", type=Path, help="folder with one clone per repository, named owner+name or name")
    built.add_argument("--offline", action="store_true", help="ask nothing of the network; releases are those of the cache")
    keys = _add(commands, "keys", "upkeep.keys", "read a framework's keys from a local clone into catalog/keys")
    keys.add_argument("framework", help="id of the framework")
    keys.add_argument("repository", type=Path, help="its git clone; only read")
    keys.add_argument("--rev", metavar="TAG", help="tag, branch or commit (default: the pinned commit)")
    keys.add_argument("--many", action="store_true", help="accept that more than a quarter of the keys are gone")
    bugs = _add(commands, "bug-candidates", "upkeep.bug_candidates", "commits of a clone that the bug ledger may lack")
    bugs.add_argument("clones", type=Path, help="folder with one clone per repository, named owner+name or name")
    bugs.add_argument("--framework", help="that one alone")
    bugs.add_argument("--since", default="", metavar="DAY", help="from this day on, such as 2026-08-01")


def _add_release(commands: "Commands[argparse.ArgumentParser]") -> None:
    """What a release is made with."""
    _add(
        commands, "record-ids", "release.record", "before a release: note every id and address, none of which may go afterwards"
    )
    notes = _add(
        commands, "release-notes", "release.notes", "changelog section of a tag, if this commit is ready to be that release"
    )
    notes.add_argument("tag", help="such as v0.1.0")
    folder = _add(commands, "offline", "release.offline", "pack a built site into an archive that opens from a folder")
    folder.add_argument("site", type=Path, help="the built site")
    folder.add_argument("archive", type=Path, help="Zip file to write")


def _language() -> str:
    return "zh" if os.environ.get("LC_ALL", os.environ.get("LANG", "")).startswith("zh") else "en"


def _revision(text: str) -> tuple[str, str]:
    id_, separator, revision = text.partition("=")
    if not (id_ and separator and revision):
        raise argparse.ArgumentTypeError(f"{text!r} is not ID=REVISION, as in slime=v0.3.1")
    return id_, revision


if __name__ == "__main__":
    sys.exit(main())
