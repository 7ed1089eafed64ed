"""The doctor: what it reads, what it says of environments that fit and of such that a thread reports as broken."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from fieldguide.content.catalog.load import load_catalog
from fieldguide.content.versions import compile_versions
from fieldguide.runtime.doctor.commands import read_commands
from fieldguide.runtime.doctor.environment import LARGEST, Environment, Installed, names_versions, read_environment
from fieldguide.runtime.doctor.facts import Facts, Release, Stack, as_facts
from fieldguide.runtime.doctor.here import read_here
from fieldguide.runtime.doctor.judge import DoctorError, Verdict, judge
from fieldguide.runtime.doctor.requirement import requirement
from tests.conftest import ROOT

CASES = yaml.safe_load((ROOT / "tests" / "cases" / "doctor.yml").read_text(encoding="utf-8"))
# What upstream's own sets are rightly blamed for: the release's code refuses the version, or a later commit mends it.
BLAMED = {
    "openrlhf-vllm-0-10-broadcast",
    "openrlhf-vllm-0-16-cumem",
    "roll-vllm-executor",
    "verl-vllm-0-6-3",
}


@cache
def facts() -> Facts:
    catalog, _ = load_catalog(ROOT)
    return as_facts(json.loads(json.dumps(compile_versions(catalog))))


def listed(packages: str) -> str:
    """As `pip list` prints it."""
    rows = [one.strip().split() for one in packages.split(",")]
    return "Package Version\n------- -------\n" + "".join(f"{name} {version}\n" for name, version in rows)


def asked(packages: str, **options: str) -> Verdict:
    return judge(facts(), read_environment(facts(), listed(packages)), **options)


def troubles(verdict: Verdict) -> list[str]:
    return [one.pair.id if one.pair else "-".join((one.needs or ("", "", ""))[:2]) for one in verdict.troubles]


@pytest.mark.parametrize("case", CASES["texts"], ids=lambda case: case["name"])
def test_versions_are_read_however_they_are_written(case: dict[str, Any]) -> None:
    read = read_environment(facts(), case["text"])
    assert {name: one.version for name, one in read.packages.items()} == case["packages"]
    assert read.complete == case["complete"]


@pytest.mark.parametrize("case", CASES["broken"], ids=lambda case: case["thread"])
def test_what_a_thread_reports_comes_first(case: dict[str, Any]) -> None:
    verdict = asked(case["packages"])
    assert troubles(verdict)[:1] == [case["first"]]
    first = verdict.troubles[0]
    line = first.repair.line if first.repair else first.pair.words["en"][2] if first.pair else ""
    assert case.get("repair", "pip install") in line


def upstreams_own() -> Iterator[tuple[str, Release, Stack]]:
    """Every set of versions for NVIDIA that an image, a script or CI of a release puts together."""
    for framework in facts().frameworks:
        for release in framework.releases:
            for stack in release.stacks:
                if release.version and stack.kind != "requires" and stack.platform == "cuda":
                    yield framework.names[-1], release, stack


def pinned(stack: Stack) -> list[tuple[str, str]]:
    exact = {cell.package: one.version for cell in stack.cells for one in cell.fits or () if one.operator == "=="}
    return [(name, version.replace(".*", ".0")) for name, version in exact.items()]


def test_nothing_is_said_of_upstreams_own_sets_but_what_is_true() -> None:
    blamed, sets = set(), 0
    for name, release, stack in upstreams_own():
        rows = [(name, str(release.version)), ("transferqueue", "0.1.8"), *pinned(stack)]
        verdict = asked(", ".join(f"{package} {version}" for package, version in rows))
        assert verdict.release is release and verdict.exact
        certain = [one for one in verdict.troubles if not one.conditional and one.harm != "slow"]
        blamed |= {one.pair.id if one.pair else f"{name} {release.tag}: {one.needs}" for one in certain}
        sets += 1
    assert sets > 200
    assert blamed == BLAMED


def test_a_set_that_upstream_tests_fits() -> None:
    verdict = asked("verl 0.9.0, vllm 0.24.0, torch 2.11.0, flash-attn 2.8.3, transferqueue 0.1.8, transformers 5.5.3")
    assert verdict.stack and verdict.stack.path == "docker/Dockerfile.stable.vllm" and verdict.stack.tested
    assert [one.package for one in verdict.outside] == ["transformers"]  # the image has 5.3.0, setup.py asks for 5.5.3
    assert verdict.code == 3


def test_what_is_outside_names_the_line_of_the_file() -> None:
    outside = {one.package: one for one in asked("verl 0.9.0, vllm 0.25.0, torch 2.9.0, transferqueue 0.1.8").outside}
    assert outside["torch"].tested == ("==2.11.0", "docker/Dockerfile.stable.vllm:9")
    assert outside["vllm"].tested == ("==0.24.0", "docker/Dockerfile.stable.vllm:13")


def test_a_repair_breaks_no_other_pin() -> None:
    verdict = asked("verl 0.9.0, vllm 0.24.0, torch 2.11.0, transformers 5.6.0, flash-attn 2.8.3, transferqueue 0.1.8")
    repair = verdict.troubles[0].repair
    assert repair and repair.sound
    mended = asked(
        f"verl 0.9.0, vllm 0.24.0, torch 2.11.0, transformers {repair.version}, flash-attn 2.8.3, transferqueue 0.1.8"
    )
    assert not [one for one in mended.troubles if not one.conditional]


def test_a_library_is_held_to_what_it_asks_of_another() -> None:
    verdict = asked("vllm 0.8.4, torch 2.8.0")
    assert verdict.troubles[0].needs == ("vllm", "torch", "==2.6.0")
    assert troubles(asked("vllm 0.8.4, torch 2.6.0")) == []


def test_what_a_release_between_two_needs_is_what_both_need() -> None:
    assert {name: str(spec) for name, spec in facts().needs_of("vllm", Version("0.8.3")).items()} == {"torch": "==2.6.0"}
    assert str(facts().needs_of("vllm", Version("0.6.3"))["torch"]) == "==2.4.0"  # as 0.6.3.post1, the first that is known
    assert facts().needs_of("vllm", Version("0.1.0")) == {}


def test_without_a_framework_the_releases_that_would_fit_are_named() -> None:
    verdict = asked("vllm 0.11.0, torch 2.8.0")
    assert verdict.framework is None and verdict.code == 3
    assert ("roll", "v0.2.1") in [(framework, tag) for framework, tag, _ in verdict.fitting]


def test_what_is_missing_is_missing_in_a_full_list_only() -> None:
    assert "verl-transferqueue-missing" in troubles(asked("verl 0.9.0, vllm 0.24.0"))
    log = read_environment(facts(), "verl==0.9.0\nvLLM version 0.24.0\n")
    assert "verl-transferqueue-missing" not in troubles(judge(facts(), log))


def test_a_version_between_releases_is_compared_with_the_one_it_leads_to() -> None:
    verdict = asked("verl 0.8.0.dev0, vllm 0.17.0")
    assert verdict.release and verdict.release.tag == "v0.8.0" and not verdict.exact


def test_a_commit_is_not_judged_as_a_release() -> None:
    verdict = judge(facts(), read_environment(facts(), "-e git+https://github.com/THUDM/slime.git@bf14dc21f950#egg=slime\n"))
    assert verdict.framework and verdict.framework.id == "slime" and not verdict.exact and verdict.unknown == ("slime",)


def test_the_release_can_be_said() -> None:
    assert asked("vllm 0.8.4", framework="verl", release="0.9.0").troubles[0].pair is not None
    with pytest.raises(DoctorError) as error:
        asked("vllm 0.8.4", framework="verl", release="v99")
    assert error.value.kind == "release" and "v0.9.0" in error.value.known
    with pytest.raises(DoctorError):
        asked("vllm 0.8.4", framework="trl")


def test_two_versions_of_a_package_are_both_named() -> None:
    read = read_environment(facts(), "Package Version\n-- --\nvllm 0.11.0\nvllm 0.8.5\n")
    assert read.packages["vllm"].other == "0.8.5"


@pytest.mark.parametrize(
    "text",
    ["\x00" * 9, "== ==\n", "-e \n", "[{]", "[1, 2]", "vllm @ \n", "a" * 100_000, "\\\n" * 999, "FROM\n", "RUN pip install\n"],
)
def test_strange_texts_are_no_exception(text: str) -> None:
    judge(facts(), read_environment(facts(), text))


def test_empty_lines_at_the_end_of_a_log_take_no_time() -> None:
    started = time.perf_counter()
    assert not names_versions("\n" * 100_000)
    assert time.perf_counter() - started < 1


def test_five_megabytes_take_seconds() -> None:
    started = time.perf_counter()
    read = read_environment(facts(), "INFO 07-21 16:24:07 step:12 - actor/loss:0.13 - vllm version 0.11.0\n" * 75_000)
    assert read.packages["vllm"].version == "0.11.0"
    assert time.perf_counter() - started < 5
    assert read_environment(facts(), "x" * (LARGEST + 1)).cut


def test_this_python_is_read_without_an_import_of_what_starts_a_gpu(tmp_path: Path) -> None:
    for name, version in (("torch", "2.6.0+cu124"), ("vllm", "0.8.5"), ("broken", "")):
        folder = tmp_path / f"{name}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" if version else "")
    (tmp_path / "usr/include").mkdir(parents=True)
    (tmp_path / "usr/include/cudnn_version.h").write_text(
        "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 1\n#define CUDNN_PATCHLEVEL 0\n"
    )
    read = read_here(facts(), [str(tmp_path)], tmp_path, lambda _: "550.54.15\n550.54.15\n")
    found = {name: one.version for name, one in read.packages.items() if name != "python"}
    assert found == {"torch": "2.6.0+cu124", "vllm": "0.8.5", "cuda": "12.4", "driver": "550.54.15", "cudnn": "9.1.0"}
    assert read.complete and not {"torch", "vllm"} & sys.modules.keys()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("vllm==0.8.5", "==0.8.5"),
        ("torch == 2.6.0+cu124", "==2.6.0+cu124"),
        ('flash-attn>=2.8 ; sys_platform == "darwin"', None),
        ("https://example.org/flash_attn-2.7.4.post1+cu12torch2.6-cp310-cp310-linux_x86_64.whl", "==2.7.4.post1"),
        ("requests==2.0", None),
        ("--no-deps", None),
    ],
)
def test_a_requirement_is_read_as_pip_reads_it(text: str, found: str | None) -> None:
    one = requirement(text, facts().vocabulary, 1)
    assert (one.spec if one else None) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ARG V=0.11.0\nRUN pip install -U vllm==${V}\n", {"vllm": ("==0.11.0", 1)}),
        ("RUN pip install \\\n  # a comment between\n  vllm==0.8.4 && \\\n  pip uninstall -y vllm\n", {}),
        ("FROM verlai/verl:app-verl0.5-vllm0.10.0-te2.2\n", {"vllm": ("==0.10.0", 1), "transformer-engine": ("==2.2.*", 1)}),
        ("FROM verlai/verl:vllm012.latest\n", {"vllm": ("==0.12.*", 1)}),
        (
            "pip install torch==2.9.1 --index-url https://pytorch.org/whl/cu129\n",
            {"torch": ("==2.9.1", 1), "cuda": ("==12.9.*", 1)},
        ),
        ("pip install vllm==$NOT_SET\n", {}),
        ("micromamba create -n slime python=3.12 pip -c conda-forge -y\n", {"python": ("==3.12.*", 1)}),
    ],
)  # fmt: skip
def test_what_a_script_installs(text: str, found: dict[str, tuple[str, int]]) -> None:
    assert {one.package: (one.spec, one.line) for one in read_commands(text, facts().vocabulary)} == found


VERSIONS = yaml.safe_load((ROOT / "tests" / "cases" / "versions.yml").read_text(encoding="utf-8"))


def test_the_cases_of_versions_are_what_packaging_says() -> None:
    """What doctor/version.js is held to."""
    for older, newer in (pair for case in VERSIONS["order"] for pair in pairwise(case)):
        assert Version(older) < Version(newer)
    for case in VERSIONS["within"]:
        assert SpecifierSet(case["spec"]).contains(case["version"], prereleases=True) == case["within"], case


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fieldguide", "doctor", *arguments, "--lang", "en"]
    return subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ("verl 0.9.0, vllm 0.8.4, transferqueue 0.1.8", 1, 'Repair: pip install "vllm==0.24.0"'),
        ("verl 0.7.1, vllm 0.17.0, torch 2.10.0", 0, "Everything that it pins is as it pins it."),
        ("requests 2.0", 3, "No package that counts was found"),
    ],
)
def test_the_command_says_it_and_its_exit_code_too(packages: str, code: int, said: str) -> None:
    done = run("-", text=listed(packages))
    assert (done.returncode, done.stderr) == (code, "")
    assert said in done.stdout


def test_bad_input_is_named(tmp_path: Path) -> None:
    (tmp_path / "core").write_bytes(b"\x7fELF\0\0\0")
    for arguments, said in (
        ((str(tmp_path / "none"),), "No such file"),
        ((str(tmp_path / "core"),), "binary"),
        (("-", "--framework", "trl"), "no framework 'trl'"),
    ):
        done = run(*arguments)
        assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


def test_json_has_everything() -> None:
    data = json.loads(run("-", "--json", text=listed("verl 0.9.0, vllm 0.8.4")).stdout)
    assert data["framework"] == "verl" and data["release"] == "v0.9.0" and data["exact"]
    first = data["troubles"][0]
    assert first["id"] == "verl-vllm-below-0-18" and first["page"] == "topics/install/any-vllm-version-mismatch/"
    assert {"error", "repair", "sources", "harm"} <= first.keys()


def test_an_environment_tells_its_platform() -> None:
    def platform(**packages: str) -> str:
        return Environment({name: Installed(name, version) for name, version in packages.items()}).platform

    assert platform(torch="2.6.0+cu124") == "cuda"
    assert platform(torch="2.6.0+rocm6.3") == "rocm"
    assert platform(**{"torch": "2.7.1", "torch-npu": "2.7.1"}) == "ascend"
