"""Facts of the catalog in a few words, as pages and terminals say them."""

from collections.abc import Mapping

from fieldguide.content.catalog.models import Entry, Key, Source
from fieldguide.content.catalog.models.base import Span
from fieldguide.content.catalog.store import Catalog


def versions(catalog: Catalog, span: Span, of: str | None = None) -> str:
    """A span of versions: `torch ≥ 2.7.1`, `v0.2.0 – v0.3.0`; empty when it is open at both ends."""
    name = f"{catalog.repository[of].name} " if of and of in catalog.repository else ""
    if span.since and span.until:
        return f"{name}{span.since} – {span.until}"
    if span.since:
        return f"{name}≥ {span.since}"
    return f"{name}≤ {span.until}" if span.until else ""


def source_name(catalog: Catalog, source: Source) -> str:
    """`ROLL roll/configs/base_config.py:342`, with the revision when it is not the pinned one."""
    repository = catalog.repository[source.repo]
    line = f":{source.line}" if source.line else ""
    commit = f" @ {source.commit[:10]}" if source.commit else ""
    return f"{repository.name} {source.path}{line}{commit}"


def stamp(catalog: Catalog, framework: str) -> str:
    """The pin of a framework or library: `ROLL 8eb27cc, 2026-08-19`."""
    pinned = catalog.repository[framework]
    revision = pinned.commit[:7] if pinned.commit else pinned.version
    return f"{pinned.name} {revision}, {pinned.date}" if pinned.date else f"{pinned.name} {revision}"


def since(catalog: Catalog, repo: str, stamped: str) -> str:
    """An older stamp of a repository, in the same words."""
    commit, date = stamped.split()
    return f"{catalog.repository[repo].name} {commit[:7]}, {date.strip('()')}"


def checked(catalog: Catalog, entry: Entry) -> str:
    """Stamp of an entry: its framework's, or the older one that a source of it is held at."""
    repo = entry.framework if entry.framework in catalog.framework else entry.sources[0].repo
    held = [source.held for source in entry.sources if source.held and source.repo == repo]
    return since(catalog, repo, min(held, key=lambda one: one.split()[1])) if held else stamp(catalog, repo)


def key_fact(key: Key, words: Mapping[str, str]) -> str:
    """`int = 8`, `str, required`: type, default and choices in one line."""
    fact = " | ".join(key.choices) or key.type
    if key.required:
        return f"{fact}, {words['key_required']}"
    return fact if key.default is None else f"{fact} = {key.default}"
