"""Files that a program reads."""

import json
import os
from pathlib import Path
from typing import Any


def write_json(file: Path, content: Any) -> Path:
    """Write JSON without white space, the same bytes for the same content; folders are made.

    Returns:
        the file.
    """
    return write_whole(file, json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode())


def write_whole(file: Path, data: bytes) -> Path:
    """Write under another name first, so that the file is never half there; folders are made.

    Returns:
        the file.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        half.write_bytes(data)
        half.replace(file)
    finally:
        half.unlink(missing_ok=True)
    return file
