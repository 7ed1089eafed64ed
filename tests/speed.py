"""How fast this machine is at the moment. A limit in seconds holds for a machine as it was where the limit was set; one that is
shared with others can be three times slower an hour later."""

import time

ADDITIONS = 200_000
USUAL = 0.018  # seconds of processor time that so many take


def slowness() -> float:
    """How many times longer than usual a piece of work takes, at least 1: in processor time, without what waits for others."""
    return max(1.0, min(_worked() for _ in range(3)) / USUAL)


def _worked() -> float:
    began, total = time.thread_time(), 0
    for number in range(ADDITIONS):
        total += number
    return time.thread_time() - began
