"""What the pages about versions show: the set to take of each release, what fits a vLLM or SGLang, pairs that are bad."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from packaging.version import Version

from fieldguide.content.addresses import commit_url, thread_url
from fieldguide.content.catalog.store import Catalog
from fieldguide.content.versions import compile_versions, shown_range
from fieldguide.runtime.doctor.answer import install_line
from fieldguide.runtime.doctor.facts import REQUIRES, Facts, Framework, Release, Stack, as_facts
from fieldguide.runtime.doctor.judge import recommended
from fieldguide.runtime.doctor.repair import pip_name
from fieldguide.runtime.doctor.vocabulary import Found
from fieldguide.runtime.version import version_of

# Releases whose sets are written out, and those of which the table has every set.
SHOWN = 4
WHOLE = 4
# What is in every image's name or of little interest in a table.
_LEFT_OUT = frozenset({"ngc", "driver", "triton-ascend", "cann", "torch-npu", "vllm-ascend", "mindspeed"})
_ENGINES = ("vllm", "sglang")


# What the page of the doctor compares a list with: a script, which a page that is opened from a folder can load, too.
DATA = "assets/javascripts/doctor-data.js"


def write_data(catalog: Catalog, folder: Path) -> Path:
    """Write the facts for the browser."""
    text = json.dumps(compile_versions(catalog), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    file = folder / DATA
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"(self.fieldguideData = self.fieldguideData || {{}}).versions = {text};\n", encoding="utf-8")
    return file


@dataclass(frozen=True)
class Said:
    """What one file says of one package: `text` for people, `url` of the line."""

    text: str
    url: str
    place: str


@dataclass(frozen=True)
class Cell:
    """One package of one release: what the set has, and what pip holds an installation to, where that is another thing."""

    set: Said | None
    requires: Said | None

    @property
    def disagree(self) -> bool:
        return bool(self.set and self.requires)


@dataclass(frozen=True)
class Row:
    """One set of a release, and whether upstream tests it; `first` of the release, which is the one to take."""

    tag: str
    first: bool
    path: str
    url: str
    tested: Said | None
    image: str
    cells: Sequence[Cell]


@dataclass(frozen=True)
class Taken:
    """A set written out: one line for pip, and the image."""

    tag: str
    engine: str
    stack: str
    pip: str
    image: str
    build: str
    rest: Sequence[Said]
    tested: Said | None


@lru_cache(maxsize=2)
def _facts(text: str) -> Facts:
    return as_facts(json.loads(text))


def facts_of(catalog: Catalog) -> Facts:
    """The facts, as the doctor has them."""
    return _facts(json.dumps(compile_versions(catalog), sort_keys=True))


def framework_of(facts: Facts, id_: str) -> Framework | None:
    return next((one for one in facts.frameworks if one.id == id_), None)


def columns(framework: Framework, facts: Facts, platform: str = "cuda") -> list[tuple[str, str]]:
    """Id and name of the packages that the sets of a platform pin, in the order of the catalog."""
    found = {
        cell.package
        for release in framework.releases
        for cell in [one for stack in _sets(release, platform) for one in stack.cells]
        if cell.spec or cell.ref
    }
    left = _LEFT_OUT if platform == "cuda" else frozenset({"ngc", "driver"})
    return [(one.id, one.name) for one in facts.vocabulary.packages if one.id in found - left]


def rows(framework: Framework, facts: Facts, platform: str = "cuda") -> list[Row]:
    """The sets of every release, the newest release first; of older releases the one to take alone."""
    shown = [id_ for id_, _ in columns(framework, facts, platform)]
    found = []
    for number, release in enumerate(reversed(framework.releases)):
        sets = _sets(release, platform)
        for place, stack in enumerate(sets if number < WHOLE else sets[:1]):
            found.append(_row(framework, release, stack, shown, place == 0))
    return found


def _sets(release: Release, platform: str) -> list[Stack]:
    """What images, scripts and CI put together, the one to take first; of a release without any what it requires."""
    take = recommended(release, platform)
    rest = [one for one in release.stacks if one.platform == platform and one.kind != REQUIRES and one != take and _pins(one)]
    return [*([take] if take else []), *sorted(rest, key=lambda one: (-one.uses, one.path))]


def _pins(stack: Stack) -> bool:
    return sum(bool(cell.spec or cell.ref) for cell in stack.cells) > 1


def _row(framework: Framework, release: Release, stack: Stack, shown: Iterable[str], first: bool) -> Row:
    requires = _requires(release, stack) if first and stack.platform == "cuda" else {}
    return Row(
        tag=release.tag,
        first=first,
        path=f"{stack.path} [{stack.extra}]" if stack.extra else stack.image if stack.kind == "ci" else stack.path,
        url=_url(framework, release, stack.path),
        tested=_tested(framework, release, stack),
        image=stack.image,
        cells=[_cell(framework, release, stack, requires, package) for package in shown],
    )


def _cell(framework: Framework, release: Release, stack: Stack | None, requires: Mapping[str, Found], package: str) -> Cell:
    mine = stack.by_package.get(package) if stack else None
    held = requires.get(package)
    found = _said(framework, release, stack, mine) if stack and mine and (mine.spec or mine.ref) else None
    own = next((one for one in release.stacks if held in one.cells and one.kind == REQUIRES), None) if held else None
    asked = _said(framework, release, own, held) if own and held and held.spec and own != stack else None
    if found and asked and found.text == asked.text:
        asked = None
    return Cell(found, asked)


def _requires(release: Release, beside: Stack) -> dict[str, Found]:
    """What setup.py and its like hold pip to: of an extra the package of its name, and the rest where that is in the set."""
    found: dict[str, Found] = {}
    for stack in release.stacks:
        if (
            stack.kind == REQUIRES
            and stack.platform == "cuda"
            and stack.path in ("setup.py", "pyproject.toml", "requirements.txt")
        ):
            for cell in stack.cells:
                meant = not stack.extra or stack.extra in (cell.package, *beside.by_package)
                if cell.spec and meant and cell.package not in found:
                    found[cell.package] = cell
    return found


def _said(framework: Framework, release: Release, stack: Stack, cell: Found) -> Said:
    return Said(shown_version(cell), _url(framework, release, stack.path, cell.line), stack.place(cell))


def shown_version(cell: Found) -> str:
    """As people say it: an exact version without its sign, a commit short."""
    if cell.ref:
        return cell.ref[:10] if len(cell.ref) == 40 else cell.ref
    return shown_range(cell.spec)


def _url(framework: Framework, release: Release, path: str, line: int | str = 0) -> str:
    revision = release.tag.split()[0]
    anchor = f"#L{line}" if line else ""
    return f"https://github.com/{framework.repository}/blob/{revision}/{path}{anchor}"


def _tested(framework: Framework, release: Release, stack: Stack | None) -> Said | None:
    if not stack or not stack.tested:
        return None
    path, _, line = stack.tested.rpartition(":")
    return Said(path.rpartition("/")[2], _url(framework, release, path, line), stack.tested)


def taken(framework: Framework, facts: Facts) -> Iterator[Taken]:
    """The sets of the newest releases, one for each engine."""
    released = [one for one in reversed(framework.releases) if one.version and any(s.kind != REQUIRES for s in one.stacks)]
    for release in released[:SHOWN]:
        sets = {engine: stack for engine in _ENGINES if (stack := recommended(release, engine=engine))}
        if not sets and (only := recommended(release)):
            sets = {"": only}
        for engine, stack in sets.items():
            yield _taken(framework, release, stack, facts.vocabulary.name.get(engine, ""), facts)


def _taken(framework: Framework, release: Release, stack: Stack, engine: str, facts: Facts) -> Taken:
    line = install_line(stack)
    rest = [one for one in stack.cells if (one.spec or one.ref) and f'"{pip_name(one.package)}' not in line]
    said = [_said(framework, release, stack, one) for one in rest]
    named = [Said(f"{facts.name(cell.package)} {one.text}", one.url, one.place) for cell, one in zip(rest, said, strict=True)]
    image = stack.image if stack.kind in ("image", "ci") and ":" in stack.image else ""
    build = (
        f"docker build -f {stack.path} ." if stack.kind == "image" else f"bash {stack.path}" if stack.kind == "script" else ""
    )
    return Taken(release.tag, engine, stack.path, line, image, build, named, _tested(framework, release, stack))


def across(facts: Facts, engine: str) -> dict[str, Any]:
    """Which releases fit a version of an engine: framework by framework, the engine's minor versions newest first."""
    frameworks = [one for one in facts.frameworks if any(engine in s.by_package for r in one.releases for s in r.stacks)]
    lines = sorted({_minor(one) for one in facts.known.get(engine, ())}, key=version_of, reverse=True)
    table = [(line, [_fitting(one, engine, line, facts) for one in frameworks]) for line in lines]
    return {"frameworks": frameworks, "rows": [(line, cells) for line, cells in table if any(one[0] for one in cells)]}


