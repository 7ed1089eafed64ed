"""What the processes tell each other; plain values, so that each may run another state of the code."""

from typing import NamedTuple


class Fault(NamedTuple):
    """Something wrong: `path` relative to the checkout, empty when not known; `line` 0 when the whole file is meant."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.message}" if place else self.message


class Answer(NamedTuple):
    """What a browser gets.

    Attributes:
        kind: media type.
        body: content, or the address to go to for status 302.
        source: Markdown file of a page.
        notes: what went wrong while it was made.
    """

    status: int
    kind: str
    body: bytes
    source: str = ""
    notes: tuple[Fault, ...] = ()
