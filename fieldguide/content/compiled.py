"""The compiled guide of a checkout, kept below `.cache/` and made anew when a file that it comes from has changed.

Reading one log must not wait for the whole catalog, so this module imports nothing that does.
"""

import json
from pathlib import Path

FOLDER = Path(".cache", "guide")
_SOURCES = ("catalog/**/*.yml", "docs/**/*.md", "locales/*.yml", "fieldguide/content/**/*.py", "fieldguide/runtime/**/*.py")


def compiled_folder(root: Path) -> Path:
    """The folder with the compiled guide of the checkout `root`, made first where it is missing or old.

    Raises:
        ContentError: the content has faults.
    """
    folder, state = root / FOLDER, _state(root)
    if not _is_fresh(folder / "state.json", state):
        from fieldguide.content.compile import compile_guide, write_compiled
        from fieldguide.content.guide import load_sound_guide

        write_compiled(compile_guide(load_sound_guide(root)), folder)
        (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")
    return folder


def _is_fresh(file: Path, state: list[list[str | int]]) -> bool:
    try:
        return bool(json.loads(file.read_text(encoding="utf-8")) == state)
    except (OSError, ValueError):
        return False


def _state(root: Path) -> list[list[str | int]]:
    """Every source with its time and size."""
    files = sorted(file for pattern in _SOURCES for file in root.glob(pattern))
    return [[file.relative_to(root).as_posix(), (stat := file.stat()).st_mtime_ns, stat.st_size] for file in files]
