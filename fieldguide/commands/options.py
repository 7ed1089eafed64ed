"""How commands are declared: all in one style."""

import argparse
import os
from typing import TypeAlias

from fieldguide.runtime.languages import LANGUAGES, language_of

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # argparse has no public name for it


def add(commands: Commands, name: str, command: str, help_: str) -> argparse.ArgumentParser:
    """Add a command.

    Args:
        command: module below `fieldguide.commands` and function, which takes the options and returns the exit code.
    """
    parser = commands.add_parser(name, help=help_, description=f"{help_[0].upper()}{help_[1:]}.")
    parser.set_defaults(command=command)
    return parser


def add_common(parser: argparse.ArgumentParser, json: bool = True) -> None:
    """Add the options that answers share."""
    default = language_of(os.environ)
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=default, help="language of the answer (default: as LC_ALL or LANG say)"
    )
    if json:
        parser.add_argument("--json", action="store_true", help="JSON instead of text")


def at_least_one(text: str) -> int:
    """A number of things to list.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)
