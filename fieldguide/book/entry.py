"""An entry on paper: its parts and facts without what leads around the site."""

from xml.etree.ElementTree import Element

from fieldguide.site.markdown.sections import heading_level

# Around the words: where an entry stands, where to go next, what to copy and what to report.
_ONLY_ON_SCREEN = ("p.fg-crumbs", "button.fg-copy", "div.fg-end", "aside.fg-rail")


def on_paper(section: Element) -> None:
    """Change the page of an entry to what the book has of it.

    The margin's stamp and short address go into the line below the title, its keys to the sources at the end; folded lists
    join those that they continue; below its title an author's headings begin at the next level.
    """
    rail, sources = section.find("aside"), section.find("section[@data-part='sources']")
    meta = section.find("div[@class='fg-head']/p[@class='fg-meta']")
    if rail is None or sources is None or meta is None:
        raise ValueError(f"the page of entry {section.get('data-entry')!r} has another shape")
    facts, foot = rail.find("dl"), sources.find("dl")
    if facts is None or foot is None:
        raise ValueError(f"entry {section.get('data-entry')!r} has no facts")
    meta.extend(_stamp(facts))
    foot[:] = [*foot[2:], *_keys(facts)]
    for part in section.iter("section"):
        part[:] = [
            one for one in part if _name(one) not in _ONLY_ON_SCREEN and one.get("data-part") not in ("not-this", "sources")
        ]
        if part.get("data-part") in ("prints", "asked"):
            _unfold(part)
    section.append(foot)
    _raise_headings(section)


def _name(element: Element) -> str:
    return f"{element.tag}.{element.get('class', '')}"


def _stamp(facts: Element) -> list[Element]:
    """Commit and day that the entry was checked against, and its short address."""
    stamp = Element("span", {"class": "fg-checked"})
    stamp.text = f"{facts[0].text} {facts[1].text or ''}"
    stamp.extend(facts[1])
    return [stamp, *(link for link in facts.iter("a") if link.get("class") == "fg-permalink")]


def _keys(facts: Element) -> list[Element]:
    """Term and keys, where the entry names any."""
    listing = facts.find("dd/ul")
    if listing is None:
        return []
    keys = Element("dd")
    for item in listing:
        keys.append(item[0])
        item[0].tail = " "
    return [facts[2], keys]


def _unfold(part: Element) -> None:
    """One list of what shows at once and what is folded."""
    first, *others = part.iter("ul")
    for other in others:
        first.extend(other)
    part[:] = [part[0], first]


def _raise_headings(section: Element) -> None:
    """The parts are no headings in the book: what the author put below them follows the title."""
    elsewhere = section.findall("section[@data-part='elsewhere']//*")
    labels = [section[0], *elsewhere, *(part[0] for part in section.iter("section") if part.get("data-part"))]
    headings = [one for one in section.iter() if heading_level(one) and one not in labels]
    highest = min((heading_level(one) or 0 for one in headings), default=0)
    for heading in headings:
        heading.tag = f"h{(heading_level(heading) or 0) - highest + 2}"
