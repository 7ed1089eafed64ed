"""Books to look at: both of the guide, finished, and those that a test sets from the small guide."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pikepdf
import pypdf
import pytest

from fieldguide.book.article import render_article
from fieldguide.book.book import Book, gather
from fieldguide.book.rules import leave_out
from fieldguide.book.scope import Scope
from fieldguide.book.settings import Settings, load_settings
from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.checks.staleness import stamp
from fieldguide.content.diagram import picture
from fieldguide.content.guide import Guide, load_guide
from tests.conftest import ROOT

SITE = "https://example.org/guide/"
ENVIRONMENT = {"SITE_URL": SITE, "SOURCE_DATE_EPOCH": "1750000000"}
PAGE_WORDS = re.compile(r"→\s*(?:p\.\s*\d+|第\s*\d+\s*页)")
SHOW_TEXT = "q Q cm BT ET Tf Tm Td TJ Tj"  # operators of a page


def squeezed(text: str) -> str:
    """Without white space, which lines and columns change."""
    return re.sub(r"\s+", "", text)


def flat(outline: list[Any]) -> Iterator[Any]:
    """Bookmarks in order, whatever their depth."""
    for item in outline:
        yield from flat(item) if isinstance(item, list) else [item]


def read_pages(file: Path, first: int, step: int) -> list[str]:
    """Text of every `step`-th page as pypdf decodes it from the character maps, running head and foot left out.

    pypdf gets what shows text and nothing else, so no words that stand beside it; the whole would take it twice as long.
    """
    bare = BytesIO()
    with pikepdf.open(file) as book, pikepdf.new() as pdf:
        for page in book.pages[first::step]:
            text = pikepdf.unparse_content_stream(pikepdf.parse_content_stream(page, SHOW_TEXT))
            made = pdf.add_blank_page(page_size=page.mediabox[2:])
            made.Contents, made.Resources = pdf.make_stream(text), pdf.copy_foreign(page.Resources)
        pdf.save(bare)
    return ["\n".join(page.extract_text().splitlines()[1:-1]) for page in pypdf.PdfReader(bare).pages]


@dataclass(frozen=True)
class Printed:
    """A finished book."""

    file: Path
    language: str
    guide: Guide
    settings: Settings

    @cached_property
    def reader(self) -> pypdf.PdfReader:
        return pypdf.PdfReader(self.file)

    @cached_property
    def pages(self) -> list[str]:
        """Text of each page; read by two processes."""
        with ProcessPoolExecutor(2) as pool:
            odd, even = pool.map(read_pages, [self.file] * 2, [0, 1], [2, 2])
        pages = [""] * (len(odd) + len(even))
        pages[0::2], pages[1::2] = odd, even
        return pages

    @cached_property
    def squeezed(self) -> list[str]:
        return [squeezed(page) for page in self.pages]

    @cached_property
    def doubled(self) -> list[str]:
        """Text of each page and the next: what begins on the one may end on the other."""
        return ["".join(self.squeezed[number : number + 2]) for number in range(len(self.squeezed))]

    @cached_property
    def places(self) -> dict[str, Any]:
        """Named destinations; pypdf reads all of them at each question."""
        return dict(self.reader.named_destinations)

    @cached_property
    def text(self) -> str:
        """The whole book in one line."""
        return self.running("\n".join(self.pages))

    def running(self, text: str) -> str:
        """Text in one line, without references to pages, and without pictures, which float amid the text."""
        line = squeezed(PAGE_WORDS.sub("", text))
        for words in self.pictured.values():
            line = line.replace(words, "")
        return line

    @cached_property
    def pictured(self) -> dict[str, str]:
        """Entry → the words of its picture, in the order in which they are drawn."""
        drawn = {id_: ROOT / picture(id_, self.language) for id_ in self.guide.catalog.diagram}
        trees = {id_: ElementTree.fromstring(file.read_text(encoding="utf-8")) for id_, file in drawn.items()}
        texts = {id_: tree.iter("{http://www.w3.org/2000/svg}text") for id_, tree in trees.items()}
        return {id_: squeezed("".join("".join(one.itertext()) for one in found)) for id_, found in texts.items()}

    @cached_property
    def bookmarks(self) -> list[tuple[str, int]]:
        """(title, page number) of every bookmark, in order."""

        numbers = ((item, self.reader.get_destination_page_number(item)) for item in flat(self.reader.outline))
        return [(str(item["/Title"]), -1 if number is None else number + 1) for item, number in numbers]

    @cached_property
    def articles(self) -> dict[str, Element]:
        """Name → HTML of every page of the site in the book."""
        pages = Scope().pages(self.settings.nav, self.guide)
        names = [name for page in pages for name in (page.name, *Scope().following(page.name, self.guide))]
        documents = self.guide.documents[self.language]
        return {name: render_article(self.guide, self.settings, documents[name]) for name in names}

    @cached_property
    def shown(self) -> dict[str, Element]:
        """The same without what only a browser can use."""
        articles = deepcopy(self.articles)
        for article in articles.values():
            leave_out(article)
        return articles

    @cached_property
    def gathered(self) -> Book:
        """What Typst was given."""
        return gather(self.guide, self.settings, self.language, Scope())

    def word(self, name: str) -> str:
        return self.settings.words[self.language][name]


def set_books(out: Path) -> dict[str, Printed]:
    """Both books, set at the same time by the command that `make pdf` runs."""
    environment = os.environ | ENVIRONMENT
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "fieldguide.book", "--lang", language, "--out", str(out)],
            cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True,
        )
        for language in LANGUAGES
    ]  # fmt: skip
    said = [run.communicate()[1] for run in runs]
    assert not any(run.returncode for run in runs), "\n".join(said)
    assert all(re.search(r"^pdf: .+ \(\d+\.\d s\)$", text, re.MULTILINE) for text in said), "one line a step, with seconds"
    guide, settings = load_guide(ROOT), settings_of(ROOT)
    return {one: Printed(out / f"rl-fieldguide-{one}.pdf", one, guide, settings) for one in LANGUAGES}


def settings_of(root: Path) -> Settings:
    """Settings of the checkout at `root`, as the books are set with them."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        return load_settings(root)


