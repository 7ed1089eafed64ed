"""One line that repairs: a version that the trouble is over with, and that breaks no other pin."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from fieldguide.runtime.doctor.facts import Facts, Stack

# What pip installs under another name than ours.
_PIP = {
    "cudnn": "nvidia-cudnn-cu12",
    "nccl": "nvidia-nccl-cu12",
    "flashinfer": "flashinfer-python",
    "transferqueue": "TransferQueue",
}
_NEEDS_BUILD = {"flash-attn": " --no-build-isolation"}


@dataclass(frozen=True)
class Repair:
    """A line of a shell.

    Attributes:
        sound: it breaks no pin that is known; else it is the way out of the pair alone.
    """

    line: str
    package: str
    version: str
    sound: bool


def repair(
    facts: Facts, packages: Mapping[str, Version], wanted: Mapping[str, SpecifierSet],
    requires: Iterable[tuple[str, SpecifierSet]], stack: Stack | None,
) -> Repair:  # fmt: skip
    """The line for the versions that are wanted of one package.

    Args:
        packages: what is there.
        requires: what pip holds the framework to.
        stack: the tested set, whose version is taken where it does.
    """
    package, spec = next(iter(wanted.items()))
    own = [limit for name, limit in requires if name == package]
    if not facts.known.get(package) and not [one for one in spec if one.operator == "=="]:
        limits = spec
        for one in own:
            limits &= one
        return Repair(f'pip install "{pip_name(package)}{limits}"', package, str(limits), True)
    held = [
        one
        for one in candidates(facts, package, spec, stack, packages.get(package))
        if all(limit.contains(one, prereleases=True) for limit in own)
    ]
    sound = next((one for one in held if not _breaks(facts, {**packages, package: one}, package, packages)), None)
    pip = pip_name(package)
    build = _NEEDS_BUILD.get(package, "")
    if sound:
        return Repair(f'pip install "{pip}=={sound}"{build}', package, str(sound), True)
    return Repair(f'pip install "{pip}{spec}"{build}', package, str(spec), False)


def pip_name(package: str) -> str:
    """What pip calls a package."""
    return _PIP.get(package, package)


def candidates(
    facts: Facts, package: str, spec: SpecifierSet, stack: Stack | None, there: Version | None = None
) -> list[Version]:
    """Versions that the specifier allows: that of the tested set first, then those that are the smallest change."""
    cell = stack.by_package.get(package) if stack else None
    pinned = (
        [Version(one.version) for one in cell.fits or () if one.operator == "==" and "*" not in one.version] if cell else []
    )
    exact = [Version(one.version) for one in spec if one.operator == "==" and "*" not in one.version]
    known = sorted(facts.known.get(package, ()))
    at = next((place for place, one in enumerate(known) if there is None or one >= there), len(known))
    known = [one for _, one in sorted(enumerate(known), key=lambda row: (abs(row[0] - at), -row[0]))] if there else known[::-1]
    return [one for one in dict.fromkeys([*pinned, *exact, *known]) if spec.contains(one, prereleases=True)]


def _breaks(facts: Facts, after: Mapping[str, Version], package: str, before: Mapping[str, Version]) -> bool:
    """Whether the version makes a trouble that was not there: a pair, or what a library needs of another."""
    for pair in facts.pairs:
        touched = package in pair.packages and not pair.absent
        if touched and _applies(pair.packages, after) and not _applies(pair.packages, before):
            return True
    return any(
        not spec.contains(after[name], prereleases=True)
        for of, version in after.items()
        for name, spec in facts.needs_of(of, version).items()
        if name in after and package in (of, name) and _was_met(facts, before, of, name)
    )


def _applies(packages: Mapping[str, SpecifierSet], there: Mapping[str, Version]) -> bool:
    return all(name in there and spec.contains(there[name], prereleases=True) for name, spec in packages.items())


def _was_met(facts: Facts, before: Mapping[str, Version], of: str, name: str) -> bool:
    """What is broken already is no reason against a repair."""
    needs: Sequence[tuple[str, SpecifierSet]] = list(facts.needs_of(of, before[of]).items()) if of in before else []
    return all(spec.contains(before[name], prereleases=True) for wanted, spec in needs if wanted == name and name in before)
