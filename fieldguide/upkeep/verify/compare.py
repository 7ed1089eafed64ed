"""Look up everything the catalog cites, first at the commit it cites, then at upstream's newest."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path

from fieldguide.content.catalog.store import Catalog
from fieldguide.upkeep.extract.git import GitError
from fieldguide.upkeep.verify.look import Look
from fieldguide.upkeep.verify.merge import merge
from fieldguide.upkeep.verify.releases import ReleaseLook
from fieldguide.upkeep.verify.result import Citation, ReleaseReport, Report, Tally
from fieldguide.upkeep.verify.upstream import Upstream, open_clones


def verify(
    catalog: Catalog, clones: Path, revisions: Mapping[str, str] | None = None, releases: ReleaseLook | None = None
) -> Report:
    """Compare the catalog with local clones and with releases.

    Args:
        clones: folder that holds a git repository per cited one, as `owner+name`, `name`, or either with `repo` below.
        revisions: repository id → revision to look at instead of the newest.
        releases: looks at all releases; without it the clones alone are looked at.

    Returns:
        what holds, what changed, and everything that could not be looked at; bad input never stops the rest.
    """
    wrong = _wrong_input(catalog, clones, revisions or {})
    if wrong:
        return Report(faults=wrong)
    with ExitStack() as stack:
        archive = releases.archive if releases else lambda _: None
        opened = open_clones(clones, catalog.repository, revisions or {}, stack, archive)
        looks, faults = [], dict(opened.faults)
        for upstream in opened.upstreams.values():
            try:
                looks.append(_look(catalog, upstream))
            except GitError as error:
                faults[upstream.id] = str(error)
        if not opened.upstreams and not faults:
            faults[str(clones)] = "holds no clone of a cited repository; name them owner+name or name, as in slime"
        held = {id_: one.history.clone for id_, one in opened.upstreams.items() if not one.packaged}
        return replace(
            _report(catalog, looks, opened.absent, faults), releases=releases.all(held) if releases else ReleaseReport()
        )


def _look(catalog: Catalog, upstream: Upstream) -> Look:
    """Look up all that is cited of one repository."""
    look = Look(upstream)
    cited = [citation for citation in citations(catalog) if citation.source.repo == upstream.id]
    for citation in cited:
        look.cited(citation)
    for entry, signatures in catalog.signatures_of.items():
        own = [citation for citation in cited if citation.entry == entry]
        for signature in signatures:
            if signature.of == upstream.id:
                look.printed(entry, signature, own)
    look.finish()
    return look


def citations(catalog: Catalog) -> Iterator[Citation]:
    """Every source of every entry, key and rule."""
    position = _positions()
    for entry in catalog.entries:
        place = position(entry.path)
        for index, source in enumerate(entry.record.sources):
            yield Citation(("entries", entry.record.id), entry, place, index, source, entry.record.id)
    for key, owned in zip(catalog.keys, catalog.owned_keys, strict=True):
        yield Citation(("keys", owned.id), key, position(key.path), 0, key.record.source)
    for rule in catalog.rules:
        yield Citation(("rules", rule.record.id), rule, position(rule.path), 0, rule.record.source, rule.record.entry)


def _positions() -> Callable[[Path], int]:
    """Counts the records of each file as they come."""
    counts: dict[Path, Iterator[int]] = defaultdict(count)
    return lambda path: next(counts[path])


def _wrong_input(catalog: Catalog, clones: Path, revisions: Mapping[str, str]) -> tuple[str, ...]:
    if not clones.is_dir():
        return (f"{clones}: no such folder; give the one that holds the clones",)
    known = ", ".join(catalog.repository)
    strange = sorted(revisions.keys() - catalog.repository.keys())
    return tuple(f"no repository {id_!r} in catalog/frameworks.yml; known: {known}" for id_ in strange)


def _report(catalog: Catalog, looks: Sequence[Look], absent: Iterable[str], faults: Mapping[str, str]) -> Report:
    cited = Counter(citation.source.repo for citation in citations(catalog))
    printed = Counter(signature.of for signatures in catalog.signatures_of.values() for signature in signatures)
    left = {id_: f"; {cited[id_]} cited lines were not checked" for id_ in faults if cited[id_]}
    unread = [f"{id_}: {reason}{left.get(id_, '')}" for id_, reason in faults.items()]
    findings = tuple(finding for look in looks for finding in look.findings)
    return Report(
        looked=tuple(look.summary() for look in looks),
        changes=merge(findings),
        problems=tuple(sorted({problem for look in looks for problem in look.problems})),
        faults=(*unread, *(fault for look in looks for fault in look.faults)),
        absent={id_: Tally(lines=cited[id_], errors=printed[id_]) for id_ in absent if cited[id_] or printed[id_]},
        unchecked=tuple(one for look in looks for one in look.unchecked),
        moves=tuple(move for look in looks for move in look.moves),
        findings=findings,
    )
