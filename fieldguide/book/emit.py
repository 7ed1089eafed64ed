"""Mapped articles as Typst. All text is string literals, in which nothing needs escaping, wherever it stands.

Calls of the template's functions (`data-typst`) are made by fieldguide/book/rules.py.
"""

import re
from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element

from fieldguide.book.calls import literal, nodes_of, plain_text

_ALIGNED = re.compile(r"text-align:\s*(left|right|center)")


def to_typst(mapped: Element) -> str:
    """One element as Typst markup; what begins a block begins a line, and a blank line ends a paragraph.

    Raises:
        ValueError: an element that no rule of the mapping makes.
    """
    if inline := _INLINE.get(mapped.tag):
        return f"#{inline(mapped)}"
    if block := _BLOCKS.get(mapped.tag):
        return f"\n#{block(mapped)}\n\n"
    if mapped.tag == "div":
        return f"\n#{_call(mapped)}\n"
    if mapped.tag == "p":
        return f"{_inside(mapped)}\n\n"
    raise ValueError(f"a mapped page has <{mapped.tag}>")


def _inside(parent: Element) -> str:
    return "".join(_text(node) if isinstance(node, str) else to_typst(node) for node in nodes_of(parent))


def _text(text: str) -> str:
    """Running text. White space around it is left to Typst, which drops it at the ends of a paragraph and beside breaks."""
    line = _one_line(text)
    words = line.strip()
    return line.replace(words, f"#{literal(words)}", 1) if words else line


def _one_line(text: str) -> str:
    """White space as a browser shows it."""
    return re.sub(r"\s+", " ", text)


def _call(element: Element) -> str:
    """A call with what the function gets; without content it gets none."""
    content = _inside(element)
    return element.attrib["data-typst"] + (f"[{content}]" if content else "")


def _styled(function: str) -> Callable[[Element], str]:
    return lambda element: f"{function}[{_inside(element)}]"


def _code(element: Element) -> str:
    return f"raw({literal(_one_line(plain_text(element)))})"


def _code_block(element: Element) -> str:
    return f"raw(block: true, lang: {literal(element.get('class'))}, {literal(plain_text(element))})"


def _enumeration(listing: Element) -> str:
    return f"enum(start: {int(listing.get('start', '1'))}, {_items(listing)})"


def _items(listing: Element) -> str:
    """Arguments of a list: its items stand close when each begins with bare text."""
    tight = all(_begins_with_text(item) for item in listing)
    return ", ".join([f"tight: {literal(tight)}", *(f"[{_inside(item)}]" for item in listing)])


def _begins_with_text(item: Element) -> bool:
    first = next((node for node in nodes_of(item) if not isinstance(node, str) or node.strip()), "")
    return isinstance(first, str) or first.tag in _INLINE


def _terms(listing: Element) -> str:
    """Terms, each with all that is said of it."""
    terms = [""]
    for child in listing:
        if child.tag == "dt":
            terms += [_inside(child), ""]
        else:
            terms[-1] += f"{_inside(child)}\n\n"
    return f"terms({', '.join(f'([{term}], [{facts}])' for term, facts in zip(terms[1::2], terms[2::2], strict=True))})"


def _table(element: Element) -> str:
    heads, rows = ([row for part in element.findall(tag) for row in part] for tag in ("thead", "tbody"))
    widths = [one.get("style", "").removeprefix("width:") for one in element.findall("col")]
    columns = f"({', '.join(widths)},)" if widths else str(len((heads or rows)[0]))
    lines = [f"columns: {columns}"]
    if heads:
        lines.append(f"table.header({', '.join(_cell(cell) for row in heads for cell in row)}), table.hline()")
    lines += [", ".join(map(_cell, row)) for row in rows]
    return "fg-table(" + ",\n".join(lines) + ")"


def _cell(cell: Element) -> str:
    found = _ALIGNED.search(cell.get("style", ""))
    return f"table.cell(align: {found.group(1)})[{_inside(cell)}]" if found else f"[{_inside(cell)}]"


_INLINE: Mapping[str, Callable[[Element], str]] = {
    "span": _call,
    "code": _code,
    "br": lambda _: "linebreak()",
    "strong": _styled("strong"),
    "em": _styled("emph"),
    "sub": _styled("sub"),
    "sup": _styled("super"),
    "del": _styled("strike"),
}
_BLOCKS: Mapping[str, Callable[[Element], str]] = {
    "pre": _code_block,
    "ul": lambda listing: f"list({_items(listing)})",
    "ol": _enumeration,
    "dl": _terms,
    "table": _table,
    "blockquote": _styled("quote(block: true)"),
    "hr": lambda _: "line(length: 100%)",
}
