"""Names of packages: one package is written in many ways, and an image tells versions in its name."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet

_VERSION = r"v?(\d+(?:\.\d+)*(?:\.?(?:post|rc|dev)\d+)?)"
_CELL = re.compile(r"(\d+) ([a-z][a-z0-9-]*)(?: @ (\S+)|((?:[<>=!~].*)?))")
# A tag of a release, as in core_v0.13.1, v2.2 or 0.1.8.
_TAG = re.compile(r"(?:core_|ray-)?v?(\d+(?:\.\d+)+(?:\.?(?:post|rc)\d+)?)")
# What was added for one build, as in 2.9.0+cpu.
_LOCAL = re.compile(r"\+[\w.]+")
_SEPARATORS = re.compile(r"[-_.]+")
# Images of others whose tag is the version of what is in them.
_IMAGES = (
    (re.compile(r"(?:^|/)nvidia/cuda:" + _VERSION), "cuda"),
    (re.compile(r"(?:^|/)nvidia/pytorch:" + _VERSION), "ngc"),
    (re.compile(r"(?:^|/)vllm/vllm-openai:" + _VERSION), "vllm"),
    (re.compile(r"(?:^|/)(?:lmsysorg|slimerl)/sglang:" + _VERSION), "sglang"),
    (re.compile(r"(?:^|/)ascend/vllm-ascend:" + _VERSION), "vllm-ascend"),
    (re.compile(r"cann(?:-[a-z]+)?:" + _VERSION), "cann"),
)
# vllm011 and sgl0512 leave out the points.
_COMPACT = ((re.compile(r"vllm0(\d\d)(?![\d.]\d)"), "vllm", "0."), (re.compile(r"sgl05(\d{1,2})(?!\d)"), "sglang", "0.5."))


@dataclass(frozen=True)
class Found:
    """A package that a file installs or asks for.

    Attributes:
        package: id in `catalog/packages.yml`.
        spec: which versions, as pip writes it; empty for any.
        ref: tag, branch or commit, when it comes from a git repository.
        line: 1-based.
    """

    package: str
    spec: str
    ref: str = ""
    line: int = 0

    @property
    def fits(self) -> SpecifierSet | None:
        """Which versions are meant; None if nobody can tell."""
        if self.ref:
            tag = _TAG.fullmatch(self.ref)
            return SpecifierSet(f"=={tag[1]}") if tag else None
        try:
            return SpecifierSet(_LOCAL.sub("", self.spec)) if self.spec else None
        except InvalidSpecifier:
            return None


def as_cell(text: str) -> Found:
    """The package, versions and line of a cell of `catalog/versions/`.

    >>> as_cell("13 vllm==0.24.0"), as_cell("20 megatron-core @ core_v0.18.0").ref
    (Found(package='vllm', spec='==0.24.0', ref='', line=13), 'core_v0.18.0')

    Raises:
        ValueError: it is none.
    """
    match = _CELL.fullmatch(text)
    if not match:
        raise ValueError("not `<line> <package><versions>`, nor `<line> <package> @ <revision>`")
    return Found(match[2], match[4] or "", match[3] or "", int(match[1]))


@dataclass(frozen=True)
class Package:
    """See `catalog/packages.yml`."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True)
class Vocabulary:
    """The packages that count."""

    packages: tuple[Package, ...]

    @cached_property
    def name(self) -> Mapping[str, str]:
        return {one.id: one.name for one in self.packages}

    @cached_property
    def _ids(self) -> Mapping[str, str]:
        return {normal(name): one.id for one in self.packages for name in (one.id, *one.aliases)}

    @cached_property
    def _repositories(self) -> Mapping[str, str]:
        return {name.lower(): one.id for one in self.packages for name in one.repositories}

    @cached_property
    def _tokens(self) -> Sequence[tuple[re.Pattern[str], str]]:
        named = sorted(((token, one.id) for one in self.packages for token in one.tokens), key=lambda row: -len(row[0]))
        return [(re.compile(rf"(?<![a-z]){token}[-_:]?{_VERSION}"), id_) for token, id_ in named]

    def id_of(self, name: str) -> str | None:
        """The package of a name on the package index.

        >>> Vocabulary((Package("flash-attn", "FlashAttention"),)).id_of("Flash_Attn")
        'flash-attn'
        """
        return self._ids.get(normal(name))

    def of_repository(self, address: str) -> str | None:
        """The package that a git repository holds."""
        return self._repositories.get(address.rstrip("/").rpartition("/")[2].removesuffix(".git").lower())

    def of_image(self, image: str, line: int = 0) -> list[Found]:
        """What the name of an image tells."""
        found: dict[str, Found] = {}
        for pattern, package in _IMAGES:
            if match := pattern.search(image):
                found[package] = Found(package, spec_of(package, match[1]), line=line)
        name = image.lower()
        for pattern, package, start in _COMPACT:
            if match := pattern.search(name):
                found.setdefault(package, Found(package, f"=={start}{int(match[1])}.*", line=line))
        rest = name.rpartition("/")[2].partition(":")[2] or name
        for pattern, package in self._tokens:
            if match := pattern.search(rest):
                found.setdefault(package, Found(package, spec_of(package, match[1]), line=line))
                rest = rest.replace(match[0], "", 1)
        return [one for one in found.values() if one.spec]


def as_vocabulary(rows: Iterable[Sequence[Any]]) -> Vocabulary:
    """The packages of the compiled guide."""
    return Vocabulary(tuple(Package(row[0], row[1], *(tuple(names) for names in row[2:])) for row in rows))


def normal(name: str) -> str:
    """As the package index compares names."""
    return _SEPARATORS.sub("-", name).lower().strip("-")


def spec_of(package: str, version: str) -> str:
    """The version in the name of an image as a specifier; empty where it tells none.

    >>> spec_of("cuda", "124"), spec_of("torch", "2.6.0"), spec_of("ray", "2.10"), spec_of("vllm", "012")
    ('==12.4.*', '==2.6.0', '==2.10.*', '')
    """
    if package == "cuda" and version.isdigit() and len(version) == 3:
        return f"=={version[:2]}.{version[2]}.*"
    if version.isdigit():
        return ""
    return (
        f"=={version}.*"
        if version.count(".") == 1 and not re.search(r"[a-z]", version) and package != "ngc"
        else f"=={version}"
    )
