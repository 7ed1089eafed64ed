"""What a release was built with, read from a made-up upstream; and that the catalog's facts hang together."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from fieldguide.content.catalog.load import load_catalog
from fieldguide.content.catalog.models import Pair
from fieldguide.runtime.doctor.vocabulary import Package, Vocabulary, as_cell
from fieldguide.upkeep.extract.git import Clone
from fieldguide.upkeep.versions.declared import declared
from fieldguide.upkeep.versions.extract import Stack, stacks
from fieldguide.upkeep.versions.layouts import Places
from fieldguide.upkeep.versions.needs import renew_needs
from fieldguide.upkeep.versions.renew import vocabulary_of
from fieldguide.upkeep.versions.write import as_yaml
from tests.clones import git
from tests.conftest import ROOT

SMALL = Vocabulary(
    (
        Package("python", "Python", tokens=("py",)),
        Package("cuda", "CUDA", tokens=("cu",)),
        Package("vllm", "vLLM", tokens=("vllm",)),
        Package("torch", "PyTorch", tokens=("torch",)),
        Package("megatron-core", "Megatron-core", repositories=("Megatron-LM",), tokens=("mcore",)),
    )
)
SETUP = """
from setuptools import setup
install_requires = ["torch>=2.6", "requests"]
VLLM = ["vllm>=0.8,<=0.12.0"]
setup(
    name="alpha",
    python_requires=">=3.10",
    install_requires=install_requires,
    extras_require={"vllm": VLLM, "dev": ["pytest"]},
)
"""
IMAGE = """
# Target: alpha/alpha:vllm011
ARG VLLM=0.11.0
FROM nvidia/cuda:12.8.1-devel
RUN pip install vllm==${VLLM} \\
    torch==2.8.0
"""
CI = """
jobs:
  test:
    container:
      image: alpha/alpha:vllm011
