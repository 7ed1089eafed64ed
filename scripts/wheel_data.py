"""Puts the compiled guide into the wheel: a build hook of Hatchling."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "fieldguide/data"


class GuideHook(BuildHookInterface):
    """Compiles the guide and adds its files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is put together."""
        root = Path(self.root)
        sys.path.insert(0, self.root)
        from fieldguide.content.about import edition_of
        from fieldguide.content.compile import compile_guide, write_compiled
        from fieldguide.content.guide import load_sound_guide

        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        files = write_compiled(compile_guide(load_sound_guide(root)), folder)
        about = folder / "about.json"
        about.write_text(json.dumps(json.loads(about.read_text(encoding="utf-8")) | edition_of(root)), encoding="utf-8")
        build_data["force_include"] |= {str(file): f"{PLACE}/{file.name}" for file in sorted(files)}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called after that."""
        self._folder.cleanup()
