"""What the site says stands in the books, as programs read it out of them."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from lxml import html

from fieldguide.content.addresses import page_address
from tests.books import SITE, Printed, squeezed


def test_every_picture_is_in_the_book_once_as_text(book: Printed) -> None:
    text = squeezed("\n".join(book.pages))
    assert {id_: text.count(words) for id_, words in book.pictured.items()} == dict.fromkeys(book.guide.catalog.diagram, 1)


def blocks(article: Element) -> Iterator[str]:
    """Text of every block of what the book shows, squeezed."""
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


def test_every_block_of_every_page_is_in_the_text(book: Printed) -> None:
    """Titles, fixes, code, cells: as the site has them, read from the character maps and not from any text beside them."""
    lost = []
    for name, article in book.shown.items():
        lost += [f"{name}: {block[:80]}" for block in blocks(article) if block and block not in book.text]
    assert not lost, "\n".join(lost)


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext (poppler-utils) is not installed")
def test_pdftotext_gives_every_title_and_fix(book: Printed) -> None:
    """In the order of the page: without `-raw` it guesses columns, and takes cells of a table apart."""
    raw = subprocess.run(["pdftotext", "-raw", book.file, "-"], capture_output=True, text=True, check=True).stdout
    pages = [[line for line in page.splitlines() if line.strip()][1:-1] for page in raw.split("\f")]  # head and foot aside
    text = book.running("\n".join("\n".join(lines) for lines in pages))
    wanted = [(name, block) for name, article in book.shown.items() for block in titles_and_fixes(article)]
    lost = [f"{name}: {block[:90]}" for name, block in wanted if block not in text]
    assert len(wanted) > 2 * len(book.guide.catalog.entry)
    assert not lost, "\n".join(lost)


def titles_and_fixes(article: Element) -> Iterator[str]:
    """Title of every entry, and the blocks of its fix or answer."""
    for section in article.findall("section[@data-entry]"):
        yield squeezed("".join(section[0].itertext()))
        for part in section.findall("section"):
            if part.get("data-part") in ("fix", "answer"):
                yield from blocks(part)


def test_articles_are_those_of_the_site(book: Printed, site: Path) -> None:
    for name, article in book.articles.items():
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
