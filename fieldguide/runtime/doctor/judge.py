"""An environment against the facts: which release, what is outside its tested set, which pairs are bad, what repairs them."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from fieldguide.runtime.doctor.environment import Environment, Installed
from fieldguide.runtime.doctor.facts import HARMS, REQUIRES, Facts, Framework, Pair, Release, Stack
from fieldguide.runtime.doctor.repair import Repair, repair

# What tells one stack from another when two agree equally well.
_ENGINES = ("vllm", "sglang", "vllm-ascend")
# An image is a better measure than a range, whatever else agrees.
_KINDS = ("image", "ci", "script", "requires")
# A library that was compiled for another torch does not load; another deviation need not matter.
_COMPILED = frozenset({"torch"})


@dataclass(frozen=True)
class Trouble:
    """Something that is known to go wrong.

    Attributes:
        pair: None for a need.
        packages: what it is about, with the versions that are there.
        needs: package that needs another, and the versions of that; for a need.
        repair: the line that mends it.
    """

    pair: Pair | None
    harm: str
    conditional: bool
    packages: Mapping[str, str]
    needs: tuple[str, str, str] | None = None
    repair: Repair | None = None

    @property
    def certain(self) -> bool:
        """It goes wrong with every model and setting, and does not only cost time."""
        return not self.conditional and self.harm != HARMS[-1]


@dataclass(frozen=True)
class Outside:
    """A package that is not what upstream puts together.

    Attributes:
        tested: what the set has, and where; empty when it says nothing.
        required: what pip holds the framework to, and where, where that is broken.
    """

    package: str
    version: str
    tested: tuple[str, str] | None
    required: tuple[str, str] | None


@dataclass(frozen=True)
class Verdict:
    """The answer.

    Attributes:
        framework: None where none was found.
        installed: its version as it is written.
        release: what it was compared with; `exact` says whether that is the release itself.
        stack: the set of versions that is closest.
        fitting: without a framework: releases whose tested set agrees, the best first.
    """

    environment: Environment
    framework: Framework | None
    installed: str
    release: Release | None
    exact: bool
    stack: Stack | None
    troubles: tuple[Trouble, ...]
    outside: tuple[Outside, ...]
    unknown: tuple[str, ...]
    fitting: tuple[tuple[str, str, int], ...] = ()

    @property
    def code(self) -> int:
        """0 nothing speaks against it, 1 something known goes wrong, 3 not all could be judged, or it is not the tested set."""
        if any(one.certain for one in self.troubles):
            return 1
        return 0 if self.release and self.exact and not self.outside and not self.unknown else 3


class DoctorError(ValueError):
    """What was asked for does not exist: `kind` is framework or release, `known` what there is."""

    def __init__(self, kind: str, given: str, known: Sequence[str]) -> None:
        super().__init__(f"no {kind} {given!r}")
        self.kind, self.given, self.known = kind, given, known


def judge(facts: Facts, environment: Environment, framework: str | None = None, release: str | None = None) -> Verdict:
    """Compare.

    Args:
        framework, release: what the environment does not tell, as it is asked for.

    Raises:
        DoctorError: there is no such framework or release.
    """
    chosen = _framework(facts, environment, framework)
    there = environment.packages.get(chosen.id) if chosen else None
    built, exact = _release(chosen, there, release) if chosen else (None, False)
    packages = {name: one.number for name, one in environment.packages.items() if one.number}
    if chosen and built and built.version and release:
        packages[chosen.id] = built.version
    stack = closest(built, environment) if built else None
    troubles = [*_pairs(facts, environment, packages), *_needs(facts, environment, packages, stack)]
    requires = list(_requires(built, environment)) if built else []
    names = {one.id for one in facts.frameworks}
    mended = [
        _with_repair(one, facts, packages, requires, stack) for one in sorted(troubles, key=lambda one: _rank(one, names))
    ]
    return Verdict(
        environment, chosen, there.version if there else "", built, exact, stack, tuple(mended),
        tuple(_outside(environment, stack, requires)), tuple(_unknown(environment)),
        () if chosen else tuple(_fitting(facts, environment)),
    )  # fmt: skip


def _framework(facts: Facts, environment: Environment, wanted: str | None) -> Framework | None:
    known = {one.id: one for one in facts.frameworks}
    if wanted:
        if wanted not in known:
            raise DoctorError("framework", wanted, list(known))
        return known[wanted]
    return next((one for id_, one in known.items() if id_ in environment.packages), None)


def _release(framework: Framework, there: Installed | None, wanted: str | None) -> tuple[Release | None, bool]:
    """The release that is installed; of a version between releases the one it leads to, of a commit the newest."""
    by_tag = {one.tag: one for one in framework.releases}
    if wanted:
        found = by_tag.get(wanted) or by_tag.get(f"v{wanted}")
        if found is None:
            raise DoctorError("release", wanted, [*reversed(by_tag)][:12])
        return found, True
    number = there.number if there else None
    if number is None or not framework.releases:
        return (framework.releases[-1] if there and framework.releases else None), False
    exact = next((one for one in framework.releases if one.version == number), None)
    if exact:
        return exact, True
    later = (one for one in framework.releases if one.version is None or one.version > Version(number.base_version) or
             one.version == Version(number.base_version))  # fmt: skip
    return next(later, framework.releases[-1]), False


def closest(release: Release, environment: Environment) -> Stack | None:
    """The set of versions that the environment is likeliest meant to be: same platform and engine, then most agreement."""
    there = {name: one for name, one in environment.packages.items() if one.number}
    engines = [name for name in _ENGINES if name in there]

    def rank(stack: Stack) -> tuple[float, ...]:
        cells = stack.by_package
        judged = [(cell, there[name]) for name, cell in cells.items() if name in there and cell.fits is not None]
        agree = sum(_fits(cell.fits, one) for cell, one in judged)
        same_engine = any(name in cells for name in engines) if engines else True
        return (
            same_engine,
            stack.kind != REQUIRES,
            agree,
            -(len(judged) - agree),
            bool(stack.tested),
            stack.uses,
            -_KINDS.index(stack.kind),
        )

    platform = environment.platform
    stacks = [one for one in release.stacks if one.platform == platform and len(one.cells) > 1]
    return max(stacks, key=rank, default=None)


def recommended(release: Release, platform: str = "cuda", engine: str | None = None) -> Stack | None:
    """The set to take: what CI runs most, else an image, else a script, else what is required; the newest engine of several."""
    stacks = [one for one in release.stacks if one.platform == platform and len(one.cells) > 1]
    if engine:
        stacks = [one for one in stacks if engine in one.by_package]
    return max(
        stacks, key=lambda one: (one.uses, -_KINDS.index(one.kind), *_newness(one, engine), len(one.cells)), default=None
    )


def _newness(stack: Stack, engine: str | None) -> tuple[bool, Version]:
    """The version of the engine, where the set pins it."""
    cells = [cell for name in ((engine,) if engine else _ENGINES) if (cell := stack.by_package.get(name))]
    pinned = [Version(one.version.removesuffix(".*")) for cell in cells for one in cell.fits or () if one.operator == "=="]
    return bool(pinned), max(pinned, default=Version("0"))


def _fits(spec: SpecifierSet | None, one: Installed) -> bool:
    return spec is None or one.number is None or spec.contains(one.number, prereleases=True)


def _pairs(facts: Facts, environment: Environment, packages: Mapping[str, Version]) -> Iterator[Trouble]:
    for pair in facts.pairs:
        gone = all(name not in environment.packages for name in pair.absent)
        if applies(pair, packages) and (not pair.absent or (gone and environment.complete)):
            said = {name: str(packages[name]) for name in pair.packages}
            yield Trouble(pair, pair.harm, bool(pair.words["en"][1]), said)


def applies(pair: Pair, packages: Mapping[str, Version]) -> bool:
    """Whether every package of a pair is there in a version that is meant."""
    return all(name in packages and spec.contains(packages[name], prereleases=True) for name, spec in pair.packages.items())


def _needs(facts: Facts, environment: Environment, packages: Mapping[str, Version], stack: Stack | None) -> Iterator[Trouble]:
    """A library whose metadata asks for another version; what upstream itself puts together so is left alone."""
    for of, version in packages.items():
        for name, spec in facts.needs_of(of, version).items():
            there = packages.get(name)
            if there is None or spec.contains(there, prereleases=True) or _is_so_upstream(stack, of, version, name, there):
                continue
            harm = "start" if name in _COMPILED and of != "tensordict" else "slow"
            yield Trouble(None, harm, False, {of: str(version), name: str(there)}, (of, name, str(spec)))


def _is_so_upstream(stack: Stack | None, of: str, version: Version, name: str, there: Version) -> bool:
    cells = [stack.by_package.get(package) for package in (of, name)] if stack else [None]
    return all(
        cell is not None and cell.fits is not None and cell.fits.contains(number, prereleases=True)
        for cell, number in zip(cells, (version, there), strict=False)
    )


def _rank(trouble: Trouble, frameworks: Container[str]) -> tuple[int, ...]:
    """What always happens before what some runs meet, and of that the framework's own first; what costs time alone last."""
    group = 2 if trouble.harm == HARMS[-1] else int(trouble.conditional)
    about = any(name in frameworks for name in trouble.packages)
    return (group, group == 1 and not about, HARMS.index(trouble.harm), trouble.pair is None)


