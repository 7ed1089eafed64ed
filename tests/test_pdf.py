"""The books: what the site says stands in them, where the indexes say, and the same input gives the same bytes."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from lxml import html

from fieldguide.content.addresses import LANGUAGES

for name in ("pikepdf", "pypandoc", "pypdf", "typst"):
    pytest.importorskip(name, reason=f"{name} is not installed; `make test` and scripts/setup.sh test install it")

import pikepdf  # noqa: E402 (only after the packages are known to be there)
import pypdf  # noqa: E402
from fieldguide.book.convert import to_typst  # noqa: E402
from fieldguide.book.mapping import leave_out  # noqa: E402

from fieldguide.book import __main__ as command  # noqa: E402
from fieldguide.book import fonts as font_files  # noqa: E402
from fieldguide.book.article import render_article  # noqa: E402
from fieldguide.book.book import gather, typst_files  # noqa: E402
from fieldguide.book.build import build  # noqa: E402
from fieldguide.book.columns import column_widths  # noqa: E402
from fieldguide.book.places import DeadLinkError, link_places  # noqa: E402
from fieldguide.book.scope import Scope  # noqa: E402
from fieldguide.book.settings import Settings, SettingsError, load_settings  # noqa: E402
from fieldguide.content.catalog.store import Owned  # noqa: E402
from fieldguide.content.checks.staleness import stamp  # noqa: E402
from fieldguide.content.diagram import picture  # noqa: E402
from fieldguide.content.guide import Guide, load_guide  # noqa: E402
from fieldguide.content.problems import ContentError  # noqa: E402
from fieldguide.content.signature import display_signature  # noqa: E402
from fieldguide.site.markdown.blocks import key_index  # noqa: E402
from fieldguide.site.markdown.render import Renderer  # noqa: E402
from fieldguide.site.publish.catalog import plain_title  # noqa: E402
from fieldguide.site.theme import page_address  # noqa: E402
from tests.conftest import ROOT  # noqa: E402

SITE = "https://example.org/guide/"
ENVIRONMENT = {"SITE_URL": SITE, "SOURCE_DATE_EPOCH": "1750000000"}
PAGE_WORDS = re.compile(r"→\s*(?:p\.\s*\d+|第\s*\d+\s*页)")


def squeezed(text: str) -> str:
    """Without white space, which lines and columns change."""
    return re.sub(r"\s+", "", text)


def flat(outline: list[Any]) -> Iterator[Any]:
    """Bookmarks in order, whatever their depth."""
    for item in outline:
        yield from flat(item) if isinstance(item, list) else [item]


def read_pages(file: Path, first: int, step: int) -> list[str]:
    """Text of every `step`-th page as pypdf decodes it from the character maps, running head and foot left out."""
    reader = pypdf.PdfReader(file)
    return ["\n".join(page.extract_text().splitlines()[1:-1]) for page in reader.pages[first::step]]


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

    def articles(self) -> Iterator[tuple[str, Element]]:
        """Every page of the site in the book, as HTML."""
        for page in Scope().pages(self.settings.nav, self.guide):
            for name in (page.name, *Scope().following(page.name, self.guide)):
                yield name, render_article(self.guide, self.settings, self.guide.documents[self.language][name])

    def word(self, name: str) -> str:
        return self.settings.words[self.language][name]


@pytest.fixture(scope="session")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Printed]:
    """Both books, set at the same time by the command that `make pdf` runs."""
    out = tmp_path_factory.mktemp("dist")
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


@pytest.fixture(params=LANGUAGES)
def book(request: pytest.FixtureRequest, printed: dict[str, Printed]) -> Printed:
    return printed[request.param]


def settings_of(root: Path) -> Settings:
    """Settings of the checkout at `root`, as the books are set with them."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        return load_settings(root)


def blocks(article: Element) -> Iterator[str]:
    """Text of every block that the book must hold, squeezed."""
    leave_out(article)
    for element in article.iter():
        if "fg-meta" in element.get("class", ""):
            continue  # the book spells the permalink out; see below
        if element.tag in ("p", "pre", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "summary"):
            yield squeezed("".join(element.itertext()))
        elif element.tag == "li" and element.find("p") is None:
            own = (element.text or "") + "".join(
                "".join(one.itertext()) + (one.tail or "") for one in element if one.tag != "ul"
            )
            yield squeezed(own)


