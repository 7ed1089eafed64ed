"""Issue forms: in both languages, and every prefilled link of the site fits one of them."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import yaml

from tests.conftest import ROOT
from tests.trees import Trees

FOLDER = ROOT / ".github/ISSUE_TEMPLATE"
FORMS = [file for file in sorted(FOLDER.glob("*.yml")) if file.name != "config.yml"]
NO_FIELDS = {"template", "title"}  # of GitHub itself


def form(name: str) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return data


def fields(name: str) -> set[str]:
    return {field["id"] for field in form(name)["body"]}


def test_every_prefilled_link_names_a_form_and_its_fields(site: Path, trees: Trees) -> None:
    pages = [trees(page) for page in sorted(site.rglob("*.html"))]
    links = {href for page in pages for href in page.xpath("//a/@href[contains(., '/issues/new')]")}
    queries = [dict(parse_qsl(urlsplit(href).query)) for href in links]
    assert {"new-error.yml", "wrong-answer.yml", "it-worked.yml"} <= {query["template"] for query in queries}
    for query in queries:
        assert query.keys() - NO_FIELDS <= fields(query["template"]), query


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.name)
def test_every_text_stands_in_both_languages(file: Path) -> None:
    data = form(file.name)
    texts = [data["name"], data["description"]]
    for field in data["body"]:
        texts += [field["attributes"][name] for name in ("label", "description") if name in field["attributes"]]
    for text in texts:
        english, _, chinese = text.partition(" · ")
        assert re.match("[A-Z]", english) and re.search("[\u4e00-\u9fff]", chinese), text
