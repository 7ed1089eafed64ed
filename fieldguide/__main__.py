"""Command line: `fieldguide explain` and its siblings; in a checkout `python -m fieldguide`, with the commands of its authors.

Each command is a function in `fieldguide.commands`, imported when it is asked for: who reads a log waits for nothing else.
"""

import argparse
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fieldguide.commands.node import add_node

ROOT = Path(__file__).resolve().parent.parent
# The installed package carries nothing of what the guide is written with.
IS_CHECKOUT = importlib.util.find_spec("fieldguide.content") is not None
DESCRIPTION = "Find the cause and the fix of an RL post-training error: verl, slime, ROLL, OpenRLHF, ChatLearn."
_INTERRUPTED = 130  # as a shell says it


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Returns:
        exit code, as its help says: 0 fine, 1 something to tell (all is printed), 2 wrong use.
    """
    options = _options(_parser(), arguments)
    try:
        if not IS_CHECKOUT:
            return _run(options)
        from fieldguide.commands.authors import telling_faults

        return telling_faults(partial(_run, options))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader (head, less) has seen enough
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED


def _options(parser: argparse.ArgumentParser, arguments: list[str] | None) -> argparse.Namespace:
    """As parsed; words may also follow options, as in `bugs verl --release v0.7.1 lora`, which argparse leaves over."""
    options, rest = parser.parse_known_args(arguments)
    if any(one.startswith("-") for one in rest) or (rest and not hasattr(options, "words")):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        options.words += rest
    return options


def _run(options: argparse.Namespace) -> int:
    module, _, name = options.command.rpartition(".")
    return int(getattr(importlib.import_module(f"fieldguide.commands.{module}"), name)(options))


def _parser() -> argparse.ArgumentParser:
    name = Path(sys.argv[0]).name
    parser = argparse.ArgumentParser(prog="python -m fieldguide" if name == "__main__.py" else name, description=DESCRIPTION)
    parser.add_argument("--version", action=_Version, nargs=0, help="version, day of the content, what it was checked against")
    parser.add_argument(
        "--print-completion", action=_Completion, metavar="SHELL", help="what completes commands in a shell, such as bash"
    )
    parser.set_defaults(root=ROOT)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_node(commands)
    if IS_CHECKOUT:
        from fieldguide.commands.authors import add_authors

        parser.add_argument("--root", type=Path, default=ROOT, help="checkout to work on (default: the one of this file)")
        add_authors(commands)
    return parser


class _Version(argparse.Action):
    """Says which edition this is, without a command."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, *_: Any) -> None:
        from fieldguide.commands.data import compiled_folder, edition

        about = edition(compiled_folder(namespace.root), namespace.root)
        print(f"fieldguide {about.version} ({about.date or '?'})", *(pin.said for pin in about.pins), sep="\n  ")
        parser.exit()


class _Completion(argparse.Action):
    """Prints what a shell completes commands and options with."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        import shtab

        if values not in shtab.SUPPORTED_SHELLS:
            parser.error(f"{option_string}: choose one of {', '.join(shtab.SUPPORTED_SHELLS)}")
        parser.prog = "fieldguide"
        print(shtab.complete(parser, str(values)))
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
