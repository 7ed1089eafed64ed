"""An environment from text: pip, uv and conda lists, requirements, Dockerfiles, scripts, collect_env, version lines of logs."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from packaging.version import InvalidVersion, Version

from fieldguide.runtime.doctor.commands import read_commands
from fieldguide.runtime.doctor.facts import Facts
from fieldguide.runtime.doctor.requirement import requirement
from fieldguide.runtime.doctor.vocabulary import Found, Package, Vocabulary, normal

# More is cut off: a list of packages is some kilobytes, and a log says its versions at the start.
LARGEST = 8 << 20
_LONGEST = 2000

_LISTED = re.compile(r"\s*([A-Za-z][\w.-]*)\s+(v?\d+\.[\w.!+*-]*)(?:\s+(\S.*))?\s*$")
_FROZEN = re.compile(r"\s*(?:\[[\w]+\]\s+)?([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(={2,3}|@)\s*(\S+)")
_EDITABLE = re.compile(r"\s*#\s*Editable [^(]*\(([\w.-]+)==([\w.!+-]+)\)")
_FROM_GIT = re.compile(r"\s*-e\s+git\+\S+?@([0-9a-f]{7,40})#egg=([\w.-]+)")
_COLLECTED = re.compile(r"\s*\[(?:pip3?|conda)\]\s+([A-Za-z][\w.-]*)(?:==|\s+)(v?\d[\w.!+]*)")
_FULL_LIST = re.compile(r"(?m)^\s*(?:Package\s+Version|-{4,}\s+-{4,}|# packages in environment|# Name\s+Version)")
_INSTALLS = re.compile(r"(?m)^\s*(?:FROM\s+\S+|(?:RUN\s+)?(?:.*\s)?(?:pip3?|conda|micromamba|mamba)\s+install\s)")
_RANGE = re.compile(r"\s*([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*([<>!~][^#;]*)")
# Signs of a version in a log, or of a list of packages.
_NAMED = re.compile(r"(?im)version[^\n]{0,20}\d\.\d|LLM engine \(v\d|DeepSpeed info|==\d|^[ \t]*[a-z][\w.-]*\s+v?\d+\.\d")
# Lines that say a version in words: name of a package, what it looks like.
_SAID: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("python", r"^\s*Python version:\s*(3\.\d+\.\d+)|\bPython (3\.\d+\.\d+)\b"),
        ("torch", r"^\s*PyTorch version:\s*(\d[\w.+]*)|\b(?:torch|pytorch)(?:\.__version__)?[ =:]+v?(\d+\.\d+\.\d+[\w.+]*)"),
        ("cuda", r"CUDA used to build PyTorch:\s*(\d+\.\d+)|torch\.version\.cuda[ =:]+(\d+\.\d+)"),
        ("driver", r"Nvidia driver version:\s*(\d+\.\d+[\d.]*)|Driver Version:\s*(\d+\.\d+[\d.]*)"),
        ("cudnn", r"cuDNN version:[^\d\n]*(\d+\.\d+[\d.]*)"),
        ("nccl", r"\bNCCL version[: ]+(\d+\.\d+\.\d+)"),
        ("vllm", r"\bvLLM (?:API server )?version:?[ =]+v?(\d+\.\d+[\w.+]*)|LLM engine \(v(\d+\.\d+[\w.+]*)\)"),
        ("sglang", r"\bsglang(?:\.__version__| version)?[ =:]+v?(\d+\.\d+\.\d+[\w.+]*)"),
        ("transformers", r"\btransformers(?:\.__version__| version)[ =:]+v?(\d+\.\d+[\w.+]*)"),
        ("ray", r"\bRay version:?[ =]+(\d+\.\d+[\w.]*)|\bRay: (\d+\.\d+\.\d+)"),
        ("deepspeed", r"DeepSpeed info: version=(\d+\.\d+[\w.]*)|deepspeed version[ =:]+(\d+\.\d+[\w.]*)"),
        ("megatron-core", r"\b(?:megatron[.-]core|mcore) version[ =:]+(\d+\.\d+[\w.]*)"),
        ("cann", r"\bCANN(?: version)?[ =:]+(\d+\.\d+[\w.]*)"),
    )
)


@dataclass(frozen=True)
class Installed:
    """A package of an environment.

    Attributes:
        version: as it is written, or the revision of a git address; empty when only a range is asked for.
        asked: the versions that a file asks for, where nothing says which one that is.
        line: 1-based line of the text; 0 for what is installed here.
        other: another version of the same package that is there, too.
    """

    package: str
    version: str
    asked: str = ""
    line: int = 0
    other: str = ""

    @property
    def number(self) -> Version | None:
        """The version, without what was added for one build; None for a revision."""
        try:
            return Version(Version(self.version).public)
        except InvalidVersion:
            return None


@dataclass(frozen=True)
class Environment:
    """What was read.

    Attributes:
        complete: it lists all packages, so that what is not there is missing.
        lines: how many were read.
        cut: the text was too long, and its end was left out.
    """

    packages: Mapping[str, Installed] = field(default_factory=dict)
    complete: bool = False
    lines: int = 0
    cut: bool = False

    @property
    def platform(self) -> str:
        """cuda, rocm or ascend, as far as the packages tell."""
        if self.packages.keys() & {"torch-npu", "vllm-ascend", "cann"}:
            return "ascend"
        torch = self.packages.get("torch")
        return "rocm" if torch and "rocm" in torch.version else "cuda"


def names_versions(text: str) -> bool:
    """Whether it is worth the time to read a log for versions."""
    return _NAMED.search(text) is not None


def read_environment(facts: Facts, text: str) -> Environment:
    """The packages that a text names. A text that names none gives an empty environment."""
    cut, text = len(text) > LARGEST, text[:LARGEST].replace("\ufeff", "")
    lines = text.count("\n") + 1
    names = names_of(facts)
    listed = _FULL_LIST.search(text) is not None
    installs = None if listed else _INSTALLS.search(text)
    if installs and not _mostly_pins(text):
        found = [_as_installed(one) for one in read_commands(text, _with_frameworks(facts))]
        return Environment(with_cuda(merged(found)), False, lines, cut)
    found = list(_json(text, facts.vocabulary, names)) or list(_lines(text, facts.vocabulary, names))
    frozen = sum("==" in line for line in text[:20000].splitlines()) > 20
    return Environment(with_cuda(merged(found)), listed or frozen or text.lstrip().startswith("["), lines, cut)


def _mostly_pins(text: str) -> bool:
    """`pip freeze`, even where a line of a shell stands above it."""
    rows = [line for line in text[:20000].splitlines() if line.strip()]
    return sum(bool(_FROZEN.match(line)) and not line.lstrip().startswith(("RUN", "pip")) for line in rows) > len(rows) / 2


def names_of(facts: Facts) -> Mapping[str, str]:
    """What pip calls a framework → its id."""
    return {normal(name): one.id for one in facts.frameworks for name in one.names}


def _with_frameworks(facts: Facts) -> Vocabulary:
    """The packages, and the frameworks as further ones."""
    own = tuple(Package(one.id, one.name, one.names, (one.repository.rpartition("/")[2],)) for one in facts.frameworks)
    return Vocabulary((*facts.vocabulary.packages, *own))


def _as_installed(found: Found) -> Installed:
    if found.ref:
        exact = found.fits
        version = str(exact)[2:] if exact else found.ref
        return Installed(found.package, version, line=found.line)
    exact_version = re.fullmatch(r"==([^*,]+)", found.spec)
    return Installed(found.package, exact_version[1] if exact_version else "", found.spec or "*", found.line)


def _json(text: str, vocabulary: Vocabulary, names: Mapping[str, str]) -> Iterator[Installed]:
    """`pip list --format=json`."""
    if not text.lstrip().startswith("["):
        return
    try:
        rows = json.loads(text)
    except ValueError:
        return
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("name"), str) and isinstance(row.get("version"), str):
            package = names.get(normal(row["name"])) or vocabulary.id_of(row["name"])
            if package:
                yield Installed(package, row["version"])


def _lines(text: str, vocabulary: Vocabulary, names: Mapping[str, str]) -> Iterator[Installed]:
    """Line by line; of a log of millions most name no package, and one says its versions again and again."""
    known = {*names, *(name for one in vocabulary.packages for name in (one.id, *one.aliases))}
    frameworks = tuple(names)
    stems = sorted({re.split(r"[-_.]", name)[0].lower() for name in known})
    said: set[tuple[str, str]] = set()
    for number, line in enumerate(text.splitlines(), 1):
        low = line.lower()
        if len(line) <= _LONGEST and any(stem in low for stem in stems):
            for name, version, asked in _of_line(line, vocabulary, frameworks):
                package = names.get(normal(name)) or vocabulary.id_of(name)
                if package and (package, version) not in said:
                    said.add((package, version))
                    yield Installed(package, version, asked, number)


@lru_cache
def _of_framework(names: tuple[str, ...]) -> re.Pattern[str]:
    """Words that say the version of a framework."""
    return re.compile(rf"\b({'|'.join(names)})(?:\.__version__| version)[ =:]+v?(\d+\.\d+[\w.+]*)", re.IGNORECASE)


@lru_cache(maxsize=1 << 12)
def _versions(line: str, frameworks: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """What a line says in words."""
    found = ((name, pattern.search(line)) for name, pattern in _SAID)
    said = tuple((name, next(group for group in match.groups() if group)) for name, match in found if match)
    return said + tuple((match[1], match[2]) for match in _of_framework(frameworks).finditer(line))


def _of_line(line: str, vocabulary: Vocabulary, frameworks: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Name, version and what is asked for, of one line."""
    for pattern in (_EDITABLE, _COLLECTED):
        if match := pattern.match(line):
            yield match[1], match[2], ""
            return
    if match := _FROM_GIT.match(line):
        yield match[2].partition("&")[0], match[1], ""
    elif match := _FROZEN.match(line):
        yield from _frozen(match, vocabulary)
    elif match := _LISTED.match(line):
        yield match[1], match[2], ""
    elif match := _RANGE.match(line):
        yield match[1], "", match[2].strip()
    for name, version in _versions(line, frameworks):
        yield name, version, ""


