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
DATA = (".json", ".xml", ".gz")  # ends of addresses
PATIENCE = 2 * worker.LIMIT  # seconds; a worker may have to do something else first


class _Post:
    """One place of work, and who holds it now.

    Args:
        niceness: how far its work stands back behind that of others, 0 (not at all) to 19.
    """

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness
        self._lock = Lock()
        self._holder = self.successor()

    def successor(self) -> ProcessPoolExecutor:
        """A new process that could hold the place."""
        return ProcessPoolExecutor(1, get_context("spawn"), worker.prepare, (self._niceness,))

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Have the holder do it; one that has died is replaced once."""
        holder = self._holder
        try:
            return self._submit(function, *args, **kwargs).result(PATIENCE)
        except BrokenProcessPool:
            self.take(self.successor(), holder)
            return self._submit(function, *args, **kwargs).result(PATIENCE)

    def leave(self, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Have the holder do it some time; whether it did is not asked."""
        with suppress(RuntimeError):  # it has died, or all are going home
            self._submit(function, *args, **kwargs)

    def _submit(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with self._lock:
            return self._holder.submit(function, *args, **kwargs)

    def take(self, successor: ProcessPoolExecutor, predecessor: ProcessPoolExecutor | None = None) -> None:
        """Give the place to a successor; `predecessor`: only if that one holds it still."""
        with self._lock:
            if predecessor in (None, self._holder):
                self._holder, successor = successor, self._holder
        successor.shutdown(wait=False)

    def close(self) -> None:
        with self._lock:
            self._holder.shutdown(wait=False, cancel_futures=True)


@dataclass
class Team:
    """Workers that make pages, make data and look for problems, for the checkout `root` served at `url`.

    Data has a worker of its own, since an index of the search takes many seconds and pages must not wait for it.
    """

    root: Path
    url: str
    folder: Path
    _pages: _Post = field(default_factory=_Post)
    _data: _Post = field(default_factory=lambda: _Post(5))
    _checks: _Post = field(default_factory=lambda: _Post(10))

    def answer(self, address: str, version: int) -> Answer:
        post = self._data if address.endswith(DATA) else self._pages
        return post.call(worker.answer, self.root, self.url, self.folder, address, version)

    def take_in(self, version: int) -> None:
        """Read what has changed, although nobody asks for a page: what breaks next stays as it is now."""
        self._pages.call(worker.take_in, self.root, self.url, self.folder, version)
        self._data.leave(worker.take_in, self.root, self.url, self.folder, version)

    def problems(self) -> list[Fault]:
        found = self._checks.call(worker.problems, self.root, self.url, self.folder)
        self._checks.leave(worker.keep, self.folder)
        return found

    def renew(self, version: int) -> list[Fault]:
        """Workers with the code as it is now, ready to answer, take over.

        Returns:
            why they cannot; then the old ones stay.
        """
        pages = self._pages.successor()
        faults = pages.submit(worker.broken_code, self.root).result(PATIENCE)
        if faults:
            pages.shutdown(wait=False)
            return faults
        pages.submit(worker.answer, self.root, self.url, self.folder, "", version).result(PATIENCE)
        self._pages.take(pages)
        self._data.take(self._data.successor())
        self._checks.take(self._checks.successor())
        return []

    def close(self) -> None:
        for post in (self._pages, self._data, self._checks):
            post.close()
