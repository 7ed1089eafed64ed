"""The PDF in fewer bytes: the same places, the same text."""

import pikepdf
import pytest
from pikepdf import Array, Dictionary

from fieldguide.book.smaller import make_smaller, smaller_page

RUN = b"q 1 0 0 -1 %s 700.1299 cm/c0 cs %s 0.2 0.3 scn\nBT 0 Tr/f%d 9.6 Tf 1 0 0 -1 0 0 Tm%s\nET\nQ"


def area(left: float, low: float, right: float, high: float) -> list[float]:
    return [left, low, right, low, right, high, left, high]


def link(*areas: list[float]) -> Dictionary:
    return Dictionary(Rect=Array([0.12345, 1, 2, 3]), QuadPoints=Array([at for one in areas for at in one]))


def test_pieces_of_one_line_are_one_area_and_need_none_of_their_own() -> None:
    one = link(area(10, 100, 50, 112), area(50.001, 99.5, 80, 113))
    make_smaller(one)
    assert "/QuadPoints" not in one and list(map(float, one.Rect)) == [0.1, 1, 2, 3]


def test_a_link_on_two_lines_keeps_two_areas() -> None:
    one = link(area(10, 100, 50, 112), area(50, 99, 80.1234, 113), area(5, 80, 20, 92))
    make_smaller(one)
    assert [float(at) for at in one.QuadPoints] == [*area(10, 99, 80.1, 113), *area(5, 80, 20, 92)]


def test_colour_and_font_are_said_where_they_change() -> None:
    runs = [(b"10", b"0.1", 0), (b"20", b"0.1", 1), (b"30", b"0.5", 1)]
    page = b"\n".join(RUN % (at, red, font, b"[<0041>-3(\\000B)]TJ") for at, red, font in runs)
    small = smaller_page(page)
    assert [small.count(word) for word in (b"q", b"Q", b"scn", b"Tf", b"Td")] == [1, 1, 2, 2, 3]
    assert b"30 700.1 Td[(\x00A)-3(\x00B)]TJ" in small


@pytest.mark.parametrize("between", [b"0 0 1 rg", b"q 5 0 0 5 0 0 cm/x1 Do Q", b"1 0 0 1 3 3 cm"])
def test_nothing_is_carried_over_what_else_is_drawn(between: bytes) -> None:
    run = RUN % (b"10", b"0.1", 0, b"(\\000A)Tj")
    small = smaller_page(run + b"\n" + between + b"\n" + run)
    before, after = small.split(between)
    assert before.rstrip().endswith(b"Q") and after.lstrip().startswith(b"q/c0 cs 0.1 0.2 0.3 scn\nBT/f0 9.6 Tf")


@pytest.mark.parametrize("text", [b"(\\\\\\(\\)\\n\\015)Tj", b"<5C28290A0D>Tj", b"(\\134\\050\\051\\012\\r)Tj"])
def test_a_string_stands_for_the_same_bytes(text: bytes) -> None:
    small = smaller_page(RUN % (b"10", b"0.1", 0, text))
    with pikepdf.new() as pdf:
        parsed = pikepdf.parse_content_stream(pdf.make_stream(small))
    [string] = [one.operands[0] for one in parsed if str(one.operator) == "Tj"]
    assert bytes(string) == b"\\()\n\r"
