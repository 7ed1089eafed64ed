"""Independent pieces of work, done at the same time."""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

Maker = Callable[[], list[Path]]
_makers: list[Maker] = []  # in a process of the pool: what it was started with


def at_once(makers: Sequence[Maker]) -> list[Path]:
    """Call each, in processes that begin with all that is in memory here.

    Elsewhere than on Linux, where a process is not safely copied, they are called one after the other.

    Returns:
        the files that they wrote, in the order of `makers`.

    Raises:
        what the first of them that fails raises.
    """
    processes = min(len(makers), os.cpu_count() or 1)
    if sys.platform != "linux" or processes < 2:
        return [file for make in makers for file in make()]
    with ProcessPoolExecutor(processes, mp_context=get_context("fork"), initializer=_makers.extend, initargs=(makers,)) as pool:
        return [file for files in pool.map(_call, range(len(makers))) for file in files]


def _call(number: int) -> list[Path]:
    return _makers[number]()
