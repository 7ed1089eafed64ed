"""What is installed where this runs, as metadata, files and `nvidia-smi` say. Nothing is imported that starts a GPU."""

import platform
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from pathlib import Path

from fieldguide.runtime.doctor.environment import Environment, Installed, merged, names_of, with_cuda
from fieldguide.runtime.doctor.facts import Facts
from fieldguide.runtime.doctor.vocabulary import normal

# A driver that hangs must not hang this.
SECONDS = 3
_CUDNN = re.compile(r"#define CUDNN_(MAJOR|MINOR|PATCHLEVEL)\s+(\d+)")
_CANN = ("/usr/local/Ascend/ascend-toolkit/latest/version.cfg", "/usr/local/Ascend/ascend-toolkit/latest/compiler/version.info")


def read_here(
    facts: Facts, path: list[str] | None = None, root: Path = Path("/"), ask: Callable[[list[str]], str] | None = None
) -> Environment:
    """The environment of the Python that runs.

    Args:
        path: where packages are looked for, as in `sys.path`.
        root: of the file system.
        ask: runs a command and returns what it prints; empty if it cannot.
    """
    found = list(_packages(facts, metadata.distributions(path=path) if path else metadata.distributions()))
    found.append(Installed("python", platform.python_version()))
    packages = with_cuda(merged(found))
    for one in (*_cann(root), *_system(root, ask or _ask)):
        packages.setdefault(one.package, one)
    return Environment(packages, True)


def _packages(facts: Facts, distributions: Iterable[metadata.Distribution]) -> Iterator[Installed]:
    """The first of two copies is the one that Python imports."""
    names = names_of(facts)
    for one in distributions:
        try:
            name, version = one.metadata["Name"], one.version
        except (KeyError, OSError, ValueError):  # a distribution that breaks off half-way
            continue
        package = (names.get(normal(name)) or facts.vocabulary.id_of(name)) if name else None
        if package and version:
            yield Installed(package, version)


def _system(root: Path, ask: Callable[[list[str]], str]) -> Iterator[Installed]:
    said = ask(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"])
    if match := re.match(r"\d+\.\d+(?:\.\d+)?", said.strip()):
        yield Installed("driver", match[0])
    version = root / "usr/local/cuda/version.json"
    if match := re.search(r'"cuda"\s*:\s*\{[^}]*"version"\s*:\s*"(\d+\.\d+\.\d+)"', _text(version)):
        yield Installed("cuda", match[1])
    for header in ("usr/include/cudnn_version.h", "usr/include/x86_64-linux-gnu/cudnn_version.h"):
        parts = dict(_CUDNN.findall(_text(root / header)))
        if len(parts) == 3:
            yield Installed("cudnn", ".".join(parts[name] for name in ("MAJOR", "MINOR", "PATCHLEVEL")))


def _cann(root: Path) -> Iterator[Installed]:
    for file in _CANN:
        if match := re.search(r"(?i)version\s*=\s*\[?(?:[^:\]\n]*:)?(\d+\.\d+[\w.]*)", _text(root / file.lstrip("/"))):
            yield Installed("cann", match[1])
            return


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _ask(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
