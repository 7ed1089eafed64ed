"""`/// catalog | NAME [ARGUMENT]`: lists and tables that the catalog fills."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from xml.etree.ElementTree import Element

from fieldguide.content.bugs import anchor, ledgers, owner_of, rows_of, span
from fieldguide.content.catalog.models import Entry, Framework, Newest, Repository, Status
from fieldguide.content.catalog.store import Catalog, Owned
from fieldguide.content.guide import OTHER_KEYS, Guide
from fieldguide.content.listing import index_rows, key_index, moved_ids
from fieldguide.content.versions import pairs_of, shown_range
from fieldguide.site import bugs, versions
from fieldguide.site.markdown.cards import concept_keys
from fieldguide.site.markdown.render import Renderer


class BlockError(ValueError):
    """A catalog block names something that does not exist."""


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


@dataclass(frozen=True)
class Component:
    """Keys without words of their own that one class or section declares.

    Attributes:
        id: of its heading; empty where the page is about nothing else.
        name: as the code spells it.
    """

    id: str
    name: str
    rows: tuple[Owned, ...]


def components(guide: Guide, page: str) -> list[Component]:
    """Keys without words of their own on a page of a glossary, by group, in the order of the catalog."""
    groups: dict[str, list[Owned]] = defaultdict(list)
    for owned in guide.rows_of.get(page, []):
        groups[owned.key.group].append(owned)
    alone = page.rpartition("/")[2] != OTHER_KEYS
    return [
        Component("" if alone else f"keys-{rows[0].owner}-{group}", component_name(rows, group), tuple(rows))
        for group, rows in groups.items()
    ]


def component_name(rows: Sequence[Owned], group: str) -> str:
    """The class that declares them all, or the name of the group."""
    declarers = {owned.key.declared for owned in rows}
    one = next(iter(declarers)) if len(declarers) == 1 else None
    return one if one and one[:1].isupper() else group


def _keys(guide: Guide, argument: str) -> dict[str, Any]:
    page = f"glossary/{argument.replace(' ', '/')}"
    if page not in guide.rows_of:
        raise BlockError(f"no keys of {argument!r}")
    return {"components": components(guide, page)}


def _key_index(guide: Guide, argument: str) -> dict[str, Any]:
    groups = key_index(guide, argument)
    if not groups:
        raise BlockError(f"no keys of {argument!r}")
    names = Counter(owned.key.display for group in groups for owned in group.keys)
    return {"groups": groups, "twice": {name for name, count in names.items() if count > 1}}


def _topic(guide: Guide, argument: str) -> dict[str, Any]:
    topic, _, group = argument.partition(" ")
    entries = [entry for entry in guide.catalog.entries_of.get(topic, ()) if (entry.group or "") == group]
    if not entries:
        raise BlockError(f"no entries of {argument!r}")
    return {"entries": [(entry, moved_ids(guide, entry)[1:]) for entry in entries]}


def _errors(guide: Guide, _argument: str) -> dict[str, Any]:
    """Letter → runs of texts of one entry: they share its link, for the page is near its weight."""
    letters = groupby(index_rows(guide), lambda row: row.letter)
    return {"groups": [(letter, [[*run] for _, run in groupby(rows, lambda row: row.entry)]) for letter, rows in letters]}


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
    return {"topics": guide.catalog.entries_of}


def _frameworks(guide: Guide, _argument: str) -> dict[str, Any]:
    """Entries of each framework, those of its legacy line included: one page serves both."""
    known = guide.catalog.framework
    return {"counts": Counter(known[one.framework].glossary for one in guide.catalog.entry.values() if one.framework in known)}


def _glossaries(guide: Guide, _argument: str) -> dict[str, Any]:
    owners = dict.fromkeys(owned.owner for owned in guide.catalog.owned_keys)
    return {"owners": {owner: [o for o in guide.catalog.owned_keys if o.owner == owner] for owner in owners}}


def _compare(guide: Guide, argument: str) -> dict[str, Any]:
    """All concepts, or those that are named."""
    known = guide.catalog.concept
    if unknown := [id_ for id_ in argument.split() if id_ not in known]:
        raise BlockError(f"no concept {unknown[0]!r}")
    concepts = [known[id_] for id_ in argument.split()] or list(known.values())
    shown = [one for one in guide.catalog.framework.values() if any(one.id in concept.keys for concept in known.values())]
    return {"concepts": concepts, "frameworks": shown, "keys_of": concept_keys(guide)}


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
        "entries": [(entry, state, _looked(catalog, entry)) for entry, state in sorted(entries, key=_holding)],
        "released": [one for one in catalog.repository.values() if one.releases],
    }


def _holding(row: tuple[Entry, Status | None]) -> bool:
    return row[1] in (Status.HOLDS, None)


def _looked(catalog: Catalog, entry: Entry) -> list[Repository]:
    """The repositories in whose releases texts or lines of an entry were looked up."""
    texts = [one.of for one in entry.signatures if not one.not_followed]
    lines = [one.repo for one in entry.sources if one.contains and not one.commit]
    rules = [rule.of or rule.framework for rule in catalog.rules_of[entry.framework] if rule.error and rule.entry == entry.id]
    named = dict.fromkeys([*texts, *rules, *lines])
    return [one for id_ in named if (one := catalog.repository.get(id_)) and one.releases]


def _state(catalog: Catalog, entry: Entry, looked: Container[str]) -> Status | None:
    """None for an entry that cites no place which is looked up at newer commits."""
    followed = any(not source.commit and source.repo in looked for source in entry.sources)
    return catalog.state(entry.id, entry.sources) if followed else None


def _counted(states: Iterable[Status | None]) -> dict[Status, int]:
    """Every status with its number, zero included."""
    counts = Counter(states)
    return {status: counts[status] for status in Status}


def _fits(guide: Guide, argument: str) -> dict[str, Any]:
    """The releases of a framework with their sets, on NVIDIA GPUs or on the platform that is named: `verl ascend`."""
    facts = versions.facts_of(guide.catalog)
    name, _, platform = argument.partition(" ")
    framework = versions.framework_of(facts, name)
    if framework is None:
        raise BlockError(f"no framework {name!r}")
    shown = (framework, facts, platform or "cuda")
    return {"columns": versions.columns(*shown), "rows": versions.rows(*shown)}


def _take(guide: Guide, argument: str) -> dict[str, Any]:
    """The sets of the newest releases, written out."""
    facts = versions.facts_of(guide.catalog)
    framework = versions.framework_of(facts, argument)
    if framework is None:
        raise BlockError(f"no framework {argument!r}")
    return {"taken": list(versions.taken(framework, facts))}


def _pairs(guide: Guide, argument: str) -> dict[str, Any]:
    """Pairs that name a framework; without an argument those of libraries among themselves."""
    facts = versions.facts_of(guide.catalog)
    if argument and versions.framework_of(facts, argument) is None:
        raise BlockError(f"no framework {argument!r}")
    pairs = pairs_of(guide.catalog, argument or None)
    return {"pairs": pairs, "names": facts.name, "shown": shown_range, "evidence_url": versions.evidence_url}


def _across(guide: Guide, argument: str) -> dict[str, Any]:
    """Which releases fit a version of vLLM or SGLang."""
    facts = versions.facts_of(guide.catalog)
    if argument not in facts.known:
        raise BlockError(f"no releases of {argument!r}")
    return {"engine": facts.name(argument), **versions.across(facts, argument)}


def _bugs(guide: Guide, argument: str) -> dict[str, Any]:
    """The bug ledger of a framework, the newest release first, or of all libraries, one after the other."""
    shown = bugs.ledger(guide.catalog, argument)
    if not shown.groups:
        raise BlockError(f"no bugs of {argument!r}")
    return {"ledger": shown, "anchor": anchor, "span": span, "evidence_url": versions.evidence_url}


def _ledgers(guide: Guide, _argument: str) -> dict[str, Any]:
    """The pages of the bug ledger, the rows of each, and the newest release that is known."""
    catalog = guide.catalog
    newest = {id_: framework.releases[-1].tag for id_, framework in catalog.framework.items() if framework.releases}
    return {
        "ledgers": [(name, rows_of(catalog, name), newest.get(owner_of(name), "")) for name in ledgers(catalog)],
    }


def _doctor(guide: Guide, _argument: str) -> dict[str, Any]:
    """The words that the doctor's script says."""
    unused = ("doctor_label", "doctor_placeholder", "doctor_noscript", "doctor_privacy", "doctor_bad_")
    return {
        "doctor_words": {
            language: {name: text for name, text in words.items() if name.startswith("doctor_") and not name.startswith(unused)}
            for language, words in guide.words.items()
        }
    }


