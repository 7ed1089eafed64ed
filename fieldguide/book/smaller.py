"""A PDF in fewer bytes that looks the same: what Typst writes anew for each piece of text is said once, and places are no more
exact than an eye is."""

import re
from collections.abc import Iterator, Sequence

from pikepdf import Array, Object

_DIGITS = 1  # of a place, in points: half a tenth is a fifth of a dot at 300 to the inch
_STRING = rb"\((?:[^()\\]|\\.)*\)|<[0-9A-F]*>"
# A piece of text as Typst places it: where, its colour, its font, the text. The page is upside down for it, twice.
_TEXT = re.compile(
    rb"q 1 0 0 -1 ([\d.-]+) ([\d.-]+) cm(/c0 cs [\d.]+ [\d.]+ [\d.]+ scn)\n"
    rb"BT 0 Tr(/f\d+ [\d.]+ Tf) 1 0 0 -1 0 0 Tm((?:%s)Tj|\[(?:%s|[\d.-]+|\s)*\]TJ)\nET\nQ" % (_STRING, _STRING),
    re.DOTALL,
)
# What may stand between two pieces that share their state: the end of one tagged part, the begin of another.
_TAGS = re.compile(rb"\s*(?:EMC\s*|/\w+<<[^<>]*>>BDC\s*)*")
_ANY_STRING = re.compile(_STRING, re.DOTALL)
_ESCAPED = re.compile(rb"\\([\\()])")
_SPECIAL = re.compile(rb"[\\()\r]")
_COLOUR = re.compile(rb"(\d\.\d{4,}) (\d\.\d{4,}) (\d\.\d{4,})(?= (?:scn|SCN)\b)")
_SAME_LINE, _GAP = 3.0, 1.0  # points that pieces of one line may differ by, above each other and side by side


def smaller_page(content: bytes) -> bytes:
    r"""A page with the state of its text set only where it changes, strings as bytes, and colours as exact as eight bits are.

    >>> start = b"q 1 0 0 -1 %d.00123 795.2677 cm/c0 cs 0.35686275 0.39215687 0.4392157 scn"
    >>> text = start + b"\nBT 0 Tr/f0 8 Tf 1 0 0 -1 0 0 Tm<0041>Tj\nET\nQ"
    >>> smaller_page(text % 10 + b"\nEMC/Span<</MCID 1>>BDC\n" + text % 20).split(b"\n")
    [b'q/c0 cs 0.357 0.392 0.439 scn', b'BT/f0 8 Tf 10 795.3 Td(\x00A)Tj', b'ET',
     b'EMC/Span<</MCID 1>>BDC', b'BT 20 795.3 Td(\x00A)Tj', b'ET', b'Q']
    """
    return b"".join(_pieces(_COLOUR.sub(lambda colour: b"%.3f %.3f %.3f" % tuple(map(float, colour.groups())), content)))


def _pieces(content: bytes) -> Iterator[bytes]:
    colour = font = None
    end = 0
    for text in _TEXT.finditer(content):
        between = content[end : text.start()]
        if colour is not None and not _TAGS.fullmatch(between):
            yield b"\nQ"
            colour = None
        yield between
        if colour is None:
            yield b"q"
            font = None
        if text[3] != colour:
            colour = text[3]
            yield colour + b"\n"
        yield b"BT"
        if text[4] != font:
            font = text[4]
            yield font
        yield b" %s %s Td%s\nET" % (_place(text[1]), _place(text[2]), _ANY_STRING.sub(_as_bytes, text[5]))
        end = text.end()
    if colour is not None:
        yield b"\nQ"
    yield content[end:]


def _place(number: bytes) -> bytes:
    return b"%g" % round(float(number), _DIGITS)


def _as_bytes(string: re.Match[bytes]) -> bytes:
    inner = string[0][1:-1]
    special = _SPECIAL.sub(_escaped, bytes.fromhex(inner.decode()) if string[0].startswith(b"<") else _unescaped(inner))
    return b"(%s)" % special


def _unescaped(literal: bytes) -> bytes:
    """What a literal string stands for; its escapes are Python's, but for those of parentheses."""
    octal = _ESCAPED.sub(lambda found: b"\\%03o" % ord(found[1]), literal)
    return octal.decode("unicode_escape").encode("latin-1")


def _escaped(found: re.Match[bytes]) -> bytes:
    return b"\\r" if found[0] == b"\r" else b"\\" + found[0]


def make_smaller(link: Object) -> None:
    """Give a link one area per line instead of one per piece of text; a link on one line has its rectangle alone."""
    link.Rect = Array([round(float(at), _DIGITS) for at in link.Rect])
    if "/QuadPoints" not in link:
        return
    corners = [float(at) for at in link.QuadPoints]
    lines = _lines([_box(corners[start : start + 8]) for start in range(0, len(corners), 8)])
    if len(lines) == 1:
        del link["/QuadPoints"]
    else:
        link.QuadPoints = Array([round(at, _DIGITS) for line in lines for at in _corners(*line)])


Box = tuple[float, float, float, float]


def _box(corners: Sequence[float]) -> Box:
    return min(corners[::2]), min(corners[1::2]), max(corners[::2]), max(corners[1::2])


def _corners(left: float, low: float, right: float, high: float) -> tuple[float, ...]:
    return left, low, right, low, right, high, left, high


def _lines(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that follow each other on one line as one."""
    made: list[Box] = []
    for left, low, right, high in boxes:
        if made and abs(left - made[-1][2]) <= _GAP and abs(low - made[-1][1]) <= _SAME_LINE:
            first, lowest, _, highest = made.pop()
            left, low, high = first, min(low, lowest), max(high, highest)
        made.append((left, low, right, high))
    return made
