"""`/// catalog | NAME [ARGUMENT]`: lists and tables that the catalog fills."""

import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from fieldguide.catalog.models import Entry, Framework, Newest, Signature, Status
from fieldguide.catalog.store import Catalog, Owned
from fieldguide.guide import Guide
from fieldguide.markdown.cards import concept_keys
from fieldguide.markdown.render import Renderer
from fieldguide.signature import display_signature


class BlockError(ValueError):
    """A catalog block names something that does not exist."""


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


@dataclass(frozen=True)
class StatusRow:
    """One framework of the status page: the newest commit looked at, and how many entries and keys still hold there."""

    framework: Framework
    newest: Newest | None
    entries: Mapping[Status, int]
    keys: Mapping[Status, int]


def fill_blocks(root: Element, renderer: Renderer) -> None:
    """Replace every placeholder that a catalog block left.

    Raises:
        BlockError: for a name that is not in the list below, or an argument it does not take.
    """
    for parent in list(root.iter()):
        for child in list(parent):
            call = child.get("data-catalog")
            if call is not None:
                index = list(parent).index(child)
                parent.remove(child)
                for offset, element in enumerate(_elements(call, renderer)):
                    parent.insert(index + offset, element)


def _elements(call: str, renderer: Renderer) -> list[Element]:
    name, _, argument = call.partition(" ")
    if name not in BLOCKS:
        raise BlockError(f"no catalog block {name!r}; known: {', '.join(sorted(BLOCKS))}")
    template, values = BLOCKS[name]
    wrapper = renderer.element(template, argument=argument, **values(renderer.guide, argument))
    # A template may hold several elements in a <div class="fg-unwrap">: headings must stand at the top to be listed.
    return list(wrapper) if wrapper.get("class") == "fg-unwrap" else [wrapper]


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
    for owner in guide.rows_of:
        parts = components(guide, owner)
        ids[f"keys {owner}"] = {part.id for part in parts} | {owned.id for part in parts for owned in part.rows}
    return ids | {"errors": {f"errors-{letter}" for letter in letters}}


@dataclass(frozen=True)
class Component:
    """Rows of one part of a framework.

    Attributes:
        id: of its heading.
        name: as the code spells it.
        removed: whether these keys are gone.
    """

    id: str
    name: str
    removed: bool
    rows: tuple[Owned, ...]


def components(guide: Guide, owner: str) -> list[Component]:
    """Keys without words of their own by component, in the order of the catalog; what is removed comes last."""
    groups: dict[tuple[bool, str], list[Owned]] = {}
    for owned in guide.rows_of.get(owner, []):
        groups.setdefault((bool(owned.key.removed), "" if owned.key.removed else owned.key.group), []).append(owned)
    return [
        Component(f"keys-{owner}-{group or 'removed'}", _component_name(rows, group), removed, tuple(rows))
        for (removed, group), rows in sorted(groups.items(), key=lambda item: item[0][0])
    ]


def _component_name(rows: list[Owned], group: str) -> str:
    """The class that declares them all, or the name of the group."""
    declarers = {owned.key.declared for owned in rows}
    one = next(iter(declarers)) if len(declarers) == 1 else None
    return one if one and one[:1].isupper() else group


def _keys(guide: Guide, argument: str) -> dict[str, Any]:
    if argument not in {owned.owner for owned in guide.catalog.owned_keys}:
        raise BlockError(f"no keys of {argument!r}")
    return {"components": components(guide, argument)}


def _errors(guide: Guide, _argument: str) -> dict[str, Any]:
    rows = index_rows(guide)
    letters = dict.fromkeys(row.letter for row in rows)
    return {"groups": [(letter, [row for row in rows if row.letter == letter]) for letter in letters]}


def _framework(guide: Guide, argument: str) -> dict[str, Any]:
    if argument not in guide.catalog.framework:
        raise BlockError(f"no framework {argument!r}")
    framework = guide.catalog.framework[argument]
    return {
        "framework": framework,
        "entries": [item.record for item in guide.catalog.entries if item.record.framework == argument],
        "rules": guide.catalog.rules_of.get(argument, []),
    }


def _topics(guide: Guide, _argument: str) -> dict[str, Any]:
    topics: dict[str, list[str]] = {}
    for item in guide.catalog.entries:
        topics.setdefault(item.path.stem, []).append(item.record.id)
    return {"topics": topics}


def _frameworks(guide: Guide, _argument: str) -> dict[str, Any]:
    counts = {
        framework: sum(item.record.framework == framework for item in guide.catalog.entries)
        for framework in guide.catalog.framework
    }
    return {"counts": counts}


def _glossaries(guide: Guide, _argument: str) -> dict[str, Any]:
    owners = dict.fromkeys(owned.owner for owned in guide.catalog.owned_keys)
    return {"owners": {owner: [o for o in guide.catalog.owned_keys if o.owner == owner] for owner in owners}}


def _compare(guide: Guide, _argument: str) -> dict[str, Any]:
    shown = [f for f in guide.catalog.framework.values() if any(f.id in c.keys for c in guide.catalog.concept.values())]
    return {"frameworks": shown, "keys_of": concept_keys(guide)}


def _downloads(_guide: Guide, _argument: str) -> dict[str, Any]:
    """Where releases are downloaded from is known to the build, by its environment."""
    return {"base": os.environ.get("DOWNLOADS_URL", "").rstrip("/")}


def _status(guide: Guide, _argument: str) -> dict[str, Any]:
    """What upstream has changed since the stamps, per framework and per entry; the changed ones first."""
    catalog = guide.catalog
    newest = {item.record.id: item.record for item in catalog.newest}
    entries = [(item.record, _state(catalog, item.record, newest)) for item in catalog.entries]
    keys = [(owned.key.source.repo, catalog.state(owned.id, (owned.key.source,))) for owned in catalog.owned_keys]
    return {
        "frameworks": [
            StatusRow(
                framework,
                newest.get(framework.id),
                _counted(state for entry, state in entries if entry.framework == framework.id),
                _counted(state for repo, state in keys if repo == framework.id),
            )
            for framework in catalog.framework.values()
        ],
        "entries": sorted(entries, key=lambda row: row[1] in (Status.HOLDS, None)),
    }


def _state(catalog: Catalog, entry: Entry, looked: Container[str]) -> Status | None:
    """None for an entry that cites no place which is looked up at newer commits."""
    followed = any(not source.commit and source.repo in looked for source in entry.sources)
    return catalog.state(entry.id, entry.sources) if followed else None


def _counted(states: Iterable[Status | None]) -> dict[Status, int]:
    """Every status with its number, zero included."""
    counts = Counter(states)
    return {status: counts[status] for status in Status}


def _nothing(_guide: Guide, _argument: str) -> dict[str, Any]:
    return {}


# Name of the block → template and the function that gathers its values.
BLOCKS: dict[str, tuple[str, Callable[[Guide, str], dict[str, Any]]]] = {
    "calculator": ("calculator", _nothing),
    "compare": ("compare", _compare),
    "downloads": ("downloads", _downloads),
    "entries": ("entries", _framework),
    "errors": ("errors", _errors),
    "framework": ("framework", _framework),
    "frameworks": ("frameworks", _frameworks),
    "glossaries": ("glossaries", _glossaries),
    "key-filter": ("key_filter", _nothing),
    "keys": ("keys", _keys),
    "log-box": ("log_box", _nothing),
    "report-box": ("report_box", _nothing),
    "rules": ("rules", _framework),
    "search-box": ("search_box", _nothing),
    "status": ("status", _status),
    "topics": ("topics", _topics),
    "versions": ("versions", _nothing),
}
