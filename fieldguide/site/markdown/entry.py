"""The page of an entry: its labelled parts as sections, and around them what the catalog knows.

<section class="fg-entry" data-entry="slime-oom" data-fw="slime">
  crumbs · h1 · badges · the answer in one line
  <section class="fg-part" data-part="fix"> … what it costs </section>
  confirm · why · versions · what it prints · sources · other ways to ask · elsewhere · not this?
  <aside class="fg-rail"> contents and facts </aside>
</section>
"""

import re
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element, SubElement

from fieldguide.content.answer import LABELS
from fieldguide.content.catalog.models import Entry
from fieldguide.content.document import fences
from fieldguide.content.guide import Guide
from fieldguide.content.keys import resolve_keys
from fieldguide.site.markdown.render import Renderer
from fieldguide.site.markdown.sections import heading_level

# Ways to ask that show at once; the others are folded.
SHOWN = 5
_SEPARATOR = re.compile(r"\s+·\s+|\s*；\s*")


def build_entry(section: Element, guide: Guide, renderer: Renderer) -> None:
    """Turn a section that holds an entry as it was written into its page."""
    entry = guide.catalog.entry[section.get("data-entry", "")]
    words = guide.words[renderer.language]
    heading, *written = list(section)
    mark_aliases(heading, entry.aliases)
    parts = [*_parts(written, words)]
    asked = [part for part in parts if part.get("data-part") == "asked"]
    section[:] = [
        renderer.element("entry_crumbs", entry=entry),
        heading,
        renderer.element("entry_head", entry=entry),
        *(part for part in parts if part not in asked),
        *_evidence(guide, renderer, entry),
        *asked,
        *_after(guide, renderer, entry),
    ]
    place = next((i for i, child in enumerate(section) if child.get("data-part") in ("fix", "answer")), len(section))
    if diagram := guide.catalog.diagram.get(entry.id):
        section.insert(place + 1, renderer.diagram(diagram))
    if place < len(section) and _steps(guide, renderer.language, entry.id) > 1:
        section[place].insert(1, renderer.element("entry_copy"))
    contents = [child[0] for child in section if child.tag == "section"]
    keys = resolve_keys(guide.keys, entry.keys, entry.framework)
    section.append(renderer.element("entry_rail", entry=entry, keys=keys, contents=[_heading(one) for one in contents]))


def _steps(guide: Guide, language: str, entry: str) -> int:
    """How many code blocks the fix has: a single one has the theme's own button to copy it."""
    text = guide.entry_document(language, entry).sections[0].text
    labels = [guide.words[language][f"label_{part}"] for part in ("cost", "confirm", "why", "versions", "asked")]
    end = re.search(rf"^\*\*({'|'.join(map(re.escape, labels))})\*\*", text, re.MULTILINE)
    return len(fences(text[: end.start() if end else None]))


def mark_aliases(heading: Element, aliases: tuple[str, ...]) -> None:
    """Former ids stand in the heading, so that links to them still land there."""
    for alias in aliases:
        mark = Element("span", {"id": alias})
        mark.tail, heading.text = heading.text, None
        heading.insert(0, mark)


def _parts(written: list[Element], words: Mapping[str, str]) -> Iterator[Element]:
    """The written parts as sections; the cost stays in the part that it is the cost of, a heading of the author's ends one."""
    labels = {words[f"label_{part}"]: part for part in LABELS}
    part: Element | None = None
    for child in written:
        label = _label(child, labels)
        if label == "cost" and part is not None:
            child.set("class", "fg-cost")
        elif label:
            if part is not None:
                yield part
            part = _section(label, words)
            _unlabel(child)
        if heading_level(child) == 2 or (child.tag == "section" and heading_level(child[0]) == 2):
            if part is not None:
                yield part
            part = None
        if part is None:
            yield child
        elif child.tag != "p" or len(child) or child.text:
            part.append(child)
    if part is not None:
        yield _asked(part, words) if part.get("data-part") == "asked" else part


def _label(child: Element, labels: Mapping[str, str]) -> str | None:
    strong = child[0] if child.tag == "p" and len(child) and not (child.text or "").strip() else None
    return labels.get(strong.text or "") if strong is not None and strong.tag == "strong" else None


