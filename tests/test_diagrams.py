"""Decision paths: their Mermaid text, the faults they can have, and the pictures on the built site and in the book."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from fieldguide.book.build import build as build_book
from fieldguide.book.scope import Scope
from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.catalog.models import Diagram
from fieldguide.content.checks import run
from fieldguide.content.diagram import FOLDER, digest, mermaid, picture, size
from fieldguide.content.guide import Guide, load_guide
from fieldguide.content.problems import ContentError
from scripts.diagrams import stale
from tests.books import pages_of
from tests.conftest import ROOT

SVG = "{http://www.w3.org/2000/svg}"
TREE = """\
diagrams:
  - id: alpha-oom
    nodes:
      - {id: start, kind: symptom, en: "Out of memory", zh: "显存不足"}
      - {id: end, kind: cause, en: "Too many\\ntokens \\"A\\"", zh: "token 太多"}
    edges:
      - {from: start, to: end, en: "100 #", zh: "100 #"}
"""
DRAWN = '<svg width="9" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 7" height="7" data-digest="{}"><text>{}</text></svg>'


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(ROOT)


def draw(root: Path, tree: str = TREE) -> None:
    """Give the small guide a diagram, and pictures that stand for those of Mermaid."""
    (root / "catalog" / "diagrams.yml").write_text(tree, encoding="utf-8")
    (root / FOLDER).mkdir(parents=True)
    diagram = load_guide(root).catalog.diagram["alpha-oom"]
    for language in LANGUAGES:
        svg = DRAWN.format(digest(diagram, language), diagram.nodes[0].words(language))
        (root / picture("alpha-oom", language)).write_text(svg, encoding="utf-8")


def faults(root: Path) -> str:
    with pytest.raises(ContentError) as caught:
        run(root)
    return str(caught.value)


def test_mermaid_text(small: Path) -> None:
    draw(small)
    lines = mermaid(load_guide(small).catalog.diagram["alpha-oom"], "en").splitlines()
    assert lines[0] == "flowchart TD"
    assert lines[-3:] == [
        '  n_start(["Out of memory"]):::symptom',
        '  n_end["Too many<br/>tokens #quot;A#quot;"]:::cause',
        '  n_start -->|"100 #35;"| n_end',
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("to: end", "to: nowhere"), "an edge names no node: nowhere"),
        (("id: end, kind: cause", "id: start, kind: cause"), "an id of a node stands twice"),
        (("from: start, to: end", "from: end, to: start"), "no way leads to end"),
        ((', zh: "100 #"}', "}"), "give the words in every language"),
        (("kind: cause", "kind: cure"), "kind"),
    ],
)
def test_a_broken_diagram_is_refused_with_its_line(small: Path, change: tuple[str, str], said: str) -> None:
    assert change[0] in TREE
    (small / "catalog" / "diagrams.yml").write_text(TREE.replace(*change), encoding="utf-8")
    message = faults(small)
    assert message.startswith("catalog/diagrams.yml:") and said in message


def test_a_drawn_diagram_has_no_fault(small: Path) -> None:
    draw(small)
    run(small)


def test_a_picture_of_other_words_is_stale(small: Path) -> None:
    draw(small)
    file = small / "catalog" / "diagrams.yml"
    file.write_text(TREE.replace("显存不足", "爆显存"), encoding="utf-8")
    assert faults(small) == f"catalog/diagrams.yml:2: {picture('alpha-oom', 'zh')} shows other words; run `make diagrams`"


def test_a_missing_and_a_needless_picture_are_named(small: Path) -> None:
    draw(small)
    (small / picture("alpha-oom", "en")).rename(small / FOLDER / "old.svg")
    assert faults(small).splitlines() == [
        f"catalog/diagrams.yml:2: {picture('alpha-oom', 'en')} is missing; run `make diagrams`",
        f"{FOLDER}/old.svg: belongs to no diagram of catalog/diagrams.yml; delete it",
    ]


def test_a_diagram_needs_its_entry(small: Path) -> None:
    draw(small)
    (small / "catalog" / "diagrams.yml").write_text(TREE.replace("id: alpha-oom", "id: alpha-omm"), encoding="utf-8")
    assert "diagram of 'alpha-omm', which is no entry" in faults(small)


@pytest.mark.slow
def test_a_book_has_the_words_of_the_picture(tiny: Path, tmp_path: Path) -> None:
    draw(tiny)
    for language, words in (("en", "Out of memory"), ("zh", "显存不足")):
        (file,) = build_book(tiny, tmp_path, [language], Scope(topic="memory"))
        assert words in pages_of(file)


def test_nothing_is_left_to_draw(guide: Guide) -> None:
    assert len(guide.catalog.diagram) >= 8
    assert not stale(guide)


def pictures(guide: Guide) -> list[Any]:
    return [pytest.param(id_, language, id=f"{id_}-{language}") for id_ in guide.catalog.diagram for language in LANGUAGES]


@pytest.mark.parametrize(("id_", "language"), pictures(load_guide(ROOT)))
def test_picture_is_plain_and_readable(guide: Guide, id_: str, language: str) -> None:
    diagram: Diagram = guide.catalog.diagram[id_]
    svg = (ROOT / picture(id_, language)).read_text(encoding="utf-8")
    tree = ElementTree.fromstring(svg)
    assert not {f"{SVG}{name}" for name in ("style", "script", "foreignObject", "image")} & {one.tag for one in tree.iter()}
    sizes = [float(one.get("font-size", "0px").removesuffix("px")) for one in tree.iter(f"{SVG}text")]
    assert min(sizes) >= 12
    said = ["".join(one.itertext()) for one in tree.iter(f"{SVG}text")]
    worded = [*diagram.nodes, *(edge for edge in diagram.edges if edge.words(language))]
    assert sorted(said) == sorted(one.words(language).replace("\n", "") for one in worded)
    assert sum(one.get("marker-end") is not None for one in tree.iter()) == len(diagram.edges)


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_shows_the_picture_below_the_steps(site: Path, guide: Guide, language: str) -> None:
    for id_ in guide.catalog.diagram:
        page = site / page_address(language, guide.home_of[id_]) / "index.html"
        (figure,) = html.fromstring(page.read_text(encoding="utf-8")).xpath(f"//section[@data-entry='{id_}']//figure")
        (image,) = figure.xpath(".//img")
        file = (page.parent / image.get("src")).resolve()
        assert file == (site / picture(id_, language).relative_to("overrides")).resolve() and file.exists()
        assert (int(image.get("width")), int(image.get("height"))) == size(file.read_text(encoding="utf-8"))
        assert len(image.get("alt")) > len(guide.words[language]["diagram_alt"])
        before = figure.xpath("preceding-sibling::*[self::ol or self::p]")
        after = figure.getnext()
        assert before and after.get("data-part") not in (None, "fix")
