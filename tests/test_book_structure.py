"""The books as files: contents, bookmarks, links, what they say of themselves and what they carry."""

import json
import re
from typing import Any

from fieldguide.book.book import typst_files
from fieldguide.content.addresses import LANGUAGES
from fieldguide.site.markdown.blocks import key_index
from fieldguide.site.publish.catalog import plain_title
from tests.books import PAGE_WORDS, SITE, Printed, settings_of, squeezed
from tests.conftest import ROOT


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
    listed = {chapter.page.name: [title for _, title in chapter.listed] for chapter in book.gathered.chapters}
    for topic, entries in book.guide.catalog.entries_of.items():
        index = book.guide.documents[book.language][f"topics/{topic}/index"]
        headings = sum(section.level <= 2 for section in index.sections)
        assert len(listed[f"topics/{topic}/index"]) == headings + len(entries)
        titles = [plain_title(book.guide, book.language, one.id) for one in entries]
        assert [squeezed(one) for one in listed[f"topics/{topic}/index"][headings:]] == [squeezed(one) for one in titles]
    fix = book.guide.words[book.language]["label_fix"].rstrip(":")
    assert not [title for titles in listed.values() for title in titles if title == fix or title.startswith("--")]
    assert fix not in dict(book.bookmarks)


def test_room_for_the_contents_has_their_titles_in_order(book: Printed) -> None:
    """Typst's first round sets these instead of the contents, so that no page moves in the second."""
    rows = json.loads(typst_files(book.gathered)["contents.json"])
    first = dict(book.bookmarks)[book.guide.documents[book.language]["index"].title]
    lines = "\n".join(book.pages[1 : first - 1]).replace("\u2060", "").splitlines()[1:]
    text = squeezed("".join(re.sub(r" {2}\d+$", "", line) for line in lines))
    assert text == squeezed("".join(row["title"] for row in rows))


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
    leading = {squeezed(one) for one in outside if one.startswith(SITE)}
    wide = {one for one in leading if "/versions/" in one}  # tables that are too wide for paper
    what = "only the cover, the entries' permalinks and the tables of versions lead to the site"
    assert len(leading - wide) == len(book.guide.catalog.entry) + 1 and wide, what


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


def test_a_book_is_at_most_12_mb(book: Printed) -> None:
    assert book.file.stat().st_size <= 12_000_000


def test_words_of_the_book_are_the_same_in_both_languages() -> None:
    words = settings_of(ROOT).words
    assert list(words) == list(LANGUAGES)
    assert list(words["en"]) == list(words["zh"]) and all(words["zh"].values())
