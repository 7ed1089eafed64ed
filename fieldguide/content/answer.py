"""The labelled parts of an entry: fix or answer, why, how to confirm, …"""

import re

from fieldguide.content.document import CODE_ATTRIBUTES
from fieldguide.content.guide import Guide

# In the order in which they stand on a page.
LABELS = ("fix", "answer", "cost", "confirm", "why", "versions", "asked")


def labelled_parts(guide: Guide, language: str, text: str) -> list[tuple[str, str]]:
    """Split an entry's source at its bold labels: [("fix", "…"), ("why", "…"), …]; text before the first is left out."""
    labels = {guide.words[language][f"label_{part}"]: part for part in LABELS}
    pattern = re.compile(rf"^\*\*({'|'.join(map(re.escape, labels))})\*\*", re.MULTILINE)
    marks = list(pattern.finditer(text))
    ends = [*(mark.start() for mark in marks), len(text)][1:]  # without a label none
    return [(labels[m.group(1)], text[m.end() : end].strip(" :：\n")) for m, end in zip(marks, ends, strict=True)]


def fix_of(guide: Guide, language: str, entry: str) -> str:
    """Markdown of an entry's fix or answer, with what it costs."""
    parts = dict(reversed(labelled_parts(guide, language, text_of(guide, language, entry))))
    steps = parts.get("fix") or parts.get("answer", "")
    cost = f"{guide.words[language]['label_cost']} {parts['cost']}" if "cost" in parts else ""
    return CODE_ATTRIBUTES.sub("", "\n\n".join(one for one in (steps, cost) if one))


def text_of(guide: Guide, language: str, entry: str) -> str:
    """Markdown of an entry, without its headings."""
    return "\n\n".join(section.text for section in guide.entry_document(language, entry).sections)
