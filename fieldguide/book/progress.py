"""What `make pdf` says while it works."""

import sys
import time


class Progress:
    """One line a step, with the seconds it took."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, what: str) -> None:
        now = time.monotonic()
        print(f"pdf: {what} ({now - self._last:.1f} s)", file=sys.stderr, flush=True)
        self._last = now
