"""Decision paths: each belongs to an entry, and its pictures are those of its words as they are now."""

from collections.abc import Iterator

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.diagram import FOLDER, digest, drawn_from, picture
from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem


def check_diagrams(guide: Guide) -> Iterator[Problem]:
    """Diagrams without an entry, pictures that are missing or stale, pictures that nobody needs."""
    needed = set()
    for item in guide.catalog.diagrams:
        diagram = item.record
        if diagram.id not in guide.catalog.entry and diagram.id not in guide.catalog.broken:
            yield Problem(item.path, item.line, f"diagram of {diagram.id!r}, which is no entry")
        for language in LANGUAGES:
            path = picture(diagram.id, language)
            needed.add(path.name)
            file = guide.root / path
            if not file.exists():
                yield Problem(item.path, item.line, f"{path.as_posix()} is missing; run `make diagrams`")
            elif drawn_from(file.read_text(encoding="utf-8")) != digest(diagram, language):
                yield Problem(item.path, item.line, f"{path.as_posix()} shows other words; run `make diagrams`")
    for file in sorted((guide.root / FOLDER).glob("*")):
        if file.name not in needed:
            yield Problem(file.relative_to(guide.root), 0, "belongs to no diagram of catalog/diagrams.yml; delete it")
