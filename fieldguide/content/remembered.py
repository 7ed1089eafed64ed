"""What has been read from files, by file and edition, and how a process that starts later gets it without reading."""

import pickle
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

from fieldguide.content.edition import edition
from fieldguide.content.writing import write_whole

T = TypeVar("T")
_MOST = 1 << 14
# Values are made by the code of this folder: those of other code are not taken.
_CODE = Path(__file__).parent


class Remembered(Generic[T]):
    """A function that does the same thing once, like `functools.lru_cache`; `known` can be carried to another process."""

    def __init__(self, function: Callable[..., T]) -> None:
        self._function = function
        self.known: dict[tuple[Hashable, ...], T] = {}

    def __call__(self, *arguments: Hashable) -> T:
        if arguments not in self.known:
            if len(self.known) >= _MOST:
                self.known.clear()
            self.known[arguments] = self._function(*arguments)
        return self.known[arguments]


def keep(file: Path, functions: Iterable[Remembered[Any]]) -> None:
    """Write down what functions have remembered, once for the code as it is: what changes later is little."""
    if not _is_kept(file):
        write_whole(file, pickle.dumps(_code()) + pickle.dumps([one.known for one in functions]))


def recall(file: Path, functions: Iterable[Remembered[Any]]) -> bool:
    """Have functions remember what was kept of the same ones.

    Returns:
        whether they do; not when there is no such file, or the code is not the one that made it.
    """
    if not _is_kept(file):
        return False
    with file.open("rb") as content:
        pickle.load(content)
        for function, known in zip(functions, pickle.load(content), strict=True):
            function.known.update(known)
    return True


def _is_kept(file: Path) -> bool:
    if not file.exists():
        return False
    with file.open("rb") as content:
        return bool(pickle.load(content) == _code())


def _code() -> list[tuple[str, tuple[int, int]]]:
    return [(file.relative_to(_CODE).as_posix(), edition(file)) for file in sorted(_CODE.rglob("*.py"))]