def _with_repair(
    trouble: Trouble, facts: Facts, packages: Mapping[str, Version],
    requires: Sequence[tuple[str, SpecifierSet, str]], stack: Stack | None,
) -> Trouble:  # fmt: skip
    wanted: Mapping[str, SpecifierSet] = trouble.pair.repair if trouble.pair else {}
    if trouble.needs:
        wanted = {trouble.needs[1]: SpecifierSet(trouble.needs[2])}
    found = repair(facts, packages, wanted, [(name, spec) for name, spec, _ in requires], stack) if wanted else None
    return Trouble(trouble.pair, trouble.harm, trouble.conditional, trouble.packages, trouble.needs, found)


def _requires(release: Release, environment: Environment) -> Iterator[tuple[str, SpecifierSet, str]]:
    """What pip holds the framework to: always, and of extras whose main package is there."""
    for stack in release.stacks:
        own = (
            stack.kind == REQUIRES
            and stack.platform == environment.platform
            and stack.path in ("setup.py", "pyproject.toml", "requirements.txt")
        )
        if own and (not stack.extra or stack.extra in environment.packages):
            for cell in stack.cells:
                if cell.fits is not None:
                    yield cell.package, cell.fits, stack.place(cell)


def _outside(
    environment: Environment, stack: Stack | None, requires: Iterable[tuple[str, SpecifierSet, str]]
) -> Iterator[Outside]:
    broken = {
        name: (str(spec), place)
        for name, spec, place in requires
        if not _fits(spec, environment.packages.get(name) or Installed(name, ""))
    }
    cells = stack.by_package if stack else {}
    for name, one in environment.packages.items():
        cell = cells.get(name)
        differs = cell is not None and cell.fits is not None and one.number is not None and not _fits(cell.fits, one)
        if stack and cell and differs:
            yield Outside(name, one.version, (cell.ref or cell.spec, stack.place(cell)), broken.get(name))
        elif name in broken and not (cell and cell.fits is not None):
            yield Outside(name, one.version, None, broken[name])


def _unknown(environment: Environment) -> Iterator[str]:
    for name, one in environment.packages.items():
        if one.number is None:
            yield name


def _fitting(facts: Facts, environment: Environment) -> list[tuple[str, str, int]]:
    """Framework, release and how many packages agree, the best first, for sets in which nothing that is there differs."""
    there = {name: one for name, one in environment.packages.items() if one.number}
    found = []
    for framework in facts.frameworks:
        for release in reversed(framework.releases):
            own = [one for one in release.stacks if one.kind != REQUIRES and one.platform == environment.platform]
            if count := max((_agreeing(one, there) for one in own), default=0):
                found.append((framework.id, release.tag, count))
    return sorted(found, key=lambda row: -row[2])[:8]


def _agreeing(stack: Stack, there: Mapping[str, Installed]) -> int:
    """How many packages agree; 0 if one differs, or if it is one package that is no engine."""
    cells = {name: cell for name, cell in stack.by_package.items() if name in there and cell.fits is not None}
    agree = all(_fits(cell.fits, there[name]) for name, cell in cells.items())
    return len(cells) if agree and (len(cells) > 1 or any(name in cells for name in _ENGINES)) else 0
