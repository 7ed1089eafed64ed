"""What the catalog knows, under the heading it belongs to."""

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from fieldguide.answer import fix_of
from fieldguide.catalog.models import Entry
from fieldguide.catalog.store import Owned
from fieldguide.document import fences
from fieldguide.guide import Guide
from fieldguide.keys import KeyIndex
from fieldguide.markdown.render import Renderer


def add_cards(root: Element, guide: Guide, renderer: Renderer) -> None:
    """Put a card into every entry, key and concept section; entries also get a foot with sources and cross-references."""
    for section in list(root.iter("section")):
        if entry_id := section.get("data-entry"):
            entry = guide.catalog.entry[entry_id]
            _mark_aliases(section[0], entry.aliases)
            section.insert(1, _entry_card(guide, renderer, entry))
            keys = resolve_keys(guide.keys, entry.keys, entry.framework)
            _mark_parts(section, guide.words[renderer.language])
            if diagram := guide.catalog.diagram.get(entry_id):
                _add_diagram(section, renderer.diagram(diagram))
            section.append(renderer.element("entry_foot", entry=entry, keys=keys))
            section.append(_end(guide, renderer, entry_id))
        elif key_id := section.get("data-key"):
            owned = guide.catalog.key_by_id[key_id]
            _mark_aliases(section[0], owned.key.aliases)
            section.insert(1, renderer.element("key_card", owned=owned, key=owned.key))
            mentions = guide.mentions.get(key_id, [])
            if mentions:
                section.append(renderer.element("key_foot", mentions=mentions))
        elif concept_id := section.get("data-concept"):
            section.insert(
                1,
                renderer.element("concept_card", concept=guide.catalog.concept[concept_id], keys_of=concept_keys(guide)),
            )


def _entry_card(guide: Guide, renderer: Renderer, entry: Entry) -> Element:
    steps = len(fences(fix_of(guide, renderer.language, entry.id)))
    # A single block has the theme's own button.
    return renderer.element("entry_card", entry=entry, signatures=guide.catalog.signatures_of[entry.id], copied_whole=steps > 1)


def _mark_aliases(heading: Element, aliases: tuple[str, ...]) -> None:
    """Former ids stand in the heading, so that links to them still land there."""
    for alias in aliases:
        mark = Element("span", {"id": alias})
        mark.tail, heading.text = heading.text, None
        heading.insert(0, mark)


def _end(guide: Guide, renderer: Renderer, entry_id: str) -> Element:
    """What comes after an entry: was it of use, and the entries before and after it on the page."""
    document = guide.entry_document(renderer.language, entry_id)
    entries = [entry.id for entry in guide.catalog.entries_of[guide.catalog.topic_of[entry_id]]]
    place = entries.index(entry_id)
    return renderer.element(
        "entry_end",
        entry=guide.catalog.entry[entry_id],
        file=document.path.as_posix(),
        before=entries[place - 1] if place else None,
        after=entries[place + 1] if place + 1 < len(entries) else None,
    )


def _mark_parts(section: Element, words: Mapping[str, str]) -> None:
    """Paragraphs that open a part of an answer say which; other people's words for the question are set smaller."""
    labels = {text: name.removeprefix("label_") for name, text in words.items() if name.startswith("label_")}
    for paragraph in section.iter("p"):
        part = labels.get(paragraph[0].text or "") if len(paragraph) and paragraph[0].tag == "strong" else None
        if part:
            paragraph.set("data-part", "fix" if part == "answer" else part)
        if part == "asked":
            paragraph.set("class", "fg-asked")


def _add_diagram(section: Element, figure: Element) -> None:
    """The picture stands below the steps: before what comes after the fix, or last."""
    parts = [i for i, child in enumerate(section) if child.get("data-part") not in (None, "fix")]
    section.insert(parts[0] if parts else len(section), figure)


def concept_keys(guide: Guide) -> dict[tuple[str, str], list[tuple[Owned, str]]]:
    """(concept id, framework) → the keys, each with the spelling that says which role is meant."""
    return {
        (item.record.id, framework): [(owned, name) for name in names for owned in resolve_keys(guide.keys, (name,), framework)]
        for item in guide.catalog.concepts
        for framework, names in item.record.keys.items()
    }


def resolve_keys(index: KeyIndex, names: tuple[str, ...], framework: str) -> list[Owned]:
    """The keys that these spellings mean in a framework; what is no key is left out."""
    resolved = (index.resolve(name, framework) for name in names)
    return [owned for owned in resolved if isinstance(owned, Owned)]
