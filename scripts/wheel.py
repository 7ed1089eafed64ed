"""`make wheel`: the package for a node, and a file with its checksum beside it."""

import argparse
import hashlib
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parent.parent


def build(root: Path, folder: Path) -> Path:
    """Build the wheel of a checkout into a folder, the same bytes for the same commit.

    Raises:
        ContentError: the content has faults.

    Returns:
        the wheel; its checksum lies beside it, as `sha256sum --check` reads it.
    """
    (made,) = WheelBuilder(str(root)).build(directory=str(folder), versions=["standard"])
    wheel = Path(made)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    wheel.with_name(f"{wheel.name}.sha256").write_text(f"{digest}  {wheel.name}\n", encoding="utf-8")
    return wheel


def main() -> None:
    """Build into `dist/`."""
    parser = argparse.ArgumentParser(prog="python -m scripts.wheel", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist", help="where to (default: dist)")
    wheel = build(ROOT, parser.parse_args().folder)
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
