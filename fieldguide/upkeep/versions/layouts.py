"""Where each framework says which versions it is built with."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from re import Pattern


@dataclass(frozen=True)
class Places:
    """The files of one framework; `*` in a pattern goes over slashes.

    Attributes:
        requires: setup.py, pyproject.toml, requirements files.
        images, scripts: Dockerfiles; shell scripts that install.
        without: files that look alike and are not meant: examples, images of one customer, the base that others are put on.
        image: what the name of an image of this framework looks like in its CI.
        built_from: what the name begins with → what it is built from, where neither tells the other: `path:` or `path:extra`.
        line: finds in a path the release that a file was kept for.
        newest_in: folders in which of files that differ in a number only the newest counts.
    """

    requires: tuple[str, ...] = ("setup.py", "pyproject.toml", "requirements*.txt")
    images: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    image: Pattern[str] = re.compile(r"(?!)")
    built_from: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    line: Pattern[str] = re.compile(r"(?!)")
    newest_in: tuple[str, ...] = ()

    def kind(self, path: str) -> str | None:
        """`requires`, `image`, `script`, or None for another file."""
        if any(fnmatchcase(path, pattern) for pattern in self.without):
            return None
        for kind, patterns in (("requires", self.requires), ("image", self.images), ("script", self.scripts)):
            if any(fnmatchcase(path, pattern) and pattern.count("/") <= path.count("/") for pattern in patterns):
                if kind == "requires" and path.count("/") and "/" not in "".join(p for p in patterns if fnmatchcase(path, p)):
                    continue
                return kind
        return None


_CHATLEARN = Places(images=("docker/*Dockerfile*",), without=("docs/*",))

PLACES: Mapping[str, Places] = {
    "chatlearn": _CHATLEARN,
    "chatlearn-legacy": _CHATLEARN,
    "openrlhf": Places(images=("dockerfile/Dockerfile*",)),
    "roll": Places(
        requires=("setup.py", "requirements*.txt", "mcore_adapter/requirements.txt"),
        images=("docker/Dockerfile*",),
        without=("requirements_em_local_debug.txt", "requirements_vision.txt"),
        image=re.compile(r"vllm-ascend:"),
    ),
    "slime": Places(
        images=("docker/Dockerfile*",),
        scripts=("build_conda.sh",),
        without=("docker/Dockerfile_2025*",),
        image=re.compile(r"slimerl/slime:"),
        built_from={"slimerl/slime:": ("docker/Dockerfile:",)},
    ),
    "verl": Places(
        images=("docker/*Dockerfile*",),
        scripts=("scripts/install_*.sh",),
        without=(
            "docker/aws/*",
            "*awsefa",
            "*sagemaker",
            "*isaaclab*",
            "*Dockerfile.base*",
            "*-docs.txt",
            "requirements-test.txt",
        ),
        image=re.compile(r"verl(?:_npu|-sglang)?:"),
        line=re.compile(r"(?:/verl|_v|verl-)(\d+\.\d+(?:\.\d+)?)"),
        built_from={"verlai/verl:uv.cu130": ("docker/Dockerfile.uv.cu130:", "pyproject.toml:vllm", "pyproject.toml:sglang")},
        newest_in=("docker/ascend/", "docker/rocm/"),
    ),
}
