"""Vendored browser code is what was released: the recorded checksums hold, and nothing else lies beside it."""

import json
from pathlib import Path

from scripts.vendor import RECORD, VENDOR, checksum


def test_checksums_hold() -> None:
    recorded = {name: entry["sha256"] for library in json.loads(RECORD.read_text()) for name, entry in library["files"].items()}
    present = {path.relative_to(VENDOR).as_posix(): path for path in VENDOR.rglob("*") if path.is_file() and path != RECORD}
    assert set(present) == set(recorded)
    assert {name: checksum(path.read_bytes()) for name, path in present.items()} == recorded


def test_every_library_has_a_licence_file() -> None:
    for library in json.loads(RECORD.read_text()):
        assert library["licence"]
        assert any(Path(name).name.startswith("LICENSE") for name in library["files"])
