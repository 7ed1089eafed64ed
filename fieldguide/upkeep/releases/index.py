"""Releases on the package index: which there are, and the archive of one."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from packaging.version import InvalidVersion, Version
from pypi_simple import PYPI_SIMPLE_ENDPOINT, DistributionPackage, NoMetadataError, PyPISimple
from requests import RequestException


class IndexUnreachableError(Exception):
    """The index gave no answer, or not this archive; the message says which and why."""


@dataclass(frozen=True)
class Published:
    """A release on the index.

    Attributes:
        version: as the index writes it.
        date: day on which the archive was uploaded.
        sha256: of the archive.
    """

    version: str
    date: str
    file: str
    sha256: str


class PackageIndex(Protocol):
    """Where releases come from."""

    def releases(self, package: str, since: str) -> list[Published]: ...

    def download(self, package: str, release: Published, folder: Path) -> Path: ...


class OnlineIndex:
    """The package index that pip would ask: PIP_INDEX_URL, or the public one."""

    def __init__(self) -> None:
        self._client = PyPISimple(os.environ.get("PIP_INDEX_URL") or PYPI_SIMPLE_ENDPOINT)
        self._files: dict[tuple[str, str], DistributionPackage] = {}

    def releases(self, package: str, since: str) -> list[Published]:
        """Final and post releases from `since` on, oldest first; those that were taken back are left out.

        Raises:
            IndexUnreachableError: there is no answer.
        """
        try:
            page = self._client.get_project_page(package)
        except RequestException as error:
            raise IndexUnreachableError(f"{package}: {type(error).__name__}") from error
        found = []
        for version, files in _by_version(page.packages, Version(since)):
            chosen = _chosen(files)
            digest = chosen.digests.get("sha256") if chosen else None
            if chosen and digest and chosen.upload_time:
                self._files[package, chosen.filename] = chosen
                found.append(Published(version, chosen.upload_time.date().isoformat(), chosen.filename, digest))
        return found

    def download(self, package: str, release: Published, folder: Path) -> Path:
        """The archive below `folder`, its checksum compared.

        Raises:
            IndexUnreachableError: it did not come, or is another file.
        """
        path = folder / release.file
        known = self._files.get((package, release.file))
        try:
            if known is None:
                raise IndexUnreachableError(f"{release.file}: not on the index any more")
            self._client.download_package(known, path)
        except (RequestException, ValueError) as error:  # pypi-simple's DigestMismatchError is a ValueError
            raise IndexUnreachableError(f"{release.file}: {error}") from error
        return path

    def metadata(self, package: str, version: str) -> list[str] | None:
        """The head of a release's metadata, line by line; None if the index does not give it apart from the archive."""
        try:
            files = self._client.get_project_page(package).packages
            wheel = next((one for one in files if one.version == version and one.package_type == "wheel"), None)
            text = self._client.get_package_metadata(wheel, verify=False) if wheel else ""
        except (RequestException, NoMetadataError):
            return None
        return text.partition("\n\n")[0].splitlines() if text else None


def _by_version(files: Iterable[DistributionPackage], since: Version) -> Iterator[tuple[str, list[DistributionPackage]]]:
    found: dict[Version, list[DistributionPackage]] = {}
    for file in files:
        try:
            version = Version(file.version or "")
        except InvalidVersion:
            continue
        if version >= since and not version.is_prerelease and not version.local and not file.is_yanked:
            found.setdefault(version, []).append(file)
    for version in sorted(found):
        yield str(version), found[version]


def _chosen(files: Iterable[DistributionPackage]) -> DistributionPackage | None:
    """The source archive; without one a wheel for Linux."""
    files = list(files)
    sources = [file for file in files if file.package_type == "sdist" and file.filename.endswith(".tar.gz")]
    wheels = [file for file in files if file.package_type == "wheel"]
    plain = [file for file in wheels if file.filename.endswith("-none-any.whl")]
    linux = [file for file in wheels if "manylinux" in file.filename and "x86_64" in file.filename]
    ours = [file for file in linux if "-cp311-" in file.filename or "-abi3-" in file.filename]
    return next(iter([*sources, *plain, *ours, *linux]), None)
