"""A language is declared once, and what else must name it agrees."""

from pathlib import Path

import pytest

from fieldguide.content.addresses import FIRST, LANGUAGES, OTHERS
from fieldguide.content.guide import load_words
from fieldguide.content.problems import ContentError
from fieldguide.site.configuration import load_site
from tests.conftest import ROOT

CONFIGURATION = """
site_name: Guide
site_description: A guide
copyright: none
site_url: https://example.org/
nav: []
markdown_extensions: []
plugins:
  - i18n:
      languages: [{}]
"""


@pytest.mark.parametrize(
    ("languages", "agrees"),
    [
        ("{locale: en, default: true}, {locale: zh}", True),
        ("{locale: en, default: true}, {locale: zh}, {locale: ja}", False),
        ("{locale: en, default: true}", False),
        ("{locale: zh}, {locale: en, default: true}", False),
        ("{locale: en}, {locale: zh, default: true}", False),
    ],
)
def test_the_site_has_the_languages_of_the_guide(tmp_path: Path, languages: str, agrees: bool) -> None:
    (tmp_path / "mkdocs.yml").write_text(CONFIGURATION.format(languages), encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1"\n', encoding="utf-8")
    if agrees:
        assert tuple(load_site(tmp_path).names) == LANGUAGES
        return
    with pytest.raises(ContentError, match=r"mkdocs\.yml: plugin i18n must have the languages en, zh"):
        load_site(tmp_path)


def test_words_and_pages_are_there_for_each_language_and_no_other() -> None:
    assert {file.stem for file in (ROOT / "locales").glob("*.yml")} == set(LANGUAGES) == {FIRST, *OTHERS}
    assert {folder.name for folder in (ROOT / "docs").iterdir() if folder.is_dir()} - set(LANGUAGES) <= {"assets"}


def test_a_language_says_of_itself_what_others_must_know() -> None:
    for language, words in load_words(ROOT).items():
        assert words["language_tag"].split("-")[0] == words["language_region"].split("_")[0] == language
        assert int(words["short_most"]) > 0