def test_every_picture_is_in_the_book_once_as_text(book: Printed) -> None:
    text = squeezed("\n".join(book.pages))
    assert {id_: text.count(words) for id_, words in book.pictured.items()} == dict.fromkeys(book.guide.catalog.diagram, 1)


def test_every_block_of_every_page_is_in_the_text(book: Printed) -> None:
    """Titles, fixes, code, cells: as the site has them, read from the character maps and not from any text beside them."""
    lost = []
    for name, article in book.articles():
        lost += [f"{name}: {block[:80]}" for block in blocks(article) if block and block not in book.text]
    assert not lost, "\n".join(lost)


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext (poppler-utils) is not installed")
def test_pdftotext_gives_every_title_and_fix(book: Printed) -> None:
    """In the order of the page: without `-raw` it guesses columns, and takes cells of a table apart."""
    raw = subprocess.run(["pdftotext", "-raw", book.file, "-"], capture_output=True, text=True, check=True).stdout
    pages = [[line for line in page.splitlines() if line.strip()][1:-1] for page in raw.split("\f")]  # head and foot aside
    text = book.running("\n".join("\n".join(lines) for lines in pages))
    wanted = [(name, block) for name, article in book.articles() for block in titles_and_fixes(article)]
    lost = [f"{name}: {block[:90]}" for name, block in wanted if block not in text]
    assert len(wanted) > 2 * len(book.guide.catalog.entry)
    assert not lost, "\n".join(lost)


def titles_and_fixes(article: Element) -> Iterator[str]:
    """Title of every entry, and the blocks of its fix or answer."""
    leave_out(article)
    for section in article.findall("section[@data-entry]"):
        yield squeezed("".join(section[0].itertext()))
        for part in section.findall("section"):
            if part.get("data-part") in ("fix", "answer"):
                yield from blocks(part)


def test_articles_are_those_of_the_site(book: Printed, site: Path) -> None:
    for name, article in book.articles():
        page = html.fromstring((site / page_address(book.language, name) / "index.html").read_text(encoding="utf-8"))
        for mark in page.xpath("//article//a[@class='headerlink']"):
            mark.drop_tree()
        built = squeezed(page.xpath("string(//article)"))
        assert squeezed("".join(article.itertext())) in built, f"{name} differs from what MkDocs builds"


def test_every_entry_has_bookmark_permalink_and_stamp(book: Printed) -> None:
    titles = dict(reversed([(squeezed(title), page) for title, page in book.bookmarks]))
    wrong = []
    for entry, record in book.guide.catalog.entry.items():
        section = book.guide.section(book.language, entry)
        title = squeezed(re.sub(r"`|\\(?=[^A-Za-z0-9\s])", "", section.title if section else ""))
        page = titles.get(title, 0)
        text = "".join(book.squeezed[page - 1 : page + 1]) if page else ""
        address = f"{SITE}e/{entry}/"
        known = book.guide.catalog.framework.get(record.framework)
        commit = (known or book.guide.catalog.repository[record.sources[0].repo]).commit or ""
        if title not in text or address not in text or commit[:7] not in text:
            wrong.append(f"{entry}: bookmark to page {page}")
    assert not wrong, "\n".join(wrong)


def test_contents_name_the_pages_of_the_bookmarks(book: Printed) -> None:
    pages = dict(book.bookmarks)
    first = pages[book.guide.documents[book.language]["index"].title]
    lines = re.findall(r"^(.+?) {2}(\d+)$", "\n".join(book.pages[1 : first - 1]), re.MULTILINE)
    assert len(lines) > len(book.guide.catalog.entry)
    known = {(squeezed(title), str(page)) for title, page in book.bookmarks}
    wrong = [(title, page) for title, page in lines if not any(t.endswith(squeezed(title)) and p == page for t, p in known)]
    assert not wrong


