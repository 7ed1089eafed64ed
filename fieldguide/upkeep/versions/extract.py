"""The sets of versions that one release of a framework names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from packaging.version import Version

from fieldguide.runtime.doctor.commands import read_commands
from fieldguide.runtime.doctor.vocabulary import Found, Vocabulary
from fieldguide.runtime.version import version_of
from fieldguide.upkeep.extract.git import Tree
from fieldguide.upkeep.versions.ci import Image, ci_images
from fieldguide.upkeep.versions.declared import declared
from fieldguide.upkeep.versions.layouts import Places

_ROCM, _ASCEND = re.compile(r"(?i)rocm|amd"), re.compile(r"(?i)npu|ascend|cann|910b|[._-]a[23]\b")
_NUMBER = re.compile(r"\d+(?:\.\d+)*(?:\.?rc\d+)?")


@dataclass(frozen=True)
class Stack:
    """Versions that one file puts together.

    Attributes:
        kind: requires, image, script or ci.
        platform: cuda, rocm or ascend.
        extra: of setup.py, or empty.
        image: name of the image in CI, where one is named.
        tested: path and line where CI names it.
        uses: how many places of CI do.
    """

    path: str
    kind: str
    platform: str
    cells: tuple[Found, ...]
    extra: str = ""
    image: str = ""
    tested: tuple[str, int] | None = None
    uses: int = 0


def stacks(tree: Tree, tag: str, places: Places, vocabulary: Vocabulary) -> list[Stack]:
    """Everything that the files of a release say, requirements first, then images, scripts and what only CI names."""
    paths = [(path, kind) for path in sorted(tree.files) if (kind := places.kind(path))]
    found = [one for path, kind in paths for one in _of_file(tree, path, kind, vocabulary)]
    workflows = sorted(path for path in tree.files if re.fullmatch(r"\.github/workflows/[\w-]+\.ya?ml", path))
    images = ci_images(((path, tree.text(path)) for path in workflows), places, vocabulary)
    tested, rest = _tested(tree, found, images, places)
    kept = [one for one in tested if one.tested or _of_this_line(one.path, tag, places)]
    kept = list(_newest(kept, places))
    return [*kept, *(_of_ci(one) for one in rest if len(one.cells) > 1)]


def _of_file(tree: Tree, path: str, kind: str, vocabulary: Vocabulary) -> Iterator[Stack]:
    text = tree.text(path)
    if kind == "requires":
        for extra, cells in declared(path, text, vocabulary).items():
            yield Stack(path, kind, _platform(f"{path} {extra}"), tuple(cells), extra)
    elif cells := read_commands(text, vocabulary):
        yield Stack(path, kind, _platform(path), tuple(cells))


def _platform(name: str) -> str:
    return "rocm" if _ROCM.search(name) else "ascend" if _ASCEND.search(name) else "cuda"


def _of_ci(image: Image) -> Stack:
    return Stack(image.path, "ci", _platform(image.name), image.cells, "", image.name, (image.path, image.line), image.uses)


def _tested(tree: Tree, found: Sequence[Stack], images: Sequence[Image], places: Places) -> tuple[list[Stack], list[Image]]:
    """The stacks, those that an image of CI is built from marked so; and the images whose file is not there."""
    marked = {(one.path, one.extra): one for one in found}
    rest = []
    for image in images:
        alike = {key: _alike(image, one, tree.text(one.path), places) for key, one in marked.items()}
        most = max(alike.values(), default=0)
        if not most:
            rest.append(image)
        for key in [key for key, count in alike.items() if count == most and most][: _ALL if most == _NAMED else 1]:
            one = marked[key]
            first = one if one.tested else replace(one, image=image.name, tested=(image.path, image.line))
            marked[key] = replace(first, uses=one.uses + image.uses)
    return list(marked.values()), rest


# A file that says itself which image it is for.
_NAMED = 1000
_ALL = None
_ENGINES = frozenset({"vllm", "sglang", "vllm-ascend", "cann"})


def _alike(image: Image, stack: Stack, text: str, places: Places) -> int:
    """How much speaks for it that the image is built from this file; 0 if anything speaks against it."""
    tag = image.name.rpartition(":")[2]
    for start, names in places.built_from.items():
        if image.name.startswith(start):
            return _NAMED if f"{stack.path}:{stack.extra}" in names else 0
    if stack.kind != "image" or _platform(image.name) != stack.platform:
        return 0
    own = "\n".join(line for line in text.splitlines() if not line.startswith("FROM"))
    if re.search(rf":{re.escape(tag)}(?![\w.-])", own):
        return _NAMED
    told = {one.package: one for one in stack.cells}
    shared = [(cell, told[cell.package]) for cell in image.cells if cell.package in told]
    line, other = places.line.search(f"/{tag}"), places.line.search(stack.path)
    telling = [cell for cell, mine in shared if cell.package in _ENGINES and mine.fits]
    if (line and other and line[1] != other[1]) or not telling:
        return 0
    return len(shared) if all(_agree(cell, mine) for cell, mine in shared) else 0


def _agree(one: Found, other: Found) -> bool:
    """Whether the name of an image may mean what a file pins: te2.2 is v2.2.1, vllm0.8.5 is 0.8.5.post1."""
    version, pinned = (
        next((str(spec.version) for spec in found.fits or () if spec.operator == "=="), "") for found in (one, other)
    )
    return not (version and pinned) or f"{pinned}.".startswith(f"{version.removesuffix('.*')}.")


def _of_this_line(path: str, tag: str, places: Places) -> bool:
    """Files kept for an older release are not this one's."""
    match = places.line.search(path)
    if not match:
        return True
    number = re.match(r"v?(\d+(?:\.\d+)*)", tag)
    return bool(number and "." in tag and f"{number[1]}.".startswith(f"{match[1]}."))


def _newest(found: Iterable[Stack], places: Places) -> Iterator[Stack]:
    """Of files that differ in a number only, the newest, and what CI runs."""
    found = list(found)
    best: dict[str, tuple[Version, str]] = {}
    for one in found:
        if one.path.startswith(places.newest_in) and (number := _NUMBER.search(one.path.rpartition("/")[2])):
            rank = (version_of(number[0]), one.path)
            name = _NUMBER.sub("#", one.path, count=1)
            best[name] = max(best.get(name, rank), rank)
    kept = {path for _, path in best.values()}
    for one in found:
        if not one.path.startswith(places.newest_in) or one.tested or one.path in kept or not _NUMBER.search(one.path):
            yield one
