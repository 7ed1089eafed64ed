"""Every catalog id is on exactly one heading per language, on the page it belongs to, in the shape readers expect."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from fieldguide.content.addresses import FIRST, LANGUAGES
from fieldguide.content.answer import LABELS, labelled_parts
from fieldguide.content.catalog.models import Entry, Kind
from fieldguide.content.catalog.store import Located, Owned
from fieldguide.content.document import Document, Section, plain_inline
from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem

CONCEPTS_PAGE = "compare"


def check_entries(guide: Guide) -> Iterator[Problem]:
    """Ids, their pages, and the labelled parts of each entry."""
    yield from _words_match(guide)
    yield from unlisted(guide).values()
    for language in LANGUAGES:
        places = _places(guide, language)
        yield from _front_matter(guide, language)
        yield from _unknown(guide, language)
        yield from _headings(guide, language)
        yield from _expected_once(guide, language, places)
        yield from _shapes(guide, language)


def unlisted(guide: Guide) -> dict[str, Problem]:
    """Entries that no topic lists: the topic has no page, or its page lacks their group. Entry id → what is wrong."""
    found = ((item.record.id, _unlisted(guide, item)) for item in guide.catalog.entries)
    return {id_: problem for id_, problem in found if problem}


def _unlisted(guide: Guide, item: Located[Entry]) -> Problem | None:
    entry, topic = item.record, item.path.parent.name
    index = guide.documents[FIRST].get(f"topics/{topic}/index")
    if index is None:
        return Problem(item.path, item.line, f"entry {entry.id}: no topic {topic!r} (docs/{FIRST}/topics/{topic}/index.md)")
    if entry.group and entry.group not in index.by_id:
        return Problem(item.path, item.line, f"entry {entry.id}: no heading #{entry.group} on {index.path.as_posix()}")
    listing = f"/// catalog | topic {topic} {entry.group or ''}".rstrip()
    if listing not in {block for section in index.sections for block in section.blocks}:
        return Problem(index.path, index.sections[0].line, f"entry {entry.id} is not listed here: write `{listing}`")
    return None


def _unknown(guide: Guide, language: str) -> Iterator[Problem]:
    """A page beside those of the entries that no record stands behind."""
    for name, document in guide.documents[language].items():
        record = Path("catalog/entries") / f"{name.removeprefix('topics/')}.yml"
        if not name.startswith("topics/") or name.endswith("/index") or (guide.root / record).exists():
            continue
        if not {section.id for section in document.sections} & {*guide.catalog.entry, *guide.catalog.broken}:
            yield Problem(document.path, 1, f"page of no entry: {record.as_posix()} is missing")


def _front_matter(guide: Guide, language: str) -> Iterator[Problem]:
    """It can be read, and an entry's says the answer in one line."""
    most = int(guide.words[language]["short_most"])
    pages = {guide.catalog.page_of(entry) for entry in guide.catalog.entry}
    for document in guide.documents[language].values():
        if document.fault:
            yield Problem(document.path, 1, document.fault)
        elif document.name in pages:
            line, length = document.meta_lines.get("short", 1), len(plain_inline(document.short))
            if not length:
                yield Problem(document.path, line, "no `short`: the answer in one line")
            elif length > most:
                yield Problem(
                    document.path, line, f"`short` has {length} characters, {length - most} too many (at most {most})"
                )


def _places(guide: Guide, language: str) -> dict[str, list[tuple[Document, Section]]]:
    places: dict[str, list[tuple[Document, Section]]] = defaultdict(list)
    for document in guide.documents[language].values():
        for section in document.sections:
            if section.id:
                places[section.id].append((document, section))
    return places


def _headings(guide: Guide, language: str) -> Iterator[Problem]:
    for document in guide.documents[language].values():
        seen: set[str] = set()
        for section in document.sections:
            if section.level > 1 and not section.id:
                yield Problem(document.path, section.line, f"heading {section.title!r} has no {{ #id }}")
            if section.id in seen:
                yield Problem(document.path, section.line, f"id {section.id!r} stands twice on this page")
            if section.id in guide.catalog.aliases:
                yield Problem(document.path, section.line, f"id {section.id!r} is an alias in the catalog")
            if section.framework and section.framework not in guide.catalog.framework:
                yield Problem(document.path, section.line, f"data-fw names no framework {section.framework!r}")
            seen.add(section.id or f"line {section.line}")