def _frozen(match: re.Match[str], vocabulary: Vocabulary) -> Iterator[tuple[str, str, str]]:
    if match[2] != "@":
        yield match[1], match[3].rstrip(",;\\"), ""
        return
    named = requirement(f"{match[1]} @ {match[3]}", vocabulary, 0) or requirement(match[3], vocabulary, 0)
    if named and named.spec:
        yield match[1], named.spec.lstrip("="), ""
    elif revision := re.search(r"@([\w./-]+)(?:#|$)", match[3].partition("://")[2]):
        yield match[1], revision[1].rpartition("@")[2], ""
    else:
        yield match[1], "", "*"


def merged(found: list[Installed]) -> dict[str, Installed]:
    """One row each: the first that says a version; another version of the same package is kept beside it."""
    merged: dict[str, Installed] = {}
    for one in found:
        first = merged.get(one.package)
        if first is None or (not first.version and one.version):
            merged[one.package] = one
        elif one.number and first.number and one.number != first.number and not first.other and one.package not in _LOOSE:
            merged[one.package] = replace(first, other=one.version)
    return merged


# What a log or a list names in several places with different precision.
_LOOSE = frozenset({"python", "cuda", "cudnn", "nccl", "driver"})


def with_cuda(packages: dict[str, Installed]) -> dict[str, Installed]:
    """CUDA as torch was built for it, when only torch tells: 2.6.0+cu124."""
    torch = packages.get("torch")
    match = re.search(r"\+cu(\d\d)(\d)", torch.version) if torch else None
    if torch and match:
        packages["cuda"] = Installed("cuda", f"{match[1]}.{match[2]}", line=torch.line)
    return packages
