"""Mapped articles as pandoc's own document tree. pandoc reads that in a fifth of the time it takes for HTML, and the calls
of the template's functions (`data-typst`, made by fieldguide/book/mapping.py) need no filter."""

import json
import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any
from xml.etree.ElementTree import Element

from fieldguide.book.calls import Node, nodes_of, plain_text

Tree = dict[str, Any]
_VERSION = [1, 23, 1]  # of the tree, that is of pandoc-types; pandoc 3 reads it
_PLAIN = ["", [], []]  # no id, classes, attributes
_STYLES = {"strong": "Strong", "em": "Emph", "sub": "Subscript", "sup": "Superscript", "del": "Strikeout"}
_INLINE = frozenset({"span", "code", "br", *_STYLES})
_BREAK: Tree = {"t": "LineBreak"}
_HYPHEN: Tree = {"t": "RawInline", "c": ("typst", r"\-")}
# A number that begins a line, which pandoc escapes when it stands alone (Typst would begin a list), and a hyphen before a
# digit, which Typst would set as a minus sign: dates and versions keep their hyphens.
_APART = re.compile(r"(^ ?\d+\.(?= |$)|-(?=\d))")
_ALIGNED = re.compile(r"text-align:\s*(left|right|center)")


def document(articles: Sequence[Element], between: str) -> str:
    """JSON for `--from=json`; `between` two articles stands this piece of Typst."""
    blocks: list[Tree] = []
    for article in articles:
        blocks += [_raw("RawBlock", between)] if blocks else []
        blocks += _block(article)
    return json.dumps({"pandoc-api-version": _VERSION, "meta": {}, "blocks": blocks}, ensure_ascii=False)


def _node(kind: str, *content: Any) -> Tree:
    return {"t": kind, "c": content[0] if len(content) == 1 else content}


def _raw(kind: str, typst: str) -> Tree:
    return _node(kind, "typst", typst)


def _call(kind: str, element: Element, content: list[Tree], close: str) -> list[Tree]:
    """A call around what the function gets; without content it gets none."""
    call = element.attrib["data-typst"]
    return [_raw(kind, f"#{call}["), *content, _raw(kind, close)] if content else [_raw(kind, f"#{call};")]


def _blocks(parent: Element) -> list[Tree]:
    """What is inside an element as blocks; text that stands bare makes no paragraph."""
    made: list[Tree] = []
    for inline, nodes in groupby(nodes_of(parent), lambda node: isinstance(node, str) or node.tag in _INLINE):
        if inline:
            made += _text_block("Plain", [one for node in nodes for one in _inline(node)])
        else:
            made += [block for node in nodes if isinstance(node, Element) for block in _block(node)]
    return made


def _block(element: Element) -> list[Tree]:
    match element.tag:
        case "p":
            return _text_block("Para", _inlines(element))
        case "div":
            return _call("RawBlock", element, _blocks(element), "]")
        case "pre":
            return [_node("CodeBlock", ["", [element.get("class", "")], []], plain_text(element))]
        case "ul":
            return [_node("BulletList", [_blocks(item) for item in element])]
        case "ol":
            style = [int(element.get("start", "1")), {"t": "DefaultStyle"}, {"t": "DefaultDelim"}]
            return [_node("OrderedList", style, [_blocks(item) for item in element])]
        case "dl":
            return [_node("DefinitionList", _definitions(element))]
        case "table":
            return [_table(element)]
        case "blockquote":
            return [_node("BlockQuote", _blocks(element))]
        case "hr":
            return [{"t": "HorizontalRule"}]
    raise ValueError(f"a mapped page has <{element.tag}> where a block may stand")


def _definitions(element: Element) -> list[Any]:
    """Terms, each with what is said of it."""
    terms: list[Any] = []
    for child in element:
        if child.tag == "dt":
            terms.append([_trimmed(_inlines(child)), []])
        else:
            terms[-1][1].append(_blocks(child))
    return terms


def _table(element: Element) -> Tree:
    widths = [_node("ColWidth", int(re.sub(r"\D", "", one.get("style", ""))) / 100) for one in element.iter("col")]
    heads, rows = ([_row(row) for part in element.findall(tag) for row in part] for tag in ("thead", "tbody"))
    first = (heads or rows)[0][1]
    columns = [[cell[1], width] for cell, width in zip(first, widths or [{"t": "ColWidthDefault"}] * len(first), strict=True)]
    return _node("Table", _PLAIN, [None, []], columns, [_PLAIN, heads], [[_PLAIN, 0, [], rows]], [_PLAIN, []])


def _row(element: Element) -> list[Any]:
    return [_PLAIN, [[_PLAIN, _alignment(cell), 1, 1, _blocks(cell)] for cell in element]]


def _alignment(cell: Element) -> Tree:
    found = _ALIGNED.search(cell.get("style", ""))
    return {"t": f"Align{found.group(1).title() if found else 'Default'}"}


def _inlines(parent: Element) -> list[Tree]:
    return [one for node in nodes_of(parent) for one in _inline(node)]


def _inline(node: Node) -> list[Tree]:
    if isinstance(node, str):
        return _text(node)
    if node.tag == "span":
        return _call("RawInline", node, _inlines(node), "];")
    if node.tag == "code":
        return [_node("Code", _PLAIN, _one_line(plain_text(node)))]
    if node.tag == "br":
        return [_BREAK]
    if node.tag not in _STYLES:
        raise ValueError(f"a mapped page has <{node.tag}> inside text")
    return [_node(_STYLES[node.tag], _inlines(node))]


def _text(text: str) -> list[Tree]:
    """Running text in as few pieces as can be."""
    pieces = enumerate(_APART.split(_one_line(text)))
    return [_HYPHEN if i % 2 and piece == "-" else _node("Str", piece) for i, piece in pieces if piece]


def _one_line(text: str) -> str:
    """White space as a browser shows it."""
    return re.sub(r"\s+", " ", text)


def _text_block(kind: str, inlines: list[Tree]) -> list[Tree]:
    run = _trimmed(inlines)
    return [_node(kind, run)] if run else []


def _trimmed(inlines: list[Tree]) -> list[Tree]:
    """Without white space at both ends and beside breaks."""
    for before, one, after in zip([_BREAK, *inlines], inlines, [*inlines[1:], _BREAK], strict=False):
        if one["t"] == "Str":
            text = one["c"].lstrip() if before is _BREAK else one["c"]
            one["c"] = text.rstrip() if after is _BREAK else text
    return [one for one in inlines if one.get("c") != ""]
