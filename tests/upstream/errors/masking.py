"""Takes out of a run's output what tells about the machine: places, names, addresses, process numbers."""

import getpass
import re
import socket
from collections.abc import Sequence
from itertools import count

# Ray lists the processes of the machine when memory runs out; its own stay.
_PROCESSES = re.compile(r"^\d+\t\d+\.\d+\t(?!ray::).*\n", re.MULTILINE)
_SESSION = re.compile(r"\bsession_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d_\d+_\d+")
_ADDRESS = re.compile(r"\b(?!127\.|0\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b(?!\.\d)")
# `pid=123`, `E 123 124]` in a line of Ray's own log, and the first column of that list.
_PROCESS = re.compile(r"(?m)^\d+(?=\t\d+\.\d+\tray::)|(?<=\bpid=)\d+|(?<=\d [EWI] )\d+(?= \d+\])|(?<=\d )\d+(?=\] \()")


def mask(text: str, places: Sequence[tuple[str, str]]) -> str:
    """The text with neutral forms in place of what differs from machine to machine.

    Args:
        places: folders and what stands for each, e.g. `("/home/me/.venv/lib/python3.11/", "lib/python3.11/")`.
    """
    for place, name in sorted(places, key=lambda pair: -len(pair[0])):
        text = text.replace(place, name)
    text = _PROCESSES.sub("", text)
    text = _SESSION.sub("session_latest", text)
    text = re.sub(rf"\b{re.escape(socket.gethostname())}\b", "node-1", text).replace(f"_{getpass.getuser()}/", "_user/")
    numbers = count(1001)
    known: dict[str, str] = {}
    text = _PROCESS.sub(lambda match: known.setdefault(match[0], str(next(numbers))), text)
    nodes = count(1)
    return _ADDRESS.sub(lambda match: known.setdefault(match[0], f"10.0.0.{next(nodes)}"), text)
