"""How commands print."""

import os
from typing import TextIO


def is_coloured(stream: TextIO) -> bool:
    """Whether a stream takes colours: a terminal whose reader has not said no to them (NO_COLOR)."""
    return stream.isatty() and "NO_COLOR" not in os.environ
