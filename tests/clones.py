"""A made-up upstream: git repositories with fixed dates, so that their hashes are the same on every run."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from fieldguide.content.guide import load_guide
from fieldguide.upkeep.verify.compare import verify
from fieldguide.upkeep.verify.result import Report

FIXTURES = Path(__file__).parent / "fixtures"


@dataclass(frozen=True)
class Setting:
    """A guide, the folder of clones beside it, and the one clone in there."""

    root: Path
    clones: Path
    alpha: Path

    def verify(self, **revisions: str) -> Report:
        return verify(load_guide(self.root).catalog, self.clones, revisions)

    def edit(self, file: str, *changes: tuple[str, str]) -> None:
        """Change a file upstream; each old text must stand there once."""
        path = self.alpha / file
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} in {file}"
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")

    def commit(self, day: str) -> str:
        """Commit all that changed upstream."""
        git(self.alpha, "add", "--all")
        git(self.alpha, "commit", "--quiet", "--message", day, day=day)
        return git(self.alpha, "rev-parse", "HEAD").strip()

    def commit_empty(self, day: str) -> str:
        """A commit that changes nothing."""
        git(self.alpha, "commit", "--quiet", "--allow-empty", "--message", day, day=day)
        return git(self.alpha, "rev-parse", "HEAD").strip()

    def catalog(self) -> dict[str, str]:
        """Every file of the catalog."""
        base = self.root / "catalog"
        return {file.relative_to(base).as_posix(): file.read_text(encoding="utf-8") for file in sorted(base.rglob("*.yml"))}


def git(path: Path, *arguments: str, day: str = "2026-01-01") -> str:
    """Run git as nobody in particular at noon of a day."""
    who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in _identity(day).items()}
    done = subprocess.run(
        ["git", "-C", str(path), *arguments],
        env=os.environ | who | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def _identity(day: str) -> dict[str, str]:
    return {"NAME": "Alpha", "EMAIL": "alpha@example.org", "DATE": f"{day}T12:00:00+0000"}


def make_small(root: Path) -> Path:
    """A tiny guide of two frameworks without faults."""
    whole = FIXTURES.parents[1]
    shutil.copytree(FIXTURES / "small", root)
    shutil.copytree(whole / "locales", root / "locales")
    for name in ("grammar", "masks", "scan"):
        shutil.copy(whole / "catalog" / f"{name}.yml", root / "catalog")
    return root


def make_setting(folder: Path, small: Path) -> Setting:
    """The small guide with the catalog of this fixture, pinned to the first commit of a new clone of alpha."""
    clones = folder / "clones"
    alpha = clones / "example+alpha"
    shutil.copytree(FIXTURES / "verify" / "alpha", alpha)
    shutil.copytree(FIXTURES / "verify" / "catalog", small / "catalog", dirs_exist_ok=True)
    git(alpha, "init", "--quiet", "--initial-branch=main")
    setting = Setting(small, clones, alpha)
    pins = small / "catalog" / "frameworks.yml"
    pins.write_text(pins.read_text(encoding="utf-8").replace("PINNED", setting.commit("2026-01-01")), encoding="utf-8")
    return setting
