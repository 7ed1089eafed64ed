"""The two indexes at the back lead to where the texts and keys stand."""

import re

from fieldguide.content.catalog.store import Owned
from fieldguide.content.signature import display_signature
from fieldguide.site.markdown.render import Renderer
from tests.books import Printed, squeezed


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
