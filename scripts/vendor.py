"""Re-create the browser libraries in overrides/assets/vendor from their registry packages (needs npm).

    python scripts/vendor.py            download each package again and compare with what is committed
    python scripts/vendor.py --write    and write it

`vendor.json` records package, version, licence and checksum of every file; a test compares the files with it.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

VENDOR = Path(__file__).resolve().parent.parent / "overrides" / "assets" / "vendor"
RECORD = VENDOR / "vendor.json"


def checksum(content: bytes) -> str:
    """SHA-256 as hex."""
    return hashlib.sha256(content).hexdigest()


def released(package: str, version: str, files: dict[str, str]) -> dict[str, bytes]:
    """Files of a released package: name here → content.

    Raises:
        subprocess.CalledProcessError: npm cannot get the package.
    """
    with tempfile.TemporaryDirectory() as folder:
        name = subprocess.run(
            ["npm", "pack", "--silent", f"{package}@{version}"], cwd=folder, check=True, capture_output=True, text=True
        ).stdout.split()[-1]
        with tarfile.open(Path(folder) / name) as archive:
            return {here: _content(archive, f"package/{there}") for here, there in files.items()}


def _content(archive: tarfile.TarFile, member: str) -> bytes:
    stream = archive.extractfile(member)
    if stream is None:
        raise FileNotFoundError(member)
    return stream.read()


def main(arguments: list[str]) -> int:
    """Compare, or write; exit code 1 when something differs."""
    record: list[dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))
    differing = []
    for library in record:
        files = {name: entry["from"] for name, entry in library["files"].items()}
        for name, content in released(library["package"], library["version"], files).items():
            if "--write" in arguments:
                (VENDOR / name).parent.mkdir(parents=True, exist_ok=True)
                (VENDOR / name).write_bytes(content)
                library["files"][name]["sha256"] = checksum(content)
            elif checksum(content) != library["files"][name]["sha256"]:
                differing.append(name)
    if "--write" in arguments:
        RECORD.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print("\n".join(f"differs from the release: {name}" for name in differing) or "as released")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
