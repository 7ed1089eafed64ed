"""Files that a program reads."""

import json
from pathlib import Path
from typing import Any


def write_json(file: Path, content: Any) -> Path:
    """Write JSON without white space, the same bytes for the same content; folders are made.

    Returns:
        the file.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    return file