def test_contents_name_chapters_their_headings_and_entries(book: Printed) -> None:
    """A topic's entries in the order of the catalog, groups of keys, but no part of an answer and no key."""
    made = gather(book.guide, book.settings, book.language, Scope())
    listed = {chapter.page.name: [title for _, title in chapter.listed] for chapter in made.chapters}
    for topic, entries in book.guide.catalog.entries_of.items():
        index = book.guide.documents[book.language][f"topics/{topic}/index"]
        headings = sum(section.level <= 2 for section in index.sections)
        assert len(listed[f"topics/{topic}/index"]) == headings + len(entries)
        titles = [plain_title(book.guide, book.language, one.id) for one in entries]
        assert [squeezed(one) for one in listed[f"topics/{topic}/index"][headings:]] == [squeezed(one) for one in titles]
    fix = book.guide.words[book.language]["label_fix"].rstrip(":")
    assert not [title for titles in listed.values() for title in titles if title == fix or title.startswith("--")]
    assert fix not in dict(book.bookmarks)


def test_keys_of_a_glossary_are_in_the_order_of_its_index(book: Printed) -> None:
    for owner in dict.fromkeys(owned.owner for owned in book.guide.catalog.owned_keys):
        pages = [group.page for group in key_index(book.guide, owner) if group.page]
        first = [book.guide.documents[book.language][page].sections[0].id for page in pages]
        numbers = [leads_to(book, f"{page}:{id_}") for page, id_ in zip(pages, first, strict=True)]
        assert numbers == sorted(numbers), owner


def test_links_stay_inside_and_none_is_dead(book: Printed) -> None:
    targets = book.reader.named_destinations
    inside, outside = [], []
    for page in book.reader.pages:
        for annotation in page.get("/Annots", ()):
            link = annotation.get_object()
            if "/Dest" in link or link.get("/A", {}).get("/S") == "/GoTo":
                inside.append(link["/Dest"] if "/Dest" in link else link["/A"]["/D"])
            else:
                outside.append(link["/A"]["/URI"])
    assert len(inside) > 2000
    assert not [one for one in inside if isinstance(one, str) and one not in targets]
    permalinks = {squeezed(one) for one in outside if one.startswith(SITE)}
    assert len(permalinks) == len(book.guide.catalog.entry) + 1, "only the cover and the entries' permalinks lead to the site"


def test_links_to_other_entries_say_their_page(book: Printed) -> None:
    """The number that is printed is the page the link leads to, and what a screen reader says names that page too."""
    printed, wrong = 0, []
    for number, (page, text) in enumerate(zip(book.reader.pages, book.pages, strict=True), 1):
        links = [annotation.get_object() for annotation in page.get("/Annots", ())]
        inside = [(leads_to(book, link["/Dest"]), link["/Contents"]) for link in links if "/Dest" in link]
        said = [int(re.sub(r"\D", "", words)) for words in PAGE_WORDS.findall(text)]
        printed += len(said)
        wrong += [f"page {number}: → {one}" for one in said if one not in {target for target, _ in inside}]
        wrong += [f"page {number}: {words!r} leads to {target}" for target, words in inside if not says(words, target)]
    assert printed > 300
    assert not wrong, "\n".join(wrong)


def leads_to(book: Printed, target: Any) -> int:
    """Page number of a destination, given by name or place."""
    if isinstance(target, str):
        return (book.reader.get_destination_page_number(book.places[target]) or 0) + 1
    return (book.reader.get_page_number(target[0].get_object()) or 0) + 1


def says(words: str, page: int) -> bool:
    return re.findall(r"\d+", words)[-1:] == [str(page)]


def test_room_for_the_contents_has_their_titles_in_order(book: Printed) -> None:
    """Typst's first round sets these instead of the contents, so that no page moves in the second."""
    made = gather(book.guide, book.settings, book.language, Scope())
    rows = json.loads(typst_files(made, [""] * len(made.articles))["contents.json"])
    first = dict(book.bookmarks)[book.guide.documents[book.language]["index"].title]
    lines = "\n".join(book.pages[1 : first - 1]).replace("\u2060", "").splitlines()[1:]
    text = squeezed("".join(re.sub(r" {2}\d+$", "", line) for line in lines))
    assert text == squeezed("".join(row["title"] for row in rows))


def index_text(book: Printed, name: str, until: str | None) -> str:
    pages = dict(book.bookmarks)
    start = pages[book.word(name)]
    return "\n".join(book.pages[start - 1 : pages[book.word(until)] - 1 if until else None])


