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
    file.parent.mkdir(parents=True, exist_ok=True)
    # At once, so that nobody who reads meanwhile finds half of it.
    part = file.with_name(f".{file.name}.{os.getpid()}")
    part.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    part.replace(file)
    return file
