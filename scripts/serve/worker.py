"""What the worker processes do. What may be broken is imported inside the functions, so that a call says what is wrong."""

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing import parent_process
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from scripts.serve.faults import fault_page, faults_of
from scripts.serve.messages import Answer, Fault

if TYPE_CHECKING:
    from scripts.serve.look import Look
    from scripts.serve.pages import Pages


LIMIT = 60  # seconds for one answer
_KEPT = "read.pickle"  # in the folder of what is made


def prepare(niceness: int) -> None:
    """Ctrl-C is for the server; without it, however it ended, a worker ends."""
    os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, _give_up)
    gc.set_threshold(1_000_000, 20, 100)  # a guide is a million small objects: looking through them takes seconds
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(0)


def _give_up(*_: object) -> None:
    raise TimeoutError(f"not done within {LIMIT} s")


@contextmanager
def _limited() -> Iterator[None]:
    """What never ends, a template's loop or a pattern, becomes an exception that says where it was."""
    signal.alarm(LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)


def broken_code(root: Path) -> list[Fault]:
    """Why the code cannot be loaded; nothing when it can."""
    try:
        from scripts.serve import look, pages  # noqa: F401
    except Exception as error:
        return faults_of(root, error)
    return []


def answer(root: Path, url: str, folder: Path, address: str, version: int) -> Answer:
    """What a browser gets at an address."""
    try:
        with _limited():
            return _pages(root, url, folder).answer(address, version)
    except Exception as error:  # the code cannot be loaded
        faults = faults_of(root, error)
        return Answer(200, "text/html; charset=utf-8", fault_page(faults, error, "").encode(), "", tuple(faults))


def take_in(root: Path, url: str, folder: Path, version: int) -> None:
    """Read what has changed."""
    with suppress(Exception), _limited():  # whoever asks for a page is told
        _pages(root, url, folder).take_in(version)


def keep(folder: Path) -> None:
    """Write down what has been read, for workers that start later."""
    with suppress(Exception):  # they read it themselves then
        from fieldguide.content.guide import READ
        from fieldguide.content.remembered import keep as keep_read

        keep_read(folder / _KEPT, READ)


def _recall(folder: Path) -> None:
    with suppress(Exception):
        from fieldguide.content.guide import READ
        from fieldguide.content.remembered import recall

        recall(folder / _KEPT, READ)


def problems(root: Path, url: str, folder: Path) -> list[Fault]:
    """What is wrong with the content."""
    try:
        with _limited():
            return _look(root, url, folder).problems()
    except Exception as error:
        return faults_of(root, error)


@lru_cache(maxsize=1)
def _pages(root: Path, url: str, folder: Path) -> "Pages":
    from scripts.serve.pages import Pages

    _recall(folder)
    return Pages(root, url, folder)


@lru_cache(maxsize=1)
def _look(root: Path, url: str, folder: Path) -> "Look":
    from scripts.serve.look import Look

    _recall(folder)
    return Look(root, url, folder)
