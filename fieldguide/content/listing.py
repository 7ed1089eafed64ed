"""What the blocks of the catalog list on a page, and the ids that they bring along."""

from collections import defaultdict
from dataclasses import dataclass

from fieldguide.content.addresses import FIRST
from fieldguide.content.catalog.models import Entry, Signature
from fieldguide.content.catalog.store import Owned
from fieldguide.content.guide import Guide
from fieldguide.content.signature import display_signature


@dataclass(frozen=True)
class IndexRow:
    """One line of the error index."""

    signature: Signature
    entry: str
    framework: str

    @property
    def sort_key(self) -> str:
        return display_signature(self.signature.text).lstrip("…[(<'\"`* ").lower()

    @property
    def letter(self) -> str:
        first = self.sort_key[:1].upper()
        return first if "A" <= first <= "Z" else "#"


def index_rows(guide: Guide) -> list[IndexRow]:
    """Every signature once per entry, A to Z."""
    rows = [
        IndexRow(signature, entry, guide.catalog.entry[entry].framework)
        for entry, signatures in guide.catalog.signatures_of.items()
        for signature in signatures
    ]
    return sorted(rows, key=lambda row: (row.letter == "#", row.sort_key, row.entry))


def generated_ids(guide: Guide) -> dict[str, set[str]]:
    """Text of a catalog block → the ids that it puts on its page."""
    letters = {row.letter.lower() if row.letter != "#" else "other" for row in index_rows(guide)}
    ids = {f"rules {framework}": {rule.anchor for rule in rules} for framework, rules in guide.catalog.rules_of.items()}
    for page, rows in guide.rows_of.items():
        owner, _, name = page.removeprefix("glossary/").partition("/")
        ids[f"keys {owner} {name}"] = {owned.id for owned in rows} | {f"keys-{owner}-{owned.key.group}" for owned in rows}
    for owner in {owned.owner for owned in guide.catalog.owned_keys}:
        ids[f"key-index {owner}"] = {one for part in key_index(guide, owner) for one in part.ids}
    for topic, entries in guide.catalog.entries_of.items():
        for heading in {entry.group for entry in entries}:
            listed = [entry for entry in entries if entry.group == heading]
            ids[f"topic {topic} {heading or ''}".rstrip()] = {id_ for entry in listed for id_ in moved_ids(guide, entry)}
    return ids | {"errors": {f"errors-{letter}" for letter in letters}}


def moved_ids(guide: Guide, entry: Entry) -> list[str]:
    """The ids by which a topic's page knew an entry before it had a page of its own: links to them still lead there."""
    document = guide.documents[FIRST].get(guide.catalog.page_of(entry.id))
    inside = [section.id for section in document.sections[1:] if section.id] if document else []
    return [entry.id, *entry.aliases, *inside]


@dataclass(frozen=True)
class KeyGroup:
    """One page of a glossary, or its removed keys, as the index of the glossary lists them.

    Attributes:
        id: of its heading.
        parts: ids of the headings that the page has for parts of it.
        page: where the keys are; None for the removed ones, which are on several pages.
    """

    id: str
    parts: tuple[str, ...]
    page: str | None
    keys: tuple[Owned, ...]

    @property
    def ids(self) -> list[str]:
        """What the index has of it: the addresses of the time when the glossary was one page."""
        return [self.id, *self.parts, *(id_ for owned in self.keys for id_ in (owned.id, *owned.key.aliases))]


def key_index(guide: Guide, owner: str) -> list[KeyGroup]:
    """Keys of a glossary page by page, in the order of the catalog; what is removed comes last."""
    pages: dict[str | None, list[Owned]] = defaultdict(list)
    for owned in guide.catalog.owned_keys:
        if owned.owner == owner:
            pages[None if owned.key.removed else guide.page_of_key[owned.id]].append(owned)
    gone = pages.pop(None, [])
    groups = [_key_group(guide, owner, page, tuple(rows)) for page, rows in pages.items() if page]
    emptied = dict.fromkeys(_group_id(owner, home) for owned in gone if (home := guide.page_of_key[owned.id]) not in pages)
    return [*groups, KeyGroup(f"keys-{owner}-removed", tuple(emptied), None, tuple(gone))] if gone else groups


def _key_group(guide: Guide, owner: str, page: str, keys: tuple[Owned, ...]) -> KeyGroup:
    named = dict.fromkeys(f"keys-{owner}-{owned.key.group}" for owned in keys)
    parts = tuple(part for part in named if guide.home_of.get(part, page) == page)  # a group's own page may be another one
    return KeyGroup(_group_id(owner, page), parts, page, keys)


def _group_id(owner: str, page: str) -> str:
    return f"group-{owner}-{page.rpartition('/')[2]}"
