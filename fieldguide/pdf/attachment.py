"""catalog.json, attached to every book: what the book says, for programs."""

import json
from collections.abc import Callable
from typing import Any

from fieldguide.catalog.store import Owned
from fieldguide.guide import Guide
from fieldguide.pdf.settings import Settings


def catalog_json(guide: Guide, settings: Settings, language: str, address: Callable[[str, str], str]) -> str:
    """The whole catalog as JSON text, whatever part of it the book holds.

    Args:
        address: page name and anchor → address on the site.
    """
    catalog = guide.catalog
    data = {
        "title": settings.names[language],
        "version": settings.version,
        "date": settings.date,
        "language": language,
        "frameworks": [_record(one) for one in catalog.framework.values()],
        "entries": [_entry(guide, language, one.record.id, address) for one in catalog.entries],
        "keys": [_key(owned, address) for owned in catalog.owned_keys],
        "rules": [_record(one.record) for one in catalog.rules],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _record(model: Any) -> dict[str, Any]:
    record: dict[str, Any] = model.model_dump(mode="json", exclude_defaults=True)
    return record


def _entry(guide: Guide, language: str, id_: str, address: Callable[[str, str], str]) -> dict[str, Any]:
    section = guide.section(language, id_)
    topic = guide.catalog.topic_of[id_]
    return _record(guide.catalog.entry[id_]) | {
        "title": section.title if section else id_,
        "topic": topic,
        "address": address(f"topics/{topic}", id_),
        "signatures": [_record(one) for one in guide.catalog.signatures_of[id_]],
    }


def _key(owned: Owned, address: Callable[[str, str], str]) -> dict[str, Any]:
    place = address(f"glossary/{owned.owner}", owned.id)
    return {"id": owned.id, "owner": owned.owner, "address": place} | _record(owned.key) | {"display": owned.key.display}