MKDOCS = """
site_name: Small guide
site_description: Two frameworks.
copyright: CC BY 4.0
site_url: !ENV [SITE_URL, "http://127.0.0.1:8000/"]
nav:
  - Topics: [topics/index.md, topics/memory/index.md]
  - Frameworks: [frameworks/alpha.md, frameworks/beta.md]
  - Keys: [glossary/index.md, glossary/alpha/index.md, glossary/beta/index.md]
  - Compare: compare.md
  - Errors: errors.md
plugins:
  - i18n:
      languages: [{locale: en, default: true}, {locale: zh, site_name: 小手册, nav_translations: {Topics: 专题}}]
markdown_extensions:
  - admonition
  - attr_list
  - tables
  - pymdownx.details
  - pymdownx.highlight: {use_pygments: true}
  - pymdownx.superfences
  - pymdownx.tabbed: {alternate_style: true}
"""


def make_printable(root: Path) -> None:
    """Make the small guide a checkout that can be printed."""
    (root / "mkdocs.yml").write_text(MKDOCS, encoding="utf-8")
    (root / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n', encoding="utf-8")
    for language in LANGUAGES:
        for framework in ("alpha", "beta"):
            page = root / "docs" / language / "frameworks" / f"{framework}.md"
            page.parent.mkdir(exist_ok=True)
            page.write_text(f"# {framework} {{ #framework-{framework} }}\n", encoding="utf-8")
        for folder, block in (("topics", "topics"), ("glossary", "glossaries")):
            page = root / "docs" / language / folder / "index.md"
            page.write_text(f"# {folder} {{ #{folder}-index }}\n\n/// catalog | {block}\n///\n", encoding="utf-8")
    stamp(load_guide(root))


def add(root: Path, text: str) -> None:
    """Append to the topic's page in both languages."""
    for language in LANGUAGES:
        page = root / "docs" / language / "topics" / "memory" / "index.md"
        page.write_text(page.read_text(encoding="utf-8") + "\n" + text + "\n", encoding="utf-8")
    stamp(load_guide(root))


def pages_of(file: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(file).pages)
