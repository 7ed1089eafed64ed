"""The labelled parts of an entry: fix or answer, why, how to confirm, …"""

import re

from fieldguide.document import CODE_ATTRIBUTES
from fieldguide.guide import Guide

LABELS = ("fix", "answer", "why", "confirm", "versions", "asked")


def labelled_parts(guide: Guide, language: str, text: str) -> list[tuple[str, str]]:
    """Split an entry's source at its bold labels: [("fix", "…"), ("why", "…"), …]; text before the first is left out."""
    labels = {guide.words[language][f"label_{part}"]: part for part in LABELS}
    pattern = re.compile(rf"^\*\*({'|'.join(map(re.escape, labels))})\*\*", re.MULTILINE)
    marks = list(pattern.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [(labels[m.group(1)], text[m.end() : end].strip(" :：\n")) for m, end in zip(marks, ends, strict=True)]


def fix_of(guide: Guide, language: str, entry: str) -> str:
    """Markdown of an entry's fix or answer."""
    document = guide.documents[language][f"topics/{guide.catalog.topic_of[entry]}"]
    text = "\n\n".join(section.text for section in document.subtree(entry))
    parts = dict(reversed(labelled_parts(guide, language, text)))
    return CODE_ATTRIBUTES.sub("", parts.get("fix") or parts.get("answer", ""))
