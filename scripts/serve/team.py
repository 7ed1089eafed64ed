"""The worker processes and their replacement."""

from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from threading import Lock
from typing import ParamSpec, TypeVar

from scripts.serve import worker
from scripts.serve.messages import Answer, Fault

P = ParamSpec("P")
T = TypeVar("T")
PATIENCE = 2 * worker.LIMIT  # seconds; a worker may have to do something else first


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=worker.prepare)


class _Post:
    """One place of work, and who holds it now."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._holder = _process()

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Have the holder do it; one that has died is replaced once."""
        holder = self._holder
        try:
            return self._submit(function, *args, **kwargs).result(PATIENCE)
        except BrokenProcessPool:
            self.take(_process(), holder)
            return self._submit(function, *args, **kwargs).result(PATIENCE)

    def leave(self, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Have the holder do it some time; whether it did is not asked."""
        with suppress(RuntimeError):  # it has died, or all are going home
            self._submit(function, *args, **kwargs)

    def _submit(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with self._lock:
            return self._holder.submit(function, *args, **kwargs)

    def take(self, successor: ProcessPoolExecutor, predecessor: ProcessPoolExecutor | None = None) -> None:
        """Give the place to another; `predecessor`: only if that one holds it still."""
        with self._lock:
            if predecessor in (None, self._holder):
                self._holder, successor = successor, self._holder
        successor.shutdown(wait=False)

    def close(self) -> None:
        with self._lock:
            self._holder.shutdown(wait=False, cancel_futures=True)


@dataclass
class Team:
    """A worker that makes pages and one that looks for problems, for the checkout `root` served at `url`."""

    root: Path
    url: str
    folder: Path
    _pages: _Post = field(default_factory=_Post)
    _checks: _Post = field(default_factory=_Post)

    def answer(self, address: str, version: int) -> Answer:
        return self._pages.call(worker.answer, self.root, self.url, self.folder, address, version)

    def take_in(self, version: int) -> None:
        """Read what has changed, although nobody asks for a page: what breaks next stays as it is now."""
        self._pages.call(worker.take_in, self.root, self.url, self.folder, version)

    def problems(self) -> list[Fault]:
        found = self._checks.call(worker.problems, self.root, self.url, self.folder)
        self._checks.leave(worker.keep, self.folder)
        return found

    def renew(self, version: int) -> list[Fault]:
        """Workers with the code as it is now, ready to answer, take over.

        Returns:
            why they cannot; then the old ones stay.
        """
        pages, checks = _process(), _process()
        faults = pages.submit(worker.broken_code, self.root).result(PATIENCE)
        if faults:
            pages.shutdown(wait=False)
            checks.shutdown(wait=False)
            return faults
        pages.submit(worker.answer, self.root, self.url, self.folder, "", version).result(PATIENCE)
        self._pages.take(pages)
        self._checks.take(checks)
        return []

    def close(self) -> None:
        self._pages.close()
        self._checks.close()
