"""A made-up package index: archives in a folder."""

import hashlib
import io
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from fieldguide.upkeep.releases.index import IndexUnreachableError, Published


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
