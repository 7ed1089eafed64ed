"""Links inside the book. The template writes them as addresses, because links that Typst has to resolve cost a third more
memory and another round of setting the book; here they become links of the PDF."""

from collections.abc import Iterator, Mapping, Sequence

from pikepdf import Array, Dictionary, Name, NameTree, Object, Page, Pdf, String

NAMED, AT = "fg:", "fg-at:"
_ABOVE = 10  # points of what stands above a place that a reader sees too; as many as Typst gives its own links

Place = tuple[Object, int]


class DeadLinkError(Exception):
    """Links lead to labels that the PDF has no place for; the message has each with its page."""


def link_places(pdf: Pdf, words: str) -> None:
    """Turn `fg:LABEL` into links to named places, and `fg-at:PAGE,X,Y` (points from the top left) into links to positions.

    Args:
        words: what screen readers say of such a link; `{}` is the page it leads to.

    Raises:
        DeadLinkError: there is no place of that name.
    """
    pages = list(pdf.pages)
    named = _named_places(pdf, pages)
    dead = []
    for number, annotation, address in _links(pages):
        place = _position(address, pages) if address.startswith(AT) else named.get(address.removeprefix(NAMED))
        if place is None:
            dead.append(f"page {number}: a link leads to {address.removeprefix(NAMED)!r}, which is no place in the book")
            continue
        annotation.Dest, page = place
        annotation.Contents = String(words.format(page))
        del annotation["/A"]
    if dead:
        raise DeadLinkError("\n".join(dead))


def _named_places(pdf: Pdf, pages: Sequence[Page]) -> Mapping[str, Place]:
    """Label → its name as a destination, and the page it is on."""
    numbers = {page.obj.objgen: number for number, page in enumerate(pages, 1)}
    if "/Dests" not in pdf.Root.get("/Names", Dictionary()):
        return {}
    places = NameTree(pdf.Root.Names.Dests).items()
    return {str(label): (String(str(label)), numbers[place[0].objgen]) for label, place in places}


def _links(pages: Sequence[Page]) -> Iterator[tuple[int, Object, str]]:
    """Page number, annotation and address of every link that is to lead into the book."""
    for number, page in enumerate(pages, 1):
        for annotation in page.obj.get("/Annots", ()):
            address = bytes(annotation.get("/A", Dictionary()).get("/URI", b"")).decode("utf-8", "replace")
            if address.startswith((NAMED, AT)):
                yield number, annotation, address


def _position(address: str, pages: Sequence[Page]) -> Place:
    number, x, y = address.removeprefix(AT).split(",")
    page = pages[int(number) - 1]
    top = float(page.mediabox[3]) - max(0.0, float(y) - _ABOVE)
    return Array([page.obj, Name.XYZ, round(float(x), 3), round(top, 3), 0]), int(number)
