"""What new releases of libraries need of each other: `catalog/needs.yml`, from their metadata on the package index."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import Version

from fieldguide.content.catalog.models import Need
from fieldguide.content.catalog.store import Catalog
from fieldguide.runtime.doctor.vocabulary import Vocabulary
from fieldguide.runtime.version import version_of
from fieldguide.upkeep.extract.write import head_of, replace_file

# SGLang's metadata had what it runs with in extras up to 0.5.2.
_EXTRAS = ("", "srt", "runtime-common")
_MACHINE = {"sys_platform": "linux", "platform_machine": "x86_64", "platform_system": "Linux", "python_version": "3.12"}

# Package and version → lines of its metadata, None where the index does not tell.
Metadata = Callable[[str, str], Sequence[str] | None]


def renew_needs(root: Path, catalog: Catalog, vocabulary: Vocabulary, metadata: Metadata) -> list[str]:
    """Add the releases that came after the newest one recorded.

    Returns:
        what could not be had.
    """
    recorded = [item.record for item in catalog.needs]
    missing, added = [], []
    for of, version in _newer(catalog, recorded):
        lines = metadata(of, version)
        if lines is None:
            missing.append(f"{of} {version}: the package index does not tell what it needs")
        elif needs := needed(lines, vocabulary):
            added.append(Need(of=of, version=version, needs=needs))
    file = root / "catalog" / "needs.yml"
    replace_file(file, head_of(file) + "needs:\n" + "".join(f"{_row(one)}\n" for one in _ordered([*recorded, *added])))
    return missing


def _newer(catalog: Catalog, recorded: Iterable[Need]) -> Iterator[tuple[str, str]]:
    """Releases in `catalog/releases/` of the libraries that are recorded."""
    newest: dict[str, Version] = {}
    for one in recorded:
        newest[one.of] = max(newest.get(one.of, version_of(one.version)), version_of(one.version))
    for of, last in newest.items():
        if of in catalog.repository:
            tags = [one.tag.removeprefix("core_").removeprefix("v") for one in catalog.repository[of].releases]
            yield from ((of, tag) for tag in tags if version_of(tag) > last)


def needed(lines: Sequence[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """What counts of the lines `Requires-Dist:` and `Requires-Python:`.

    >>> from fieldguide.runtime.doctor.vocabulary import Package
    >>> needed(["Requires-Dist: torch==2.6.0", "Requires-Dist: requests>=2"], Vocabulary((Package("torch", "PyTorch"),)))
    ('torch==2.6.0',)
    """
    found: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        if name == "Requires-Python":
            found["python"] = value.strip()
        elif name == "Requires-Dist" and (one := _requirement(value)) and (package := vocabulary.id_of(one.name)):
            found.setdefault(package, str(one.specifier))
    return tuple(f"{package}{spec}" for package, spec in sorted(found.items()) if spec)


def _requirement(text: str) -> Requirement | None:
    try:
        one = Requirement(re.sub(r"\(([^)]*)\)", r"\1", text.strip()))
    except InvalidRequirement:
        return None
    return one if not one.marker or any(one.marker.evaluate(_MACHINE | {"extra": extra}) for extra in _EXTRAS) else None


def _ordered(needs: Iterable[Need]) -> list[Need]:
    return sorted(needs, key=lambda one: (one.of, version_of(one.version)))


def _row(one: Need) -> str:
    return f'  - {{of: {one.of}, version: "{one.version}", needs: [' + ", ".join(f'"{need}"' for need in one.needs) + "]}"
