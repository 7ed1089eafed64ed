"""catalog.json and its schema: what the guide says, for programs. The PDF has the same file attached."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.bugs import bug_address, standing
from fieldguide.content.catalog.models import Bug
from fieldguide.content.catalog.models import Rule as CatalogRule
from fieldguide.content.catalog.store import Owned
from fieldguide.content.checks.entries import CONCEPTS_PAGE
from fieldguide.content.definition import conditions
from fieldguide.content.document import first_paragraph, first_sentence, plain_inline
from fieldguide.content.guide import Guide
from fieldguide.content.history import commit_time
from fieldguide.site.configuration import Site
from fieldguide.site.markdown.render import Renderer
from fieldguide.site.publish.models import (
    FORMAT,
    BugRecord,
    CatalogFile,
    ConceptRecord,
    EntryRecord,
    KeyRecord,
    Localized,
    PageRecord,
    Rule,
    SourceRecord,
)
from fieldguide.site.publish.plain import markdown_url

FILE = "catalog.json"
SCHEMA_FILE = "catalog.schema.json"
LICENCE = "CC-BY-4.0"


def write_catalog(guide: Guide, site: Site, folder: Path) -> list[Path]:
    """Write catalog.json and catalog.schema.json.

    Returns:
        the files written.
    """
    texts = {FILE: catalog_json(guide, site), SCHEMA_FILE: _text(catalog_schema(site.url))}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def catalog_json(guide: Guide, site: Site) -> str:
    """The whole catalog as JSON text."""
    return _text(catalog_file(guide, site).model_dump(mode="json", by_alias=True, exclude_defaults=True))


def catalog_schema(url: str) -> dict[str, Any]:
    """The JSON Schema of catalog.json; it is open: a later version of the file may have further fields."""
    schema = CatalogFile.model_json_schema(by_alias=True)
    _open(schema)
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "$id": url + SCHEMA_FILE, **schema}


def _open(schema: object) -> None:
    """Let every object have further fields."""
    if isinstance(schema, dict):
        if schema.get("additionalProperties") is False:
            del schema["additionalProperties"]
        for value in schema.values():
            _open(value)
    elif isinstance(schema, list):
        for value in schema:
            _open(value)


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def catalog_file(guide: Guide, site: Site) -> CatalogFile:
    """Gather it."""
    catalog, stamp = guide.catalog, commit_time(guide.root)
    return CatalogFile(
        schema_url=site.url + SCHEMA_FILE,
        format=FORMAT,
        title=Localized(dict(site.names)),
        version=site.version,
        date=datetime.fromtimestamp(stamp, UTC).date().isoformat() if stamp is not None else None,
        licence=LICENCE,
        url=_both(lambda language: site.page(language, "index")),
        frameworks=tuple(catalog.framework.values()),
        libraries=tuple(item.record for item in catalog.libraries),
        pages=tuple(_page(guide, site, page.name) for page in site.nav),
        entries=tuple(_entry(guide, site, item.record.id) for item in catalog.entries),
        keys=tuple(_key(guide, site, owned) for owned in catalog.owned_keys),
        rules=tuple(_rule(guide, item.record) for item in catalog.rules),
        bugs=tuple(_bug(guide, site, item.record) for item in catalog.bugs),
        concepts=tuple(_concept(guide, site, item.record.id) for item in catalog.concepts),
        looked_at=tuple(item.record for item in catalog.newest),
        changes=tuple(item.record for item in catalog.changes),
    )


def _rule(guide: Guide, rule: CatalogRule) -> Rule:
    return Rule(**rule.model_dump() | {"rule": " and ".join(conditions(guide.catalog, rule))})


def _both(of: Callable[[str], str]) -> Localized:
    return Localized({language: of(language) for language in LANGUAGES})


def plain_title(guide: Guide, language: str, id_: str) -> str:
    """Title of a section without markup."""
    section = guide.section(language, id_)
    return str(Renderer.code_title(section.title if section else id_).striptags())


def _page(guide: Guide, site: Site, name: str) -> PageRecord:
    pages = {language: guide.documents[language][name] for language in LANGUAGES}
    return PageRecord(
        name=name,
        title=_both(lambda language: str(Renderer.code_title(pages[language].title).striptags())),
        description=_both(lambda language: pages[language].description),
        url=_both(lambda language: site.page(language, name)),
        markdown=_both(lambda language: markdown_url(site, language, name)),
    )


def _entry(guide: Guide, site: Site, id_: str) -> EntryRecord:
    entry = guide.catalog.entry[id_]
    own = entry.model_dump()
    own["signatures"] = [signature.model_dump() for signature in guide.catalog.signatures_of[id_]]
    own["sources"] = [SourceRecord(**one.model_dump(), url=guide.catalog.source_url(one)) for one in entry.sources]
    return EntryRecord(
        **own,
        title=_both(lambda language: plain_title(guide, language, id_)),
        short=_both(lambda language: plain_inline(guide.entry_document(language, id_).short)),
        topic=guide.catalog.topic_of[id_],
        url=_both(lambda language: site.page(language, guide.catalog.page_of(id_))),
        permalink=site.permalink(id_),
    )


def _key(guide: Guide, site: Site, owned: Owned) -> KeyRecord:
    sections = {language: guide.section(language, owned.id) for language in LANGUAGES}
    summary = {
        language: first_sentence(first_paragraph(section.text)) if section else "" for language, section in sections.items()
    }
    return KeyRecord(
        **(owned.key.model_dump() | {"id": owned.id}),
        owner=owned.owner,
        written=owned.key.display,
        summary=Localized(**summary),
        url=_both(lambda language: site.page(language, guide.page_of_key[owned.id], owned.id)),
    )


def _bug(guide: Guide, site: Site, bug: Bug) -> BugRecord:
    return BugRecord(
        **bug.model_dump(),
        repository=guide.catalog.repository_of_bug[bug.id],
        standing=_both(lambda language: standing(guide.catalog, bug, guide.words[language])),
        url=_both(lambda language: site.url + bug_address(guide.catalog, bug, language)),
    )


def _concept(guide: Guide, site: Site, id_: str) -> ConceptRecord:
    return ConceptRecord(
        **guide.catalog.concept[id_].model_dump(),
        title=_both(lambda language: plain_title(guide, language, id_)),
        url=_both(lambda language: site.page(language, CONCEPTS_PAGE, id_)),
    )
