"""The larger site on which search is measured: built anew from what the real one has, so that its shape cannot be forgotten."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bench.scale import more_rows
from bench.sites import enlarge
from fieldguide.content.addresses import LANGUAGES
from fieldguide.runtime.rank.documents import unpack
from fieldguide.runtime.rank.index import scores_of

ROWS = {"terms": ["gradient", "nan"], "counts": [2, 1], "steps": [5, 1, 6], "scores": [9, 4, 3]}


def test_a_copy_has_the_terms_of_the_original_or_its_own() -> None:
    """Two documents from number 5 on, twice, as 20 to 23."""
    found = scores_of(more_rows(ROWS, 2, 2, first=5, start=20))
    assert found["nan"] == {21: 3, 23: 3}
    assert {term: dict(found[term]) for term in found if term.startswith("gradient")} in (
        {"gradient": {20: 9, 21: 4, 22: 9, 23: 4}},
        {"gradient": {20: 9, 21: 4}, "gradientqb": {22: 9, 23: 4}},
    )


def test_documents_behind_the_last_that_is_copied_are_left_out() -> None:
    assert scores_of(more_rows(ROWS, 1, 1, first=5)) == {"gradient": {0: 9}}


@pytest.fixture
def larger(site: Path, tmp_path: Path) -> Path:
    real = tmp_path / "real"
    for folder in ("assets", "search"):
        shutil.copytree(site / folder, real / folder)
    (real / "search" / "search_index.json").write_text('{"docs": []}', encoding="utf-8")
    enlarge(real, tmp_path / "larger", 3)
    return tmp_path / "larger" / "search"


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def test_every_piece_of_the_larger_search_data_speaks_of_documents_that_are_there(larger: Path, site: Path) -> None:
    before = read(site / "search", "guide")
    guide, bugs = read(larger, "guide"), read(larger, "bugs")
    assert len(guide["entries"]) == 3 * len(before["entries"])
    assert len(bugs["signatures"]) == len(bugs["keys"])
    entries = len(guide["entries"])
    assert {row[0] for row in bugs["signatures"]} <= set(range(entries, entries + len(bugs["entries"])))
    for language in LANGUAGES:
        own, text, more, ledger = (read(larger, f"{language}{part}") for part in ("", "-text", "-more", "-bugs"))
        others, known = len(unpack(more)), len(unpack(ledger))
        assert len(own["documents"]) == entries and known == len(bugs["entries"])
        for rows, start, count in (
            (own["head"], 0, entries),
            (text["index"], 0, entries),
            (more["index"], entries, others),
            (ledger["index"], entries + others, known),
        ):
            numbers = {number for found in scores_of(rows).values() for number in found}
            assert numbers <= set(range(start, start + count)) and len(numbers) > count / 2