def _minor(version: Version) -> str:
    return (
        ".".join(map(str, version.release[:2]))
        if version.release[0] or version.release[1] > 5
        else ".".join(map(str, version.release[:3]))
    )


def _fitting(framework: Framework, engine: str, line: str, facts: Facts) -> tuple[list[str], list[str]]:
    """Releases that a set is built with, and those that only say they allow it."""
    there = [one for one in facts.known[engine] if _minor(one) == line]
    built, allowed = [], []
    for release in framework.releases:
        if release.version is None:
            continue
        cells = [
            (stack.kind, stack.by_package[engine].fits)
            for stack in release.stacks
            if engine in stack.by_package and stack.platform == "cuda"
        ]
        if any(kind != REQUIRES and spec is not None and any(spec.contains(one) for one in there) for kind, spec in cells):
            built.append(release.tag)
        elif any(kind == REQUIRES and spec is not None and any(spec.contains(one) for one in there) for kind, spec in cells):
            allowed.append(release.tag)
    return spans(built, framework), spans(allowed, framework)


def spans(tags: Sequence[str], framework: Framework) -> list[str]:
    """Releases that follow each other as one: `v0.7.0 – v0.8.0`."""
    order = [one.tag for one in framework.releases if one.version]
    groups: list[list[str]] = []
    for tag in tags:
        if groups and order.index(tag) == order.index(groups[-1][-1]) + 1:
            groups[-1].append(tag)
        else:
            groups.append([tag])
    return [group[0] if len(group) == 1 else f"{group[0]} – {group[-1]}" for group in groups]


def evidence_url(at: str) -> str | None:
    """Address of a source of a pair; None for a release of the package index."""
    if at.startswith("docs."):
        return f"https://{at}"
    if "#" in at:
        repository, _, number = at.partition("#")
        return thread_url(repository, number)
    if "@" in at:
        repository, _, rest = at.partition("@")
        revision, _, place = rest.partition(":")
        path, _, line = place.rpartition(":") if place.count(":") else (place, "", "")
        if not place:
            return commit_url(repository, revision)
        return f"https://github.com/{repository}/blob/{revision}/{path}" + (f"#L{line}" if line else "")
    return None
