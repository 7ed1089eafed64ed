"""The compiled guide: the same bytes each time, made anew when the content has changed, refused in another format."""

import json
import os
from pathlib import Path

import pytest

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.compile import compile_catalog, compile_guide, write_compiled
from fieldguide.content.compiled import FOLDER, compiled_folder
from fieldguide.content.guide import load_guide
from fieldguide.content.problems import ContentError
from fieldguide.runtime.dialect import expression
from fieldguide.runtime.guide import FormatError, Guide, Rule, as_guide, read_answers, read_guide
from fieldguide.runtime.rank.answer import search
from fieldguide.runtime.rank.finder import read_finder
from tests.conftest import ROOT


@pytest.mark.slow
def test_the_same_guide_gives_the_same_bytes(compiled_files: Path, tmp_path: Path) -> None:
    again = write_compiled(compile_guide(load_guide(ROOT)), tmp_path)
    assert [file.read_bytes() for file in again] == [(compiled_files / file.name).read_bytes() for file in again]
    parts = [f"{language}{part}" for language in LANGUAGES for part in ("", "-search", "-entries", "-keys")]
    assert [file.name for file in again] == [f"{name}.json" for name in ("guide", "versions", "run", "keys", "about", *parts)]


@pytest.mark.parametrize(
    ("asked", "pair"),
    [("torch 2.9.1 cudnn", "pair-torch-2-9-1-cudnn"), ("flash-attn 2.8 torch 2.6", "pair-flash-attn-2-8-torch-2-6")],
)
def test_versions_that_do_not_go_together_are_found_by_their_names(
    compiled: Guide, compiled_files: Path, asked: str, pair: str
) -> None:
    for language in LANGUAGES:
        finder = read_finder(compiled_files, language, compiled)
        found = [finder.documents[one.document] for one in search(asked, compiled, finder)[:5]]
        (shown,) = [one for one in found if one.id == pair]
        assert shown.location.startswith(page_address(language, "versions/index")) and shown.location.endswith(f"#{pair}")


def test_english_words_find_the_same_whichever_language_the_site_has(compiled: Guide, compiled_files: Path) -> None:
    english, chinese = (read_finder(compiled_files, language, compiled) for language in LANGUAGES)
    texts = [
        "loss goes up after resuming from a checkpoint, no error in the log",
        "the second rollout is much slower than the first one",
        "validation accuracy never changes during training",
        "ImportError: cannot import name 'MaxLoRARanks' from 'vllm.config.lora'",
    ]
    for text in texts:
        first = [finder.documents[search(text, compiled, finder)[0].document].id for finder in (english, chinese)]
        assert first[0] == first[1], text


def test_every_entry_has_its_answer_in_every_language(compiled_files: Path) -> None:
    guide = load_guide(ROOT)
    for language in LANGUAGES:
        answers = read_answers(compiled_files, language)
        bugs = {item.record.id for item in guide.catalog.bugs}
        assert answers.entries.keys() == guide.catalog.entry.keys() | bugs
        assert all(answer.title and answer.short and answer.fix for answer in answers.entries.values())


def test_every_expression_is_one(compiled: Guide) -> None:
    assert all(expression(one.pattern) for one in compiled.signatures)
    assert all(one.anchor in one.shown and one.key for one in compiled.signatures)


def test_masks_do_what_their_examples_show() -> None:
    catalog = load_guide(ROOT).catalog
    masks = [Rule(pattern, tuple(parts)) for pattern, parts in compile_catalog(catalog)["masks"]]
    for item in catalog.masks:
        text, after = item.record.example
        for mask in masks:
            text = mask.apply(text)
        assert text == after, item.record.name


def test_it_is_made_anew_when_a_file_has_changed(small: Path) -> None:
    file = small / FOLDER / "guide.json"
    compiled_folder(small)
    made = file.stat().st_mtime_ns
    compiled_folder(small)
    assert file.stat().st_mtime_ns == made
    entry = next((small / "catalog" / "entries").rglob("*.yml"))
    os.utime(entry, (1, 1))
    compiled_folder(small)
    assert file.stat().st_mtime_ns > made


def test_content_with_a_fault_is_not_compiled(small: Path) -> None:
    entry = next((small / "catalog" / "entries").rglob("*.yml"))
    entry.write_text(entry.read_text(encoding="utf-8").replace("framework:", "frame work:", 1), encoding="utf-8")
    with pytest.raises(ContentError, match=entry.name):
        compiled_folder(small)
    assert not (small / FOLDER).exists()


def test_another_format_is_refused(small: Path) -> None:
    folder = compiled_folder(small)
    data = json.loads((folder / "guide.json").read_text(encoding="utf-8"))
    with pytest.raises(FormatError, match="999"):
        as_guide(data | {"format": 999})
    assert read_guide(folder).signatures
