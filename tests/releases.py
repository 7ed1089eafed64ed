"""A made-up package index: archives in a folder."""

import hashlib
import io
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from fieldguide.content.guide import load_guide
from fieldguide.upkeep.releases.index import IndexUnreachableError, Published
from fieldguide.upkeep.verify.compare import verify
from fieldguide.upkeep.verify.releases import ReleaseLook
from fieldguide.upkeep.verify.result import Report
from tests.clones import Setting, git

TORCH = {"c10/cuda/CUDACachingAllocator.cpp": 'TORCH_CHECK(false, "CUDA out of "\n  "memory. Tried to allocate ", size);\n'}


@dataclass
class FolderIndex:
    """Packages as they were published; `asked` counts what was downloaded."""

    folder: Path
    published: dict[str, list[Published]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    reachable: bool = True

    def publish(self, package: str, version: str, date: str, files: dict[str, str], wheel: bool = False) -> Path:
        """Put a release on the index."""
        name = f"{package}-{version}"
        path = self.folder / (f"{name}-py3-none-any.whl" if wheel else f"{name}.tar.gz")
        path.write_bytes(_wheel(files) if wheel else _source_archive(name, files))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.published.setdefault(package, []).append(Published(version, date, path.name, digest))
        return path

    def releases(self, package: str, since: str) -> list[Published]:
        if not self.reachable:
            raise IndexUnreachableError(f"{package}: ConnectionError")
        return self.published.get(package, [])

    def download(self, package: str, release: Published, folder: Path) -> Path:
        self.asked.append(release.file)
        path = folder / release.file
        path.write_bytes((self.folder / release.file).read_bytes())
        return path


def release(setting: Setting) -> None:
    """The pin of alpha is tagged v0.2.0; v0.1.0 had another text; alpha and torch are on the index, too."""
    git(setting.alpha, "tag", "v0.2.0")
    git(setting.alpha, "checkout", "--quiet", "--orphan", "old")
    setting.edit("alpha/train.py", ("samples is smaller than", "is too small for"), ("raise batch_size", "batch is too small"))
    setting.commit("2025-06-01")
    git(setting.alpha, "tag", "v0.1.0")
    git(setting.alpha, "checkout", "--quiet", "main")
    pins = setting.root / "catalog" / "frameworks.yml"
    text = pins.read_text(encoding="utf-8").replace(
        "    name: Alpha\n", "    name: Alpha\n    index: {package: alpha, since: '0.1', prefix: v}\n"
    )
    pins.write_text(text.replace("version: 2.9.1,", "version: 2.9.1, index: {package: torch, since: '2.8'},"), encoding="utf-8")


def publish(setting: Setting, folder: Path) -> FolderIndex:
    """v0.3.0 of alpha is on the index alone, and torch has two releases."""
    index = FolderIndex(folder)
    source = (setting.alpha / "alpha" / "train.py").read_text(encoding="utf-8")
    index.publish("alpha", "0.2.0", "2026-01-01", {"alpha/train.py": "the tag is read instead"})
    index.publish(
        "alpha", "0.3.0", "2026-03-01", {"alpha/train.py": source.replace("raise batch_size", "give more")}, wheel=True
    )
    index.publish("torch", "2.8.0", "2025-08-01", {"c10/a.cpp": ""})
    index.publish("torch", "2.9.1", "2025-11-01", TORCH)
    return index


def look(setting: Setting, index: FolderIndex | None, folder: Path) -> Report:
    """Compare the guide with its clones and with the releases."""
    guide = load_guide(setting.root)
    with ReleaseLook(guide, folder / "cache", index) as releases:
        return verify(guide.catalog, setting.clones, {}, releases)


def _wheel(files: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def _source_archive(name: str, files: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for path, text in files.items():
            info = tarfile.TarInfo(f"{name}/{path}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return data.getvalue()
