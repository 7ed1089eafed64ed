"""What is wrong with the content: collected everywhere, reported once, each with file and line."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Problem:
    """One fault in one place.

    Attributes:
        path: file, relative to the root of the checkout.
        line: 1-based line; 0 when the whole file is meant.
        message: what is wrong and, where it can be said, what to do.
    """

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.path.as_posix()}:{self.line}" if self.line else self.path.as_posix()
        return f"{place}: {self.message}"


class ContentError(Exception):
    """Raised once all problems are known.

    Attributes:
        problems: every fault found, sorted by place.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(set(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type["ContentError"], tuple[list[Problem]]]:
        """For another process: made anew from its problems."""
        return type(self), (self.problems,)