def listed_pages(text: str, what: str, owner: str) -> list[int]:
    """Page numbers behind `what` and its owner in an index; line breaks may stand anywhere."""
    text_, owner_ = (r"\s*".join(map(re.escape, squeezed(one))) for one in (what, owner))
    numbers = r"(?:\d+,\s*)*\d+"
    others = rf"(?:[^\d]+?\s{numbers}\s+)*?[^\d]*?"
    match = re.search(rf"(?m)^{text_}\s+{others}{owner_}[^\d]*?\s({numbers})(?=\s|$)", text)
    return [int(number) for number in match.group(1).split(",")] if match else []


def test_error_index_leads_to_every_signature(book: Printed) -> None:
    text = index_text(book, "error_index", "key_index")
    wrong = []
    for entry, signatures in book.guide.catalog.signatures_of.items():
        framework = book.guide.catalog.framework.get(book.guide.catalog.entry[entry].framework)
        owner = framework.name if framework else book.guide.words[book.language]["framework_any"]
        for signature in signatures:
            shown = display_signature(signature.text)
            numbers = listed_pages(text, shown, owner)
            if not numbers or any(squeezed(shown) not in book.doubled[n - 1] for n in numbers):
                wrong.append(f"{shown} → {numbers}")
    assert not wrong, "\n".join(wrong)


def test_key_index_leads_to_every_key(book: Printed) -> None:
    text = index_text(book, "key_index", None)
    wrong = []
    for owned in book.guide.catalog.owned_keys:
        framework = book.guide.catalog.framework.get(owned.owner)
        owner = framework.name if framework else book.guide.words[book.language]["framework_any"]
        numbers = listed_pages(text, owned.key.display, owner)
        home = home_of(book, owned)
        if not home & {*numbers} or [n for n in numbers if not names_key(book, owned, n)]:
            wrong.append(f"{owned.id}: {numbers}, defined on page {home}")
    assert not wrong, "\n".join(wrong)


def home_of(book: Printed, owned: Owned) -> set[int]:
    """Pages that define a key: the one its heading is on, or those on which its row begins."""
    place = book.places.get(f"{book.guide.page_of_key[owned.id]}:{owned.id}")
    if place is not None:
        return {(book.reader.get_destination_page_number(place) or 0) + 1}
    row = squeezed(owned.key.display + Renderer(book.guide, book.language, "index").key_fact(owned.key))[:60]
    return {number for number, text in enumerate(book.doubled, 1) if row in text}


def names_key(book: Printed, owned: Owned, number: int) -> bool:
    """Whether a page names a key, by any of its spellings; a name may run over to the next page."""
    text = book.doubled[number - 1]
    key = owned.key
    last = [path.rpartition(".")[2] for path in key.paths]
    return any(squeezed(one) in text for one in (key.name, key.display, *key.spellings, *last))


def test_file_says_what_it_is(book: Printed) -> None:
    catalog, information = book.reader.root_object, book.reader.metadata
    assert information is not None
    assert information.title == book.settings.names[book.language]
    assert information.author and information.creation_date and information.creation_date.timestamp() == 1749945600
    assert str(catalog["/Lang"]).startswith(book.language)
    assert catalog["/MarkInfo"]["/Marked"]
    assert b"pdfuaid:part" in catalog["/Metadata"].get_data()


def test_catalog_is_attached(book: Printed) -> None:
    data = json.loads(book.reader.attachments["catalog.json"][0])
    guide = book.guide
    assert [entry["id"] for entry in data["entries"]] == list(guide.catalog.entry)
    assert [key["id"] for key in data["keys"]] == [owned.id for owned in guide.catalog.owned_keys]
    assert data["date"] == book.settings.date and data["url"]["zh"] == f"{SITE}zh/"


def test_fonts_are_embedded_and_cut(book: Printed) -> None:
    found = set()
    for page in book.reader.pages:
        for font in page["/Resources"].get("/Font", {}).values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            descriptor = inner["/FontDescriptor"]
            assert "/FontFile2" in descriptor or "/FontFile3" in descriptor
            assert re.match(r"/[A-Z]{6}\+", inner["/BaseFont"]), inner["/BaseFont"]
            found.add(inner["/BaseFont"].partition("+")[2])
    assert any("NotoSansSC" in name for name in found)


