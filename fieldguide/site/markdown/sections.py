"""Wrap what belongs to one heading in a <section>, so that the filter, the search and the PDF find its end."""

from xml.etree.ElementTree import Element

from fieldguide.content.guide import Guide

_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def heading_level(element: Element) -> int | None:
    """1 to 6 for a heading, else None."""
    return _HEADINGS.get(element.tag) if isinstance(element.tag, str) else None


def wrap_sections(root: Element, guide: Guide) -> None:
    """Wrap every heading that is an entry, a key or a concept, or that names a framework, with what follows it.

    The section takes over `data-fw`; its `data-entry`, `data-key` or `data-concept` is the heading's id.
    """
    for element in list(root):
        attributes = _attributes(element, guide)
        if attributes:
            _wrap(root, element, attributes)


def _attributes(heading: Element, guide: Guide) -> dict[str, str]:
    if heading_level(heading) is None:
        return {}
    id_ = heading.get("id", "")
    catalog = guide.catalog
    attributes: dict[str, str] = {}
    if entry := catalog.entry.get(id_):
        attributes = {"class": "fg-entry", "data-entry": id_, "data-fw": entry.framework}
    elif id_ in catalog.key_by_id:
        attributes = {"class": "fg-key-section", "data-key": id_}
    elif id_ in catalog.concept:
        attributes = {"class": "fg-concept", "data-concept": id_}
    if framework := heading.attrib.pop("data-fw", None):
        attributes |= {"class": attributes.get("class", "fg-part"), "data-fw": framework}
    return attributes


def _wrap(root: Element, heading: Element, attributes: dict[str, str]) -> None:
    parent = _parent(root, heading)
    siblings = list(parent)
    start = siblings.index(heading)
    level = heading_level(heading) or 6
    stop = next(
        (i for i in range(start + 1, len(siblings)) if _starts_at(siblings[i]) <= level),
        len(siblings),
    )
    section = Element("section", attributes)
    for child in siblings[start:stop]:
        parent.remove(child)
        section.append(child)
    parent.insert(start, section)


def _starts_at(element: Element) -> int:
    """Heading level at which an element opens; 7 for one that is no heading."""
    level = heading_level(element)
    if level is None and element.tag == "section" and len(element):
        level = heading_level(element[0])
    return level or 7


def _parent(root: Element, child: Element) -> Element:
    """A heading sits at the top, or inside a section that was wrapped before it."""
    return next((element for element in root.iter() if child in list(element)), root)
