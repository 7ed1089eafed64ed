"""Errors that small programs brought about with published packages: what was printed is found, and leads to its entry.

The transcripts are of our own runs; `make test-upstream` runs the programs again.
"""

import re
import socket
from pathlib import Path

import pytest

from fieldguide.content.catalog.models import Signature
from fieldguide.content.guide import Guide, load_guide
from tests.conftest import ROOT
from tests.upstream.errors.cases import HERE, TRANSCRIPTS, Case, Judge, Manifest, load_manifest, read_transcript
from tests.upstream.errors.masking import mask

MANIFEST = load_manifest()
RUNS = [(case, set_name) for case in MANIFEST.cases for set_name in case.sets]
NAMES = [f"{case.name} {set_name}" for case, set_name in RUNS]
MACHINE = re.compile(r"/(?:home|root|work|tmp|Users|mnt|opt|usr)/(?!ray\b|local\b)|\b(?:10|172|192)\.(?!0\.0\.)\d+\.\d+\.\d+")


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


@pytest.fixture(scope="module")
def judge(guide: Guide) -> Judge:
    return Judge(guide.catalog)


@pytest.mark.parametrize(("case", "set_name"), RUNS, ids=NAMES)
def test_what_was_printed_leads_to_its_entry(judge: Judge, case: Case, set_name: str) -> None:
    assert not list(judge.problems(case, read_transcript(case.transcript(set_name)).text))


@pytest.mark.parametrize("case", MANIFEST.cases, ids=[case.name for case in MANIFEST.cases])
def test_a_wording_is_printed_by_the_versions_that_the_catalog_names(judge: Judge, case: Case) -> None:
    runs = [read_transcript(case.transcript(set_name)) for set_name in case.sets]
    assert not list(judge.version_problems(case, runs))


@pytest.mark.parametrize(("case", "set_name"), RUNS, ids=NAMES)
def test_a_transcript_says_what_it_was_made_with(case: Case, set_name: str) -> None:
    run = read_transcript(case.transcript(set_name))
    assert run.head["program"] == f"tests/upstream/errors/programs/{case.program}"
    wanted = (HERE / "sets" / f"{set_name}.in").read_text(encoding="utf-8")
    for name, version in re.findall(r"^([\w-]+)(?:\[[\w,-]+\])?==(\S+)$", wanted, re.MULTILINE):
        assert run.versions[name] == version


def test_every_signature_is_reproduced_or_has_a_reason(judge: Judge, guide: Guide) -> None:
    """A new signature is decided: a program that prints it, or a reason in `cases.yml` why there is none."""
    open_, done = undecided(judge, guide, MANIFEST)
    assert not [f"{entry}: {signature.text}" for entry, signature in open_]
    assert done


def undecided(judge: Judge, guide: Guide, manifest: Manifest) -> tuple[list[tuple[str, Signature]], set[tuple[str, str]]]:
    """Signatures without program and reason; and (entry, text) of those that were printed."""
    printed = {
        (entry, signature.text)
        for case, set_name in RUNS
        for entry in case.entries
        for signature in judge.matched(entry, read_transcript(case.transcript(set_name)).text)
    }
    rest = [
        (entry, signature)
        for entry, signatures in guide.catalog.signatures_of.items()
        for signature in signatures
        if (entry, signature.text) not in printed
    ]
    covered = [[pair for pair in rest if reason.covers(pair[1])] for reason in manifest.not_reproduced]
    idle = [reason.why for reason, pairs in zip(manifest.not_reproduced, covered, strict=True) if not pairs]
    assert not idle, f"reasons for nothing: {idle}"
    return [pair for pair in rest if not any(pair in pairs for pairs in covered)], printed


def test_no_reason_covers_what_is_reproduced(judge: Judge, guide: Guide) -> None:
    """A reason for certain words names only those that no program prints."""
    _, printed = undecided(judge, guide, MANIFEST)
    named = [reason for reason in MANIFEST.not_reproduced if reason.containing]
    covered = [
        f"{entry}: {signature.text}"
        for entry, signatures in guide.catalog.signatures_of.items()
        for signature in signatures
        if (entry, signature.text) in printed and any(reason.covers(signature) for reason in named)
    ]
    assert not covered


def test_nothing_is_left_over() -> None:
    """Each program and set is used, each set is locked, each transcript belongs to a run."""
    assert {path.name for path in (HERE / "programs").iterdir()} == {case.program for case in MANIFEST.cases}
    sets = {path.stem for path in (HERE / "sets").glob("*.in")}
    assert sets == {set_name for _, set_name in RUNS}
    assert {path.name for path in TRANSCRIPTS.iterdir()} == {case.transcript(set_name).name for case, set_name in RUNS}
    assert {path.stem.removeprefix("upstream-") for path in (ROOT / "locks").glob("upstream-*.txt")} == sets


@pytest.mark.parametrize("path", sorted(TRANSCRIPTS.iterdir()), ids=lambda path: path.stem)
def test_a_transcript_names_nothing_of_the_machine(path: Path) -> None:
    assert not [line for line in path.read_text(encoding="utf-8").splitlines() if MACHINE.search(line)]


def test_what_tells_about_the_machine_is_masked_and_the_rest_stays() -> None:
    host = socket.gethostname()
    printed = f"""\
(Worker pid=77, ip=10.2.3.4) File "/venv/lib/a.py", line 3, on {host}, not x{host}x
[2026-11-21 13:31:48,789 E 1164 1164] (raylet) listens on 127.0.0.1, see 10.2.3.4.
77\t0.31\tray::Worker.run
78\t0.20\tbash private
"""
    assert (
        mask(printed, [("/venv/", "")])
        == f"""\
(Worker pid=1001, ip=10.0.0.1) File "lib/a.py", line 3, on node-1, not x{host}x
[2026-11-21 13:31:48,789 E 1002 1002] (raylet) listens on 127.0.0.1, see 10.0.0.1.
1001\t0.31\tray::Worker.run
"""
    )