def _nothing(_guide: Guide, _argument: str) -> dict[str, Any]:
    return {}


# Name of the block → template and the function that gathers its values.
BLOCKS: dict[str, tuple[str, Callable[[Guide, str], dict[str, Any]]]] = {
    "bug-ledgers": ("bug_ledgers", _ledgers),
    "bugs": ("bugs", _bugs),
    "calculator": ("calculator", _nothing),
    "compare": ("compare", _compare),
    "doctor": ("doctor_box", _doctor),
    "downloads": ("downloads", _downloads),
    "entries": ("entries", _framework),
    "errors": ("errors", _errors),
    "fits": ("fits", _fits),
    "fits-across": ("fits_across", _across),
    "fits-pairs": ("fits_pairs", _pairs),
    "fits-take": ("fits_take", _take),
    "framework": ("framework", _framework),
    "frameworks": ("frameworks", _frameworks),
    "glossaries": ("glossaries", _glossaries),
    "key-filter": ("key_filter", _nothing),
    "key-index": ("key_index", _key_index),
    "keys": ("keys", _keys),
    "log-box": ("log_box", _nothing),
    "report-box": ("report_box", _nothing),
    "rules": ("rules", _framework),
    "search-box": ("search_box", _nothing),
    "status": ("status", _status),
    "topic": ("topic", _topic),
    "topics": ("topics", _topics),
    "versions": ("versions", _nothing),
}
