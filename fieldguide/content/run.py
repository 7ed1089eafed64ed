"""What compiles `catalog/run.yml`: how the logs of a whole run are read."""

from collections.abc import Iterable, Mapping
from typing import Any

from fieldguide.content.catalog.models.run import Event, FileKind, Named
from fieldguide.content.catalog.store import Catalog
from fieldguide.content.dialect import portable


def compile_run(catalog: Catalog) -> dict[str, Any]:
    """What `fieldguide.runtime.run.rules` reads; nothing where a catalog says nothing of runs."""
    if not catalog.run:
        return {}
    run = catalog.run[0].record
    return {
        "limits": run.limits,
        "ignored": _by_kind(run.ignored),
        "files": [[one.kind, *_named(one)] for one in run.files],
        "heads": _by_kind(run.heads),
        "nodes": [_named(one) for one in run.nodes],
        "runs": _by_kind(run.runs),
        "speakers": [_named(one) for one in run.speakers],
        "times": [_named(one) for one in run.times],
        "echoes": [*catalog.scan[0].record.echoes, *run.echoes],
        "echoTexts": run.echoTexts,
        "ways": {one.name: one.strength for one in run.ways},
        "events": [_event(one) for one in run.events],
    }


def methods_of(catalog: Catalog) -> Mapping[str, str]:
    """Way to end → page of the method that leads on."""
    return {way.name: f"methods/{way.method}" for item in catalog.run for way in item.record.ways}


def _by_kind(rules: Iterable[FileKind]) -> list[list[str]]:
    return [[one.kind, portable(one.pattern)] for one in rules]


def _named(one: Named) -> list[Any]:
    return [portable(one.pattern), list(one.fields)]


def _event(one: Event) -> list[Any]:
    """A row of `Event` in `fieldguide.runtime.run.rules`."""
    return [one.name, one.role, one.how, one.anchor, one.lines, one.does, *_named(one)]