def _unlabel(paragraph: Element) -> None:
    """Take the label out: it has become a heading."""
    strong = paragraph[0]
    paragraph.remove(strong)
    paragraph.text = (strong.tail or "").lstrip(" :：\n")


def _section(part: str, words: Mapping[str, str]) -> Element:
    made = Element("section", {"class": f"fg-part fg-{part}", "data-part": part})
    SubElement(made, "h2", {"id": part}).text = words[f"label_{part}"].rstrip(":")
    return made


def _asked(part: Element, words: Mapping[str, str]) -> Element:
    """Other ways to ask as a list: a few at once, the rest folded."""
    items = [item for paragraph in part[1:] for item in _split(paragraph)]
    part[1:] = [_listing(items[:SHOWN])]
    if rest := items[SHOWN:]:
        folded = SubElement(part, "details")
        SubElement(folded, "summary").text = words["asked_more"].format(count=len(rest))
        folded.append(_listing(rest))
    return part


def _split(paragraph: Element) -> Iterator[Element]:
    """`one · two · three` as list items; what is marked up inside stays."""
    item = Element("li")

    def add(text: str) -> None:
        if len(item):
            item[-1].tail = (item[-1].tail or "") + text
        else:
            item.text = (item.text or "") + text

    for text, child in [(paragraph.text, None), *((child.tail, child) for child in paragraph)]:
        if child is not None:
            child.tail = None
            item.append(child)
        first, *others = _SEPARATOR.split(text or "")
        add(first)
        for other in others:
            yield item
            item = Element("li")
            add(other)
    yield item


def _listing(items: list[Element]) -> Element:
    made = Element("ul")
    made.extend(items)
    return made


def _evidence(guide: Guide, renderer: Renderer, entry: Entry) -> Iterator[Element]:
    """What the program prints, and where that and the answer were read."""
    if signatures := guide.catalog.signatures_of[entry.id]:
        yield renderer.element("entry_prints", signatures=signatures)
    yield renderer.element("entry_sources", entry=entry)


def _after(guide: Guide, renderer: Renderer, entry: Entry) -> Iterator[Element]:
    """The way on: to the same elsewhere, to a report, to the neighbours."""
    same = [other for other in guide.catalog.entries_of[guide.catalog.topic_of[entry.id]] if _same(entry, other)]
    also = [guide.catalog.entry[id_] for id_ in entry.see_also if id_ in guide.catalog.entry]
    also = [other for other in also if other not in same]
    if same or also:
        yield renderer.element("entry_elsewhere", same=same, also=also)
    if guide.catalog.topic_of[entry.id] == "install" or any(item.record.entry == entry.id for item in guide.catalog.pairs):
        yield renderer.element("entry_versions", **_versions(guide, entry))
    yield renderer.element("entry_report", entry=entry)
    yield renderer.element("entry_end", **_neighbours(guide, renderer.language, entry))


def _versions(guide: Guide, entry: Entry) -> dict[str, object]:
    """The page of versions that is about the entry's framework, or about all of them."""
    framework = guide.catalog.framework.get(entry.framework)
    return {"page": f"versions/{framework.glossary if framework else 'index'}", "name": framework.name if framework else ""}


def _same(entry: Entry, other: Entry) -> bool:
    """Whether another entry is about the same problem in another framework."""
    return bool(entry.group) and entry.group == other.group and other.framework != entry.framework


def _neighbours(guide: Guide, language: str, entry: Entry) -> dict[str, object]:
    """The entries before and after it in its topic, and the file of its words."""
    ids = [one.id for one in guide.catalog.entries_of[guide.catalog.topic_of[entry.id]]]
    place = ids.index(entry.id)
    return {
        "entry": entry,
        "file": guide.entry_document(language, entry.id).path.as_posix(),
        "before": ids[place - 1] if place else None,
        "after": ids[place + 1] if place + 1 < len(ids) else None,
    }


def _heading(heading: Element) -> tuple[str, str]:
    return heading.get("id", ""), "".join(heading.itertext())
