"""What the catalog knows, under the heading it belongs to."""

from xml.etree.ElementTree import Element, SubElement

from fieldguide.content.catalog.store import Owned
from fieldguide.content.guide import Guide
from fieldguide.content.keys import resolve_keys
from fieldguide.site.markdown.entry import build_entry, mark_aliases
from fieldguide.site.markdown.render import Renderer


def add_cards(root: Element, guide: Guide, renderer: Renderer) -> None:
    """Make the page of an entry; put a card into every key and concept section."""
    for section in list(root.iter("section")):
        if section.get("data-entry"):
            build_entry(section, guide, renderer)
        elif key_id := section.get("data-key"):
            owned = guide.catalog.key_by_id[key_id]
            mark_aliases(section[0], owned.key.aliases)
            section.insert(1, renderer.element("key_card", owned=owned, key=owned.key))
            mentions = guide.mentions.get(key_id, [])
            if mentions:
                section.append(renderer.element("key_foot", mentions=mentions))
        elif concept_id := section.get("data-concept"):
            concept = guide.catalog.concept[concept_id]
            section.insert(1, renderer.element("concept_card", concept=concept, keys_of=concept_keys(guide)))
            _fold(section)


def _fold(section: Element) -> None:
    """What is below the heading shows when the heading is opened: forty concepts make a page too long to look through."""
    heading, *below = list(section)
    box = Element("details")
    SubElement(box, "summary").append(heading)
    box.extend(below)
    section[:] = [box]


def unlink_folded(root: Element) -> None:
    """Take the permanent link out of a heading that folds: a link inside what opens and closes cannot be told apart from it."""
    for summary in root.iter("summary"):
        for heading in summary:
            for link in [child for child in heading if child.get("class") == "headerlink"]:
                heading.remove(link)


def concept_keys(guide: Guide) -> dict[tuple[str, str], list[tuple[Owned, str]]]:
    """(concept id, framework) → the keys, each with the spelling that says which role is meant."""
    return {
        (item.record.id, framework): [(owned, name) for name in names for owned in resolve_keys(guide.keys, (name,), framework)]
        for item in guide.catalog.concepts
        for framework, names in item.record.keys.items()
    }
