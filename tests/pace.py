"""How fast this machine is at the moment. It has fast minutes and slow ones, and limits in seconds are for a fast one."""

from collections.abc import Callable

_TIMES = 1_000_000
_QUIET = 0.088  # seconds of so many additions in Python on the machine that the limits are for, quiet


def slower(clock: Callable[[], float]) -> float:
    """How much longer the same work takes now, at least 1: by `time.perf_counter` with what others do beside it, by
    `time.process_time` for the processor alone."""
    begun, total = clock(), 0
    for number in range(_TIMES):
        total += number
    return max(1.0, (clock() - begun) / _QUIET)