"""
PLACES = Places(images=("docker/*Dockerfile*",), image=re.compile("alpha/alpha:"), line=re.compile(r"/alpha(\d+\.\d+)"))


@pytest.fixture
def upstream(tmp_path: Path) -> Clone:
    files = {
        "setup.py": SETUP,
        "docker/Dockerfile": IMAGE,
        "docker/alpha0.1/Dockerfile": IMAGE.replace("0.11.0", "0.8.5").replace("vllm011", "old"),
        ".github/workflows/test.yml": CI,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "all", day="2026-01-01")
    return Clone(tmp_path)


def found(upstream: Clone, tag: str = "v0.2.0") -> dict[tuple[str, str], Stack]:
    return {(one.path, one.extra): one for one in stacks(upstream.tree("HEAD"), tag, PLACES, SMALL)}


def test_requirements_come_with_their_extra_and_line(upstream: Clone) -> None:
    assert [(one.package, one.spec, one.line) for one in found(upstream)["setup.py", ""].cells] == [
        ("python", ">=3.10", 7),
        ("torch", ">=2.6", 3),
    ]
    assert [(one.package, one.spec) for one in found(upstream)["setup.py", "vllm"].cells] == [("vllm", "<=0.12.0,>=0.8")]


def test_an_image_that_ci_runs_says_where(upstream: Clone) -> None:
    image = found(upstream)["docker/Dockerfile", ""]
    assert [(one.package, one.spec, one.line) for one in image.cells] == [
        ("vllm", "==0.11.0", 3),  # where the version stands
        ("cuda", "==12.8.1", 4),
        ("torch", "==2.8.0", 6),
    ]
    assert image.tested == (".github/workflows/test.yml", 5) and image.uses == 1


def test_a_file_kept_for_an_older_release_is_that_releases(upstream: Clone) -> None:
    assert ("docker/alpha0.1/Dockerfile", "") not in found(upstream)
    assert ("docker/alpha0.1/Dockerfile", "") in found(upstream, "v0.1.3")


def test_pyproject_and_requirements_are_read_alike() -> None:
    project = '[project]\nrequires-python = ">=3.10"\ndependencies = [\n  "torch==2.9.1",\n]\n'
    project += '[project.optional-dependencies]\nvllm = ["vllm==0.24.0"]\n'
    rows = declared("pyproject.toml", project, SMALL)
    assert [(extra, one.package, one.line) for extra, cells in rows.items() for one in cells] == [
        ("", "python", 2),
        ("", "torch", 4),
        ("vllm", "vllm", 7),
    ]
    assert [one.spec for one in declared("requirements.txt", "torch==2.9.1 # pinned\n-r more.txt\n", SMALL)[""]] == ["==2.9.1"]


@pytest.mark.parametrize("text", ["def (:\n", "[project", "[project]\ndependencies = 3\n"])
def test_a_file_that_cannot_be_parsed_declares_nothing(text: str) -> None:
    for name in ("setup.py", "pyproject.toml"):
        assert not declared(name, text, SMALL)


@pytest.mark.parametrize("text", ["vllm==0.11.0", "1 vllm 0.11.0", "1 VLLM==1", ""])
def test_a_cell_has_a_line_a_package_and_versions(text: str) -> None:
    with pytest.raises(ValueError, match="not `<line> <package><versions>`"):
        as_cell(text)


def test_what_is_written_is_what_is_read() -> None:
    catalog, problems = load_catalog(ROOT)
    assert not problems
    for framework, releases in catalog.built.items():
        assert as_yaml(releases) == (ROOT / "catalog" / "versions" / f"{framework}.yml").read_text(encoding="utf-8")


def test_every_framework_and_every_release_has_its_versions() -> None:
    catalog, _ = load_catalog(ROOT)
    for id_, framework in catalog.framework.items():
        assert {one.tag for one in framework.releases} <= {one.tag for one in catalog.built[id_]}


def test_packages_of_cells_and_needs_are_known() -> None:
    catalog, _ = load_catalog(ROOT)
    known = set(vocabulary_of(catalog).name)
    cells = {
        as_cell(cell).package
        for built in catalog.built.values()
        for one in built
        for stack in one.stacks
        for cell in stack.cells
    }
    assert cells <= known and {one.record.of for one in catalog.needs} <= known


def test_what_new_releases_of_a_library_need_is_added(tmp_path: Path) -> None:
    catalog, _ = load_catalog(ROOT)
    catalog = replace(catalog, needs=[one for one in catalog.needs if one.record.version < "0.28"])
    (tmp_path / "catalog").mkdir()
    newest = catalog.repository["vllm"].releases[-1].tag

    def metadata(package: str, version: str) -> list[str] | None:
        return ["Requires-Python: >=3.10", "Requires-Dist: torch==2.15.0"] if (package, version) == ("vllm", newest) else None

    missing = renew_needs(tmp_path, catalog, vocabulary_of(catalog), metadata)
    lines = (tmp_path / "catalog" / "needs.yml").read_text(encoding="utf-8").splitlines()
    assert lines[-1] == f'  - {{of: vllm, version: "{newest}", needs: ["python>=3.10", "torch==2.15.0"]}}'
    assert len(lines) == len(catalog.needs) + 2
    assert any(line.startswith("vllm 0.28") for line in missing)


def test_there_are_sixty_pairs_with_words_and_a_source_each() -> None:
    catalog, _ = load_catalog(ROOT)
    assert len(catalog.pairs) >= 60
    for item in catalog.pairs:
        assert item.record.sources and re.search(r"[\u4e00-\u9fff]", item.record.words("zh").what)


PAIR = {
    "id": "one", "packages": {"vllm": "<0.9", "torch": ">=2.8"}, "harm": "start", "repair": {"vllm": ">=0.9"},
    "en": {"what": "It fails."}, "zh": {"what": "会失败。"}, "sources": [{"at": "owner/name#1"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"packages": {"vllm": "<0.9"}}, "a pair names two packages"),
        ({"packages": {"vllm": "0.9", "torch": ""}}, "not versions as pip writes them"),
        ({"repair": {}}, "give `repair`"),
        ({"en": {"what": "It fails.", "when": "with LoRA"}}, "in every language or in none"),
        ({"sources": []}, "at least 1 item"),
        ({"sources": [{"at": "somewhere"}]}, "should match pattern"),
        ({"harm": "bad"}, "Input should be"),
    ],
)
def test_a_pair_that_says_too_little_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Pair.model_validate(PAIR | change)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"packages": {"vllm": "<0.9", "left-pad": ""}}, "no package or framework 'left-pad'"),
        ({"entry": "any-nothing"}, "no entry 'any-nothing'"),
    ],
)
def test_a_pair_names_what_exists(tmp_path: Path, change: dict[str, object], said: str) -> None:
    for one in (ROOT / "catalog").iterdir():
        (tmp_path / "catalog").mkdir(exist_ok=True)
        if one.name != "pairs.yml":
            (tmp_path / "catalog" / one.name).symlink_to(one)
    (tmp_path / "catalog" / "pairs.yml").write_text(json.dumps({"pairs": [PAIR | change]}), encoding="utf-8")
    _, problems = load_catalog(tmp_path)
    assert [one.message for one in problems] == [f"pair one: {said}"]
