"""Independent pieces of work, done at the same time."""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

T = TypeVar("T")
_makers: list[Callable[[], list[Any]]] = []  # in a process of the pool: what it was started with


def at_once(makers: Sequence[Callable[[], list[T]]]) -> list[T]:
    """Call each, in processes that begin with all that is in memory here.

    Elsewhere than on Linux, where a process is not safely copied, they are called one after the other.

    Returns:
        what they return, such as files that they wrote, in the order of `makers`.

    Raises:
        what the first of them that fails raises.
    """
    processes = min(len(makers), os.cpu_count() or 1)
    if sys.platform != "linux" or processes < 2:
        return [one for make in makers for one in make()]
    with ProcessPoolExecutor(processes, mp_context=get_context("fork"), initializer=_makers.extend, initargs=(makers,)) as pool:
        return [one for some in pool.map(_call, range(len(makers))) for one in some]


def _call(number: int) -> list[Any]:
    return _makers[number]()
