"""Typst as text: literals, and elements that fieldguide/book/emit.py turns into calls of the template's functions."""

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

Node = Element | str
Value = str | int | bool | None | Iterable[str | None]


def literal(value: Value) -> str:
    """A Typst literal.

    >>> literal('say "a\\\\b"'), literal(None), literal(True), literal(["a", None])
    ('"say \\\\"a\\\\\\\\b\\\\""', 'none', 'true', '("a", none,)')
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped}"'
    return "(" + " ".join(f"{literal(item)}," for item in value) + ")"


def inline(function: str, *arguments: Value, body: Iterable[Node] = ()) -> Element:
    """An inline call; without a body the function gets no content."""
    return _call("span", function, arguments, body)


def block(function: str, *arguments: Value, body: Iterable[Node] = ()) -> Element:
    """A block call."""
    return _call("div", function, arguments, body)


def _call(tag: str, function: str, arguments: Iterable[Value], body: Iterable[Node]) -> Element:
    return element(tag, {"data-typst": f"{function}({', '.join(map(literal, arguments))})"}, body)


def element(tag: str, attributes: dict[str, str] | None = None, body: Iterable[Node] = ()) -> Element:
    """An element with children and text in the order given."""
    made = Element(tag, attributes or {})
    for node in body:
        if isinstance(node, Element):
            node.tail = None
            made.append(node)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + node
        else:
            made.text = (made.text or "") + node
    return made


def nodes_of(parent: Element) -> Iterator[Node]:
    """Text and children of an element, in order."""
    if parent.text:
        yield parent.text
    for child in parent:
        yield child
        if child.tail:
            yield child.tail


def plain_text(node: Element) -> str:
    """Text of an element; places where a line may break are not text."""
    return "".join(node.itertext())
