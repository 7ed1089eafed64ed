"""Inline code that is a key becomes a link to the glossary; the keys of a code block are listed under it."""

import html
import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from markdown.util import AtomicString

from fieldguide.content.catalog.store import Owned
from fieldguide.content.guide import Guide
from fieldguide.site.markdown.render import Renderer
from fieldguide.site.markdown.sections import heading_level

# Rows by the hundred: links with their tooltips would weigh more than the words.
_MANY = ("fg-keys", "fg-bugs")
# What Python-Markdown leaves where it put finished HTML aside.
_STASHED = re.compile("^\x02wzxhzdk:(\\d+)\x03$")


def link_keys(root: Element, guide: Guide, renderer: Renderer, framework: str | None, stash: Sequence[object]) -> None:
    """Link keys below `root`.

    Args:
        framework: the page's; a <section data-fw> overrides it for what is inside.
        stash: Python-Markdown's raw HTML blocks, where fenced code waits.
    """
    _walk(root, guide, renderer, framework, None, stash)


def _walk(
    element: Element, guide: Guide, renderer: Renderer, framework: str | None, here: str | None, stash: Sequence[object]
) -> None:
    framework = element.get("data-fw") or framework
    here = element.get("data-key") or here
    for child in list(element):
        if heading_level(child) or child.tag in ("a", "pre") or child.get("class") in _MANY:
            continue
        if child.tag == "summary":  # is pressed itself, so it holds no links
            for code in child.iter("code"):
                _resolve(code, guide, framework)
            continue
        if child.tag == "code":
            owned = _resolve(child, guide, framework)
            if owned and owned.id != here:
                _replace(element, child, _link(child, owned, renderer))
            continue
        _walk(child, guide, renderer, framework, here, stash)
        keys = [owned for owned in _fenced(child, guide, framework, stash) if owned.id != here]
        if keys:
            element.insert(list(element).index(child) + 1, renderer.element("code_keys", keys=keys))


def _resolve(code: Element, guide: Guide, framework: str | None) -> Owned | None:
    own = code.attrib.pop("data-fw", None)
    classes = code.get("class", "").split()
    if "nokey" in classes:
        del code.attrib["class"]
        return None
    resolved = guide.keys.resolve(html.unescape("".join(code.itertext())), own or framework)
    return resolved if isinstance(resolved, Owned) else None


def _link(code: Element, owned: Owned, renderer: Renderer) -> Element:
    link = Element("a", {"class": "fg-key", "href": renderer.key_url(owned), "title": renderer.key_tip(owned)})
    link.tail, code.tail = code.tail, None
    link.append(_with_breaks(code))
    return link


def _with_breaks(code: Element) -> Element:
    """Let a long name break after a dot, an underscore or a hyphen."""
    if len(code):
        return code
    first, *rest = re.split(r"(?<=[._-])(?=[A-Za-z])", html.unescape(code.text or ""))
    code.text = AtomicString(html.escape(first, quote=False))
    for part in rest:
        SubElement(code, "wbr").tail = AtomicString(html.escape(part, quote=False))
    return code


def _replace(parent: Element, old: Element, new: Element) -> None:
    index = list(parent).index(old)
    parent.remove(old)
    parent.insert(index, new)


def stashed(element: Element, stash: Sequence[object]) -> str:
    """HTML of a code block that Python-Markdown has put aside; empty when the element is not the place of one."""
    match = _STASHED.match((element.text or "").strip()) if element.tag == "p" and not len(element) else None
    block = stash[int(match.group(1))] if match else None
    return block if isinstance(block, str) and "<code" in block else ""


def _fenced(element: Element, guide: Guide, framework: str | None, stash: Sequence[object]) -> list[Owned]:
    block = stashed(element, stash)
    if not block:
        return []
    return guide.keys.in_code(html.unescape(re.sub(r"<[^>]+>", "", block)), framework)
