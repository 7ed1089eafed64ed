"""A tag becomes a release only when version, changelog and the record of ids are ready for it."""

from pathlib import Path

import pytest

from fieldguide.__main__ import main
from fieldguide.content.checks.published import record_ids
from fieldguide.content.guide import load_guide
from fieldguide.content.problems import ContentError
from fieldguide.upkeep.release import release_notes

CHANGELOG = """# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-01

The second.

### Added

- One thing.

## [0.1.0] - 2026-11-21

The first.
"""


@pytest.fixture
def ready(small: Path) -> Path:
    """The small guide, ready to be released as v0.2.0."""
    (small / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    (small / "pyproject.toml").write_text('[project]\nname = "small"\nversion = "0.2.0"\n', encoding="utf-8")
    record_ids(load_guide(small))
    return small


def test_notes_are_the_section_of_the_version(ready: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(ready), "release-notes", "v0.2.0"]) == 0
    assert capsys.readouterr().out == "The second.\n\n### Added\n\n- One thing.\n"


def test_the_last_section_ends_with_the_file(ready: Path) -> None:
    (ready / "pyproject.toml").write_text('[project]\nversion = "0.1.0"\n', encoding="utf-8")
    assert release_notes(load_guide(ready), "v0.1.0") == "The first.\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("pyproject.toml", "0.2.0", "0.3.0", "pyproject.toml:3: the version is 0.3.0, the tag is v0.2.0"),
        ("CHANGELOG.md", "[0.2.0]", "[0.2.1]", "CHANGELOG.md: has no section ## [0.2.0] - YYYY-MM-DD for the tag v0.2.0"),
        ("CHANGELOG.md", " - 2026-12-01", "", "CHANGELOG.md:5: the section of 0.2.0 needs words below it and a date: …"),
        ("CHANGELOG.md", "The second.\n\n### Added\n\n- One thing.\n", "", "CHANGELOG.md:5: the section of 0.2.0 needs words…"),
        ("catalog/published-ids.txt", "beta-oom\n", "", "catalog/published-ids.txt: 1 id(s) are not recorded (beta-oom …): …"),
    ],
)
def test_what_is_not_ready_is_named(ready: Path, file: str, old: str, new: str, message: str) -> None:
    text = (ready / file).read_text(encoding="utf-8")
    assert old in text
    (ready / file).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        release_notes(load_guide(ready), "v0.2.0")
    (problem,) = map(str, caught.value.problems)
    assert problem.startswith(message.rstrip("…"))


def test_everything_that_is_missing_is_named_at_once(ready: Path) -> None:
    with pytest.raises(ContentError) as caught:
        release_notes(load_guide(ready), "v9")
    assert [problem.path.name for problem in caught.value.problems] == ["CHANGELOG.md", "pyproject.toml"]
