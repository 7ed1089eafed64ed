"""A guide, its upstream and its package index, and one change in one of them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fieldguide.content.guide import load_guide
from fieldguide.upkeep.verify.fix import fix
from fieldguide.upkeep.verify.result import Report
from tests.clones import Setting, git
from tests.releases import TORCH, FolderIndex, look


@dataclass(frozen=True)
class World:
    """A guide that agrees with its clone and its package index."""

    setting: Setting
    index: FolderIndex
    folder: Path

    def look(self) -> Report:
        return look(self.setting, self.index, self.folder)

    def fix(self) -> list[str]:
        """What `make verify FIX=1` writes; returns what was said before."""
        report = self.look()
        fix(self.setting.root, load_guide(self.setting.root).catalog, report, self.look)
        return said(report)

    def files(self) -> dict[str, str]:
        """Every file below the catalog, whatever its name."""
        base = self.setting.root / "catalog"
        return {str(file.relative_to(base)): file.read_text(encoding="utf-8") for file in base.rglob("*") if file.is_file()}


def said(report: Report) -> list[str]:
    """All that a report complains of, a line each."""
    changes = [
        f"{one.kind.value} {one.path}: {one.was} → {one.now} ({' '.join((*one.entries, *one.keys, *one.rules))})"
        for one in report.changes
    ]
    releases = (*report.releases.wrong, *report.releases.moved, *report.releases.missing)
    return [*changes, *map(str, report.problems), *report.faults, *releases]


Act = Callable[[World], object]


def edit(file: str, *changes: tuple[str, str], new: dict[str, str] | None = None) -> Act:
    """Texts replaced in a file of upstream, and files that are new."""

    def act(world: World) -> None:
        world.setting.edit(file, *changes)
        for name, text in (new or {}).items():
            (world.setting.alpha / name).write_text(text, encoding="utf-8")
        world.setting.commit("2026-02-03")

    return act


def move(*ways: tuple[str, str], then: tuple[str, str] | None = None) -> Act:
    """Files renamed upstream, and a text replaced in the first."""

    def act(world: World) -> None:
        for old, new in ways:
            (world.setting.alpha / new).parent.mkdir(parents=True, exist_ok=True)
            git(world.setting.alpha, "mv", old, new)
        if then:
            world.setting.edit(ways[0][1], then)
        world.setting.commit("2026-02-03")

    return act


def drop(file: str) -> Act:
    """A file of upstream deleted."""

    def act(world: World) -> None:
        (world.setting.alpha / file).unlink()
        world.setting.commit("2026-02-03")

    return act


def tag(name: str, *, at: str = "main", day: str = "2026-04-01", changes: tuple[str, tuple[str, str]] | None = None) -> Act:
    """A tag set, moved if it is there; with a change, on a branch of its own."""

    def act(world: World) -> None:
        alpha = world.setting.alpha
        if changes:
            git(alpha, "checkout", "--quiet", "--detach", at)
            world.setting.edit(changes[0], changes[1])
            world.setting.commit(day)
        git(alpha, "tag", "--force", name, "HEAD" if changes else at)
        git(alpha, "checkout", "--quiet", "main")

    return act


def put(files: dict[str, str], *, wheel: bool = False, damage: Callable[[bytes], bytes] = bytes) -> Act:
    """A new release of torch, its archive damaged."""

    def act(world: World) -> None:
        path = world.index.publish("torch", "2.10.0", "2026-02-01", files, wheel=wheel)
        path.write_bytes(damage(path.read_bytes()))

    return act


def catalog(file: str, old: str, new: str) -> Act:
    """A text replaced in the catalog."""

    def act(world: World) -> None:
        path = world.setting.root / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, text
        path.write_text(text.replace(old, new), encoding="utf-8")

    return act


def other_file(world: World) -> None:
    """The archive of a release replaced by another."""
    world.index.published["torch"].pop()
    world.index.publish("torch", "2.9.1", "2025-11-01", TORCH | {"c10/b.cpp": ""})


def taken_back(world: World) -> None:
    """The newest release of torch is not on the index any more."""
    world.index.published["torch"].pop()


def unreachable(world: World) -> None:
    """The index gives no answer."""
    world.index.reachable = False


def without_tags(world: World) -> None:
    """A clone that has no tags."""
    for name in git(world.setting.alpha, "tag").split():
        git(world.setting.alpha, "tag", "--delete", name)


def half_remembered(world: World) -> None:
    """What was found before is broken off in the middle."""
    file = world.folder / "cache" / "looked-up" / "alpha.json"
    file.write_text(file.read_text(encoding="utf-8")[:40], encoding="utf-8")


def half_listed(world: World) -> None:
    """The list of releases is broken off in the middle, and the index gives no answer."""
    file = world.folder / "cache" / "torch.json"
    file.write_text(file.read_text(encoding="utf-8")[:40], encoding="utf-8")
    world.index.reachable = False


def spoilt(data: bytes) -> bytes:
    """Bytes in the middle of what is compressed turned around."""
    middle = len(data) // 2
    return data[:middle] + bytes(255 - byte for byte in data[middle : middle + 40]) + data[middle + 40 :]


def no_blocks(data: bytes) -> bytes:
    """Bytes that no compression begins with."""
    return data[:60] + b"\xff" * 40 + data[100:]


def half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def nothing(_: bytes) -> bytes:
    return b"no archive"
