"""The bug ledger: what its rows refer to exists, its releases are in order, and both languages say the same in few words."""

import re
from collections.abc import Iterator, Sequence

from fieldguide.content.addresses import FIRST
from fieldguide.content.bugs import ledger_of, releases_of
from fieldguide.content.catalog.models import Bug
from fieldguide.content.catalog.store import Catalog, Located
from fieldguide.content.guide import Guide
from fieldguide.content.problems import Problem
from fieldguide.content.width import columns_of

_CODE = re.compile(r"`([^`]+)`")
# A row is read at a glance.
_WIDEST = 220


def check_bugs(guide: Guide) -> Iterator[Problem]:
    """Look at every row, at every commit that was refused, and at where a framework's second page begins."""
    catalog = guide.catalog
    for framework in catalog.frameworks:
        last = framework.record.old_bugs
        if last and last not in releases_of(catalog, framework.record.id):
            fault = f"{framework.record.id} has no release {last!r} (`old_bugs`)"
            yield Problem(framework.path, framework.line, fault)
    commits: dict[tuple[str, str], str] = {}
    for item in catalog.bugs:
        bug, repository = item.record, item.path.stem
        for fault in (*_references(item, catalog), *_releases(bug, repository, catalog), *_words(bug, tuple(guide.words))):
            yield Problem(item.path, item.line, f"bug {bug.id}: {fault}")
        if repository in catalog.repository and f"bugs/{ledger_of(catalog, bug)}" not in guide.documents[FIRST]:
            missing = f"docs/{FIRST}/bugs/{ledger_of(catalog, bug)}.md"
            yield Problem(item.path, item.line, f"bug {bug.id}: there is no page {missing}")
        commits.update({(repository, one): bug.id for one in bug.commits})
    for refused in catalog.refused:
        if known := commits.get((refused.path.stem, refused.record.commit)):
            fault = f"commit {refused.record.commit} is refused, and row {known} has it"
            yield Problem(refused.path, refused.line, fault)


def _references(item: Located[Bug], catalog: Catalog) -> Iterator[str]:
    bug, repository = item.record, item.path.stem
    if repository not in catalog.repository:
        yield f"no framework or library {repository!r}"
    if not bug.id.startswith(f"{repository}-"):
        yield f"the id must start with {repository}-"
    if bug.topic not in catalog.entries_of:
        yield f"no topic {bug.topic!r}"
    if bug.entry and bug.entry not in catalog.entry and bug.entry not in catalog.broken:
        yield f"no entry {bug.entry!r}"
    if bug.of and bug.of not in catalog.repository:
        yield f"no framework or library {bug.of!r}"


def _releases(bug: Bug, repository: str, catalog: Catalog) -> Iterator[str]:
    tags = releases_of(catalog, repository) if repository in catalog.repository else []
    named = [(name, tag) for name in ("since", "until", "fixed") if (tag := getattr(bug, name))]
    for name, tag in named:
        if tags and tag not in tags:
            yield f"{repository} has no release {tag!r} (`{name}`)"
    places = [tags.index(tag) for _, tag in named if tag in tags]
    if places != sorted(places):
        yield f"its releases are out of order: {', '.join(f'{name} {tag}' for name, tag in named)}"


def _words(bug: Bug, languages: Sequence[str]) -> Iterator[str]:
    for language in languages:
        told = bug.words(language)
        for name, text in (("what", told.what), ("do", told.do)):
            if (wide := columns_of(text)) > _WIDEST:
                yield f"{language}.{name} is {wide} columns wide, {_WIDEST} at most; a Chinese character counts two"
    first, *others = (_codes(bug, language) for language in languages)
    for other in others:
        if first != other:
            yield f"code differs between the languages: {', '.join(sorted(first ^ other))}"


def _codes(bug: Bug, language: str) -> set[str]:
    told = bug.words(language)
    return {*_CODE.findall(told.what), *_CODE.findall(told.do)}
