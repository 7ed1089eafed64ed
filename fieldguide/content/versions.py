"""`versions.json`: what the doctor compares an environment with, of `catalog/versions/`, `needs.yml` and `pairs.yml`.

Read by `fieldguide.runtime.doctor.facts`, where the fields are described.
"""

from collections import defaultdict
from typing import Any

from fieldguide.content.addresses import LANGUAGES, page_address
from fieldguide.content.bugs import PACKAGES
from fieldguide.content.catalog.models import Pair, Stack
from fieldguide.content.catalog.store import Catalog
from fieldguide.runtime.doctor import facts

# What pip calls a framework, where that is not its id.
_DISTRIBUTIONS = {"chatlearn": ["pai-chatlearn"]}


def compile_versions(catalog: Catalog) -> dict[str, Any]:
    """Everything that the doctor needs, in every language."""
    return {
        "format": facts.FORMAT,
        "packages": [
            [one.id, one.name, one.aliases, one.repositories, one.tokens] for one in (item.record for item in catalog.tracked)
        ],
        "frameworks": [_framework(catalog, id_) for id_, one in catalog.framework.items() if one.glossary == id_],
        "needs": _needs(catalog),
        "known": _known(catalog),
        "pairs": [_pair(catalog, item.record) for item in catalog.pairs],
    }


def _framework(catalog: Catalog, id_: str) -> dict[str, Any]:
    """A framework and its legacy line, whose releases come first."""
    members = sorted((one for one in catalog.framework.values() if one.glossary == id_), key=lambda one: one.id == id_)
    return {
        "id": id_,
        "name": catalog.framework[id_].name,
        "names": [id_, *_DISTRIBUTIONS.get(id_, ())],
        "repository": catalog.framework[id_].repository,
        "releases": [
            [one.tag, [_stack(stack) for stack in one.stacks]] for member in members for one in catalog.built[member.id]
        ],
    }


def _stack(stack: Stack) -> list[Any]:
    return [stack.path, stack.kind, stack.platform, stack.extra, stack.image, stack.tested or "", stack.uses, stack.cells]


def _needs(catalog: Catalog) -> dict[str, list[list[Any]]]:
    found: dict[str, list[list[Any]]] = defaultdict(list)
    for item in catalog.needs:
        found[item.record.of].append([item.record.version, item.record.needs])
    return found


def _known(catalog: Catalog) -> dict[str, list[str]]:
    """Package → its releases, oldest first, where the catalog has a list of them."""
    ids = {item.record.id for item in catalog.tracked}
    return {
        name: [one.tag.removeprefix("core_").removeprefix("v") for one in repository.releases]
        for id_, repository in catalog.repository.items()
        if (name := PACKAGES.get(id_, id_)) in ids and repository.releases
    }


def _pair(catalog: Catalog, pair: Pair) -> dict[str, Any]:
    entry = pair.entry if pair.entry in catalog.entry else None
    return {
        "id": pair.id,
        "packages": pair.packages,
        "absent": pair.absent,
        "harm": pair.harm,
        "error": pair.error,
        "entry": entry or "",
        "pages": {language: page_address(language, catalog.page_of(entry)) for language in LANGUAGES} if entry else {},
        "repair": pair.repair,
        "words": {language: [(worded := pair.words(language)).what, worded.when, worded.do] for language in LANGUAGES},
        "sources": [one.at for one in pair.sources],
    }


def pairs_of(catalog: Catalog, framework: str | None) -> list[Pair]:
    """The pairs that name a framework, or those that name none."""
    ids = {one.glossary for one in catalog.framework.values()}
    found = [item.record for item in catalog.pairs]
    return [one for one in found if (framework in one.packages if framework else not ids & one.packages.keys())]


def package_names(catalog: Catalog) -> dict[str, str]:
    """Package or framework → what its makers call it."""
    return {**{one.id: one.name for one in catalog.framework.values()}, **{i.record.id: i.record.name for i in catalog.tracked}}


def shown_range(spec: str) -> str:
    """Versions as people say them: an exact one without its sign.

    >>> [shown_range(spec) for spec in ("==0.24.0", "==2.6.*", ">=2.41.0", "<3,>=2", "")]
    ['0.24.0', '2.6', '≥2.41.0', '≥2 <3', '']
    """
    parts = sorted(filter(None, spec.split(",")), key=lambda one: (one[0] != ">", one))
    if len(parts) == 1 and parts[0].startswith("=="):
        return parts[0][2:].removesuffix(".*")
    return " ".join(parts).replace(">=", "≥").replace("<=", "≤").replace("!=", "≠").replace("==", "=")
