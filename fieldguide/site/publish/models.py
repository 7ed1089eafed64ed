"""The shape of catalog.json: the records of `catalog/` with titles and addresses in both languages.

`FORMAT` goes up when a program that reads the file could break: a field leaves, changes its type or its meaning. A new
field is no such change.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel, model_validator

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.catalog.models import Bug, Change, Concept, Entry, Framework, Id, Key, Newest, Repository, Source, Text
from fieldguide.content.catalog.models import Rule as CatalogRule

FORMAT: Literal[1] = 1


class Localized(RootModel[dict[str, str]]):
    """One text or address per language."""

    model_config = ConfigDict(
        json_schema_extra={
            "properties": {one: {"title": one.title(), "type": "string"} for one in LANGUAGES},
            "required": list(LANGUAGES),
        }
    )


class PageRecord(BaseModel):
    """A page; `markdown` is the address of its plain Markdown."""

    name: str
    title: Localized
    description: Localized
    url: Localized
    markdown: Localized


class SourceRecord(Source):
    """A cited place with its address."""

    url: str | None = None


class EntryRecord(Entry):
    """An entry. Its signatures include those of the rules it explains; `permalink` leads to the reader's language.

    `short` is the answer in one line.
    """

    title: Localized
    short: Localized
    topic: Id
    url: Localized
    permalink: str
    sources: Annotated[tuple[SourceRecord, ...], Field(min_length=1)]


class KeyRecord(Key):
    """A configuration key. `owner` is the glossary it stands in, `written` its name as users type it."""

    id: Id
    owner: Id
    written: str
    summary: Localized
    url: Localized


class BugRecord(Bug):
    """A known bug; `repository` is the framework or library that it is of, `standing` says which releases have it."""

    repository: Id
    standing: Localized
    url: Localized


class ConceptRecord(Concept):
    """One idea and each framework's keys for it."""

    title: Localized
    url: Localized


class Rule(CatalogRule):
    """A rule; `rule` says what must hold, `cases` where and how the code looks at it."""

    rule: Text

    @model_validator(mode="after")
    def _said_once(self) -> "Rule":
        return self  # here it is said twice, for readers and for programs


class CatalogFile(BaseModel):
    """catalog.json. A field that has its default is left out."""

    model_config = ConfigDict(populate_by_name=True)

    schema_url: str = Field(alias="$schema")
    format: Literal[1]
    title: Localized
    version: str
    date: str | None = Field(default=None, description="day of the last change")
    licence: str
    url: Localized
    frameworks: tuple[Framework, ...]
    libraries: tuple[Repository, ...]
    pages: tuple[PageRecord, ...]
    entries: tuple[EntryRecord, ...]
    keys: tuple[KeyRecord, ...]
    rules: tuple[Rule, ...]
    concepts: tuple[ConceptRecord, ...]
    bugs: tuple[BugRecord, ...] = Field(default=(), description="known bugs and the releases that have them")
    looked_at: tuple[Newest, ...] = Field(default=(), description="newest upstream commit compared with, per repository")
    changes: tuple[Change, ...] = Field(default=(), description="what upstream changed since the guide's stamps")