def test_a_book_is_at_most_8_mb(book: Printed) -> None:
    assert book.file.stat().st_size <= 8_000_000


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


@pytest.fixture
def tiny(small: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small guide as a checkout that can be printed."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    (small / "mkdocs.yml").write_text(MKDOCS, encoding="utf-8")
    (small / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n', encoding="utf-8")
    for language in LANGUAGES:
        for framework in ("alpha", "beta"):
            page = small / "docs" / language / "frameworks" / f"{framework}.md"
            page.parent.mkdir(exist_ok=True)
            page.write_text(f"# {framework} {{ #framework-{framework} }}\n", encoding="utf-8")
        for folder, block in (("topics", "topics"), ("glossary", "glossaries")):
            page = small / "docs" / language / folder / "index.md"
            page.write_text(f"# {folder} {{ #{folder}-index }}\n\n/// catalog | {block}\n///\n", encoding="utf-8")
    stamp(load_guide(small))
    return small


def add(root: Path, text: str) -> None:
    """Append to the topic's page in both languages."""
    for language in LANGUAGES:
        page = root / "docs" / language / "topics" / "memory" / "index.md"
        page.write_text(page.read_text(encoding="utf-8") + "\n" + text + "\n", encoding="utf-8")
    stamp(load_guide(root))


def pages_of(file: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(file).pages)


def test_same_input_same_bytes(tiny: Path, tmp_path: Path) -> None:
    """In two processes with different hash seeds and folders."""
    files = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        environment = os.environ | {"PYTHONHASHSEED": seed}
        arguments = ["-m", "fieldguide.book", "--root", str(tiny), "--out", str(out), "--lang", "zh"]
        subprocess.run([sys.executable, *arguments], env=environment, cwd=ROOT, check=True, capture_output=True)
        files.append((out / "rl-fieldguide-zh.pdf").read_bytes())
    assert files[0] == files[1]


def test_one_framework_and_one_topic(tiny: Path, tmp_path: Path) -> None:
    (alpha,) = build(tiny, tmp_path, ["en"], Scope(framework="alpha"))
    assert alpha.name == "rl-fieldguide-alpha-en.pdf"
    titles = [item["/Title"] for item in flat(pypdf.PdfReader(alpha).outline)]
    assert "CUDA out of memory in training" in titles and "How many tokens does Beta take" not in titles
    links = [
        str(one.get_object().get("/A", {}).get("/URI"))
        for page in pypdf.PdfReader(alpha).pages
        for one in page.get("/Annots", ())
    ]
    assert f"{SITE}topics/memory/beta-oom/" in links, "what the book leaves out is a link to the site"
    assert not [title for title in titles if "beta" in title.lower()], "nothing of the other framework is in it"
    (memory,) = build(tiny, tmp_path, ["zh"], Scope(topic="memory"))
    assert memory.name == "rl-fieldguide-memory-zh.pdf"
    with pytest.raises(SettingsError, match="no topic 'speed'; known: memory"):
        build(tiny, tmp_path, ["en"], Scope(topic="speed"))


def test_tabs_details_and_admonitions_are_open(tiny: Path, tmp_path: Path) -> None:
    add(tiny, '=== "Tab one"\n\n    Inside one.\n\n=== "Tab two"\n\n    Inside two.\n')
    add(tiny, '??? note "Folded"\n\n    Inside the fold.\n\n!!! warning "Careful"\n\n    Inside the box.\n')
    (file,) = build(tiny, tmp_path, ["en"], Scope(topic="memory"))
    text = pages_of(file)
    for shown in (
        "Tab one",
        "Inside one.",
        "Tab two",
        "Inside two.",
        "Folded",
        "Inside the fold.",
        "Careful",
        "Inside the box.",
    ):
        assert shown in text


def test_long_lines_of_code_are_wrapped_not_cut(tiny: Path, tmp_path: Path) -> None:
    token = "".join(f"{n}abcdefgh" for n in range(60))
    add(tiny, f"```text\nValueError: {token} end\n```")
    (file,) = build(tiny, tmp_path, ["en"], Scope(topic="memory"))
    text = pages_of(file)
    assert f"ValueError:{token}end" in squeezed(text)
    assert max(len(line) for line in text.splitlines() if "abcd" in line) < 110


def test_long_tables_with_links_in_their_head_can_be_set(tiny: Path, tmp_path: Path) -> None:
    rows = "\n".join(f"| row {n} | text |" for n in range(80))
    add(tiny, f"| `max_tokens`{{ data-fw=alpha }} | What |\n|---|---|\n{rows}")
    (file,) = build(tiny, tmp_path, ["en"], Scope())
    assert "row 79" in pages_of(file)


def test_unknown_construct_names_page_and_construct(tiny: Path) -> None:
    add(tiny, "<aside>Look</aside>\n\n```mermaid\na --> b\n```\n\n![plan](plan.png)")
    with pytest.raises(ContentError) as caught:
        gather(load_guide(tiny), load_settings(tiny), "en", Scope())
    said = str(caught.value)
    assert "docs/en/topics/memory/index.md: the book has no rule for <aside> ('Look')" in said
    assert "docs/en/topics/memory/index.md: the book has no rule for a code block of 'mermaid'" in said
    assert "docs/en/topics/memory/index.md: the book has no rule for <img>" in said


TYPST = r"""#a(1)[
\12. May \
\1. see #b(); on 2026\-01\-02 or #strong[x].

#block[
#set enum(numbering: "1.", start: 3)
+ one `f(1)`

+ two

  ```bash
  ls -1
  ```
]

#figure(
  align(center)[#table(
    columns: (30%, 70%),
    align: (auto,auto,),
    table.header([A], [B],),
    table.hline(),
    [1], table.cell(align: right)[#c()[2];],
  )]
  , kind: table
  )

]
"""


def test_mapped_articles_become_typst() -> None:
    """Calls around what pandoc writes; what Typst would take for a list or a minus sign is escaped."""
    text = (
        '<div data-typst="a(1)"><p>12. May<br/> 1. see  <span data-typst="b()"/> on 2026-01-02 or <strong>x</strong>.</p>'
        '<ol start="3"><li>one <code>f(1)</code></li><li><p>two</p><pre class="bash"><code>ls -1</code></pre></li></ol>'
        '<table><colgroup><col style="width:30%"/><col style="width:70%"/></colgroup>'
        "<thead><tr><th>A</th><th>B</th></tr></thead>"
        '<tbody><tr><td>1</td><td style="text-align: right;"><span data-typst="c()">2</span></td></tr></tbody></table></div>'
    )
    (made, again) = to_typst([ElementTree.fromstring(text), ElementTree.fromstring('<div data-typst="d()"/>')])
    assert made == TYPST
    assert again == "#d();\n"


def test_code_that_is_declared_to_be_no_key_can_be_a_link(tiny: Path) -> None:
    add(tiny, "Called [`max_tokenz`{ .nokey }](alpha-oom.md) once.")
    book = gather(load_guide(tiny), load_settings(tiny), "en", Scope(topic="memory"))
    assert "max_tokenz" in [code.text for article in book.articles for code in article.iter("code")]


def test_what_only_a_browser_can_use_is_left_out_with_its_heading(tiny: Path, tmp_path: Path) -> None:
    add(tiny, "## Paste it { #paste }\n\n/// catalog | search-box\n///\n\n## More { #more }\n\nSee [the box](#paste).")
    (file,) = build(tiny, tmp_path, ["en"], Scope(topic="memory"))
    text = pages_of(file)
    assert "More" in text and "Paste" not in text
    links = [str(one.get_object().get("/A")) for page in pypdf.PdfReader(file).pages for one in page.get("/Annots", ())]
    assert any(f"{SITE}topics/memory/#paste" in link for link in links)


def test_dead_link_names_page_and_line(tiny: Path) -> None:
    page = tiny / "docs" / "en" / "topics" / "memory" / "beta-oom.md"
    page.write_text(page.read_text(encoding="utf-8").replace("alpha-oom.md)", "alpha-oom.md#gone)"), encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        gather(load_guide(tiny), load_settings(tiny), "en", Scope())
    line = next(i for i, text in enumerate(page.read_text(encoding="utf-8").splitlines(), 1) if "#gone)" in text)
    assert str(caught.value) == f"docs/en/topics/memory/beta-oom.md:{line}: link 'alpha-oom.md#gone' leads to no heading"


def linking_pdf(address: str) -> pikepdf.Pdf:
    """Two pages: a link on the first, a place named `memory:oom` on the second."""
    pdf = pikepdf.new()
    pages = [pdf.add_blank_page(page_size=(600, 800)).obj for _ in range(2)]
    action = pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String(address))
    link = pdf.make_indirect(pikepdf.Dictionary(Subtype=pikepdf.Name.Link, A=action, Contents=pikepdf.String(address)))
    pages[0].Annots = pikepdf.Array([link])
    place = pikepdf.Array([pages[1], pikepdf.Name.XYZ, 0, 800, 0])
    pdf.Root.Names = pikepdf.Dictionary(Dests=pikepdf.NameTree.new(pdf).obj)
    pikepdf.NameTree(pdf.Root.Names.Dests)["memory:oom"] = place
    return pdf


@pytest.mark.parametrize(
    ("address", "target"), [("fg:memory:oom", "memory:oom"), ("fg-at:2,70.5,110", ["/XYZ", 70.5, 700.0]), (SITE, None)]
)
def test_addresses_of_places_become_links_of_the_pdf(address: str, target: object) -> None:
    pdf = linking_pdf(address)
    link_places(pdf, "Page {}")
    link = pdf.pages[0].Annots[0]
    if target is None:
        assert str(link.A.URI) == address and str(link.Contents) == address
        return
    made = [str(link.Dest[1]), *map(float, link.Dest[2:4])] if isinstance(link.Dest, pikepdf.Array) else str(link.Dest)
    assert made == target and str(link.Contents) == "Page 2" and "/A" not in link


def test_link_to_an_unknown_place_names_its_page() -> None:
    with pytest.raises(DeadLinkError, match=r"^page 1: a link leads to 'memory:gone', which is no place in the book$"):
        link_places(linking_pdf("fg:memory:gone"), "Page {}")


def test_missing_glyph_names_its_place_and_nothing_is_written(tiny: Path, tmp_path: Path) -> None:
    add(tiny, "A Gothic letter: 𐌰")
    with pytest.raises(ContentError, match=r"docs/en/topics/memory/index\.md:\d+: no font of the PDF has '𐌰' \(U\+10330\)"):
        build(tiny, tmp_path / "dist", ["en"], Scope())
    assert not (tmp_path / "dist").exists()


def test_missing_library_and_font_say_what_to_do(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--root", str(tiny), "--out", str(tmp_path / "dist")]
    with monkeypatch.context() as patch:
        patch.setattr(command, "find_spec", lambda name: None if name == "typst" else object())
        assert command.main(arguments) == 2
    assert "not installed: typst. Run: bash scripts/setup.sh pdf" in capsys.readouterr().err
    (tmp_path / "fonts.json").write_bytes((font_files.FONTS / "fonts.json").read_bytes())
    monkeypatch.setattr(font_files, "FONTS", tmp_path)
    assert command.main(arguments) == 2
    assert "font file NotoSansSC-Regular.ttf.xz is missing" in capsys.readouterr().err
    assert not (tmp_path / "dist").exists()


def test_vendored_fonts_are_the_recorded_ones(tmp_path: Path) -> None:
    assert {file.name for file in font_files.unpack_fonts(tmp_path)} == {"NotoSansSC-Regular.ttf", "NotoSansSC-Bold.ttf"}
    assert sum(file.stat().st_size for file in font_files.FONTS.iterdir()) < 3_000_000


def test_wide_tables_get_widths_that_fill_the_line() -> None:
    table = Element("table")
    for cells in (("key", "what it does"), ("a_b", "word " * 60)):
        row = Element("tr")
        for text in cells:
            cell = Element("td")
            cell.text = text
            row.append(cell)
        table.append(row)
    widths = column_widths(table)
    assert sum(widths) == 100 and widths[1] > widths[0]


def test_words_of_the_book_are_the_same_in_both_languages() -> None:
    words = settings_of(ROOT).words
    assert list(words) == list(LANGUAGES)
    assert list(words["en"]) == list(words["zh"]) and all(words["zh"].values())