def _expected_once(guide: Guide, language: str, places: dict[str, list[tuple[Document, Section]]]) -> Iterator[Problem]:
    catalog = guide.catalog
    homes = [(i.record.id, catalog.page_of(i.record.id), i.path, i.line) for i in catalog.entries]
    homes += [(o.id, _key_home(guide, o), i.path, i.line) for o, i in zip(catalog.owned_keys, catalog.keys, strict=True)]
    homes += [(i.record.id, CONCEPTS_PAGE, i.path, i.line) for i in catalog.concepts]
    homeless = {entry for entry, topic in catalog.topic_of.items() if f"topics/{topic}/index" not in guide.documents[language]}
    for id_, home, path, line in homes:
        found = places.get(id_, [])
        if id_ in homeless or (not found and id_ in guide.catalog.key_by_id and _has_rows(guide, home)):
            continue
        if not found and not _in_one_language(guide, home):
            yield Problem(path, line, f"id {id_!r} has no heading in docs/{language}/{home}.md")
        for document, section in found:
            if document.name != home:
                yield Problem(document.path, section.line, f"id {id_!r} belongs on {home}, not on {document.name}")


def _in_one_language(guide: Guide, name: str) -> bool:
    """Whether a page has no twin; the parity check says so."""
    return len({name in guide.documents[language] for language in LANGUAGES}) > 1


def _key_home(guide: Guide, owned: Owned) -> str:
    """The page of a key's group, where it has one; a key with words of its own may be on another page of its glossary."""
    home = guide.page_of_key[owned.id]
    return home if home.startswith(f"glossary/{owned.owner}/") else f"glossary/{owned.owner}/{owned.key.group}"


def _has_rows(guide: Guide, home: str) -> bool:
    """Whether a page lists the keys without a heading: `/// catalog | keys <glossary> <group>`."""
    document = guide.documents[FIRST].get(home)
    block = f"/// catalog | keys {home.removeprefix('glossary/').replace('/', ' ')}"
    return document is not None and any(block in section.blocks for section in document.sections)


def _shapes(guide: Guide, language: str) -> Iterator[Problem]:
    for item in guide.catalog.entries:
        home = guide.documents[language].get(guide.catalog.page_of(item.record.id))
        if home and (section := home.by_id.get(item.record.id)):
            if section.level > 1:
                yield Problem(home.path, section.line, f"entry {item.record.id}: its title is the `#` heading of the page")
            yield from _shape(guide, language, home, section, item.record)
            yield from _swallowed(guide, home, section)


def _swallowed(guide: Guide, document: Document, section: Section) -> Iterator[Problem]:
    """An entry below another entry would be part of that one, in search and on the card."""
    for inner in document.subtree(section.id)[1:]:
        if inner.id in guide.catalog.entry:
            yield Problem(document.path, inner.line, f"entry {inner.id!r} stands inside entry {section.id!r}")


def _shape(guide: Guide, language: str, document: Document, section: Section, entry: Entry) -> Iterator[Problem]:
    parts = labelled_parts(guide, language, "\n".join(s.text for s in document.subtree(section.id)))
    found = [part for part, _ in parts]
    needed = ["fix", "cost", "confirm", "why"] if entry.kind is Kind.ERROR else ["answer"]
    missing = [guide.words[language][f"label_{part}"] for part in needed if part not in found]
    if missing:
        yield Problem(document.path, section.line, f"entry {entry.id}: no paragraph labelled {', '.join(missing)}")
    elif found[0] not in ("fix", "answer"):
        yield Problem(document.path, section.line, f"entry {entry.id}: lead with the fix, not with {found[0]!r}")
    elif found != sorted(found, key=LABELS.index):
        order = ", ".join(guide.words[language][f"label_{part}"] for part in sorted(found, key=LABELS.index))
        yield Problem(document.path, section.line, f"entry {entry.id}: the order of its parts is {order}")
    if found[-1:] == ["asked"] and "\n" in parts[-1][1]:
        asked = guide.words[language]["label_asked"]
        yield Problem(document.path, section.line, f"entry {entry.id}: nothing may follow {asked}, which becomes a list")


def _words_match(guide: Guide) -> Iterator[Problem]:
    first, *others = LANGUAGES
    for other in others:
        for name in sorted(guide.words[first].keys() ^ guide.words[other].keys()):
            missing = other if name in guide.words[first] else first
            path = (guide.root / "locales" / f"{missing}.yml").relative_to(guide.root)
            yield Problem(path, 0, f"word {name!r} is missing here")
