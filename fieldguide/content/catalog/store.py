"""The catalog in memory: look-ups, and the faults that only the whole can show (duplicates, dangling references)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from fieldguide.content.catalog.models import (
    Bug,
    Built,
    Calculator,
    Change,
    ChangeKind,
    Cleaning,
    Command,
    Concept,
    Diagram,
    Entry,
    Framework,
    Grammar,
    Key,
    Mask,
    Model,
    Need,
    Newest,
    Pair,
    Program,
    Reading,
    Refused,
    Repository,
    Rule,
    RunReading,
    Shorthand,
    Signature,
    Source,
    Status,
    Synonyms,
    Tracked,
)
from fieldguide.content.problems import Problem
from fieldguide.runtime.guide import SHARED

M = TypeVar("M", bound=Model)


def _place(order: Sequence[str], tag: str | None, open_end: int) -> int:
    """Where a release stands in time; what is not tagged yet comes last."""
    if tag is None:
        return open_end
    return order.index(tag) if tag in order else len(order)


@dataclass(frozen=True)
class Located(Generic[M]):
    """A record and where it stands."""

    record: M
    path: Path
    line: int


@dataclass(frozen=True)
class Owned:
    """A key together with the glossary it belongs to.

    Attributes:
        owner: stem of its file in catalog/keys: a framework, or `any` for what several share.
    """

    key: Key
    owner: str

    @property
    def id(self) -> str:
        return self.key.id or f"{self.owner}-{self.key.slug}"


@dataclass(frozen=True)
class Catalog:
    """Everything in `catalog/`, in file order.

    Attributes:
        newest: the commits that `make verify` looked at last, one per repository.
        changes: what upstream has changed since the stamps.
        broken: id or name of each record with a fault → the framework it names.
    """

    frameworks: Sequence[Located[Framework]] = ()
    libraries: Sequence[Located[Repository]] = ()
    programs: Sequence[Located[Program]] = ()
    entries: Sequence[Located[Entry]] = ()
    keys: Sequence[Located[Key]] = ()
    rules: Sequence[Located[Rule]] = ()
    calculators: Sequence[Located[Calculator]] = ()
    diagrams: Sequence[Located[Diagram]] = ()
    concepts: Sequence[Located[Concept]] = ()
    cleaning: Sequence[Located[Cleaning]] = ()
    places: Sequence[Located[Cleaning]] = ()
    settings: Sequence[Located[Cleaning]] = ()
    masks: Sequence[Located[Mask]] = ()
    shorthand: Sequence[Located[Shorthand]] = ()
    grammar: Sequence[Located[Grammar]] = ()
    scan: Sequence[Located[Reading]] = ()
    run: Sequence[Located[RunReading]] = ()
    synonyms: Sequence[Located[Synonyms]] = ()
    newest: Sequence[Located[Newest]] = ()
    changes: Sequence[Located[Change]] = ()
    destroying: Sequence[Located[Command]] = ()
    tracked: Sequence[Located[Tracked]] = ()
    versions: Sequence[Located[Built]] = ()
    needs: Sequence[Located[Need]] = ()
    pairs: Sequence[Located[Pair]] = ()
    bugs: Sequence[Located[Bug]] = ()
    refused: Sequence[Located[Refused]] = ()
    symbols: frozenset[str] = field(default_factory=frozenset)
    broken: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def framework(self) -> dict[str, Framework]:
        return {item.record.id: item.record for item in self.frameworks}

    @cached_property
    def repository(self) -> dict[str, Repository]:
        libraries: dict[str, Repository] = {item.record.id: item.record for item in self.libraries}
        return libraries | self.framework

    @cached_property
    def program(self) -> dict[str, Program]:
        return {item.record.id: item.record for item in self.programs}

    def is_foreign(self, entry: str, signature: Signature) -> bool:
        """Whether a library prints a text whose entry is for one framework."""
        framework, printer = self.entry[entry].framework, self.framework.get(signature.of)
        own = framework == SHARED or (printer and printer.glossary == self.framework[framework].glossary)
        return not own

    @cached_property
    def entry(self) -> dict[str, Entry]:
        return {item.record.id: item.record for item in self.entries}

    @cached_property
    def topic_of(self) -> dict[str, str]:
        """Entry id → topic: the folder that its file is in, here and in `docs/`."""
        return {item.record.id: item.path.parent.name for item in self.entries}

    def page_of(self, entry: str) -> str:
        """Name of the page of an entry: `topics/memory/slime-oom`."""
        return f"topics/{self.topic_of[entry]}/{entry}"

    @cached_property
    def entries_of(self) -> dict[str, list[Entry]]:
        """Topic → its entries: what every framework shares first, then framework by framework, by id."""
        order = {framework: number for number, framework in enumerate([SHARED, *self.framework])}
        found: dict[str, list[Entry]] = defaultdict(list)
        for entry in sorted(self.entry.values(), key=lambda one: (order.get(one.framework, len(order)), one.id)):
            found[self.topic_of[entry.id]].append(entry)
        return found

    @cached_property
    def owned_keys(self) -> tuple[Owned, ...]:
        return tuple(Owned(item.record, item.path.stem) for item in self.keys)

    @cached_property
    def key_by_id(self) -> dict[str, Owned]:
        return {owned.id: owned for owned in self.owned_keys}

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Former id of an entry or key → its id."""
        former = {alias: entry.id for entry in self.entry.values() for alias in entry.aliases}
        return former | {alias: owned.id for owned in self.owned_keys for alias in owned.key.aliases}

    @cached_property
    def diagram(self) -> dict[str, Diagram]:
        """Entry id → its decision path."""
        return {item.record.id: item.record for item in self.diagrams}

    @cached_property
    def built(self) -> dict[str, list[Built]]:
        """Framework → what each of its releases was built with, oldest first."""
        return _by_file(self.versions)

    @cached_property
    def bugs_of(self) -> dict[str, list[Bug]]:
        """Repository → its rows of the bug ledger, in file order."""
        return _by_file(self.bugs)

    @cached_property
    def repository_of_bug(self) -> dict[str, str]:
        """Id of a row of the bug ledger → the repository that it is of."""
        return {item.record.id: item.path.stem for item in self.bugs}

    def framework_of_bug(self, bug: str) -> str:
        """The framework whose users meet a bug: every one for a library's."""
        repository = self.repository_of_bug[bug]
        return repository if repository in self.framework else SHARED

    @cached_property
    def concept(self) -> dict[str, Concept]:
        return {item.record.id: item.record for item in self.concepts}

    @cached_property
    def rules_of(self) -> dict[str, list[Rule]]:
        rules: dict[str, list[Rule]] = defaultdict(list)
        for item in self.rules:
            rules[item.record.framework].append(item.record)
        return rules

    @cached_property
    def calculator(self) -> dict[str, Calculator]:
        return {item.record.framework: item.record for item in self.calculators}

    @cached_property
    def signatures_of(self) -> dict[str, list[Signature]]:
        """Entry id → its own signatures, then those of the rules it explains, each text once."""
        found: dict[str, dict[str, Signature]] = {
            item.record.id: {signature.text: signature for signature in item.record.signatures} for item in self.entries
        }
        printed: dict[tuple[str, str], list[Rule]] = defaultdict(list)
        for item in self.rules:
            if item.record.error and item.record.entry in found:
                printed[item.record.entry, item.record.error].append(item.record)
        for (entry, text), rules in printed.items():
            found[entry].setdefault(text, self._signature(text, rules))
        return {entry: list(signatures.values()) for entry, signatures in found.items()}

    def _signature(self, text: str, rules: Sequence[Rule]) -> Signature:
        """The text of rules that follow each other: from the first release that prints it to the last."""
        rule = rules[0]
        if rule.of and rule.of != rule.framework:
            return Signature(text=text, of=rule.of, generic=rule.generic)  # its versions are the library's
        order = [release.tag for release in self.framework[rule.framework].releases]
        since = min((one.since for one in rules), key=lambda tag: _place(order, tag, -1))
        until = max((one.until for one in rules), key=lambda tag: _place(order, tag, len(order)))
        return Signature(text=text, of=rule.framework, since=since, until=until, generic=rule.generic)

    def glossary_of(self, framework: str) -> str:
        """Owner of the keys that a framework's text means first."""
        return self.framework[framework].glossary if framework in self.framework else framework

    def source_url(self, source: Source) -> str | None:
        """Address of the cited line at the cited commit; None for a published package without a repository."""
        repository = self.repository[source.repo]
        revision = source.revision or repository.commit or repository.tag
        if not repository.repository or not revision:
            return None
        anchor = f"#L{source.line}" if source.line else ""
        return f"https://github.com/{repository.repository}/blob/{revision}/{source.path}{anchor}"

    @cached_property
    def changes_of(self) -> dict[str, list[Change]]:
        """Id of an entry or key → what upstream has changed since its stamp."""
        found: dict[str, list[Change]] = defaultdict(list)
        for item in self.changes:
            for id_ in (*item.record.entries, *item.record.keys):
                found[id_].append(item.record)
        return found

    def state(self, id_: str, sources: Sequence[Source]) -> Status:
        """Whether an entry or key still agrees with upstream: gone when none of the lines it cites is left."""
        changes = self.changes_of.get(id_)
        if not changes:
            return Status.HOLDS
        lost = {(one.repo, one.path, one.line) for one in changes if one.kind in (ChangeKind.LOST, ChangeKind.FILE)}
        followed = [source for source in sources if not source.commit]
        gone = [source for source in followed if {(source.repo, source.path, at) for at in (source.line, None)} & lost]
        return Status.GONE if gone and len(gone) == len(followed) else Status.CHANGED

    def faults(self) -> Iterator[Problem]:
        """Duplicate ids, references that lead nowhere, and sources held back without a reason."""
        yield from self._duplicates()
        yield from self._dangling_checks()
        yield from self._dangling_entries()
        yield from self._dangling_pairs()
        yield from self._dangling_others()

    def _duplicates(self) -> Iterator[Problem]:
        named = [(i.record.id, i.path, i.line) for i in self.frameworks]
        named += [(i.record.id, i.path, i.line) for i in self.libraries]
        yield from _twice(named, {})
        ids = [(i.record.id, i.path, i.line) for i in self.entries]
        ids += [(Owned(i.record, i.path.stem).id, i.path, i.line) for i in self.keys]
        ids += [(i.record.id, i.path, i.line) for i in self.concepts]
        ids += [(i.record.anchor, i.path, i.line) for i in self.rules]
        ids += [(alias, i.path, i.line) for i in self.entries for alias in i.record.aliases]
        ids += [(alias, i.path, i.line) for i in self.keys for alias in i.record.aliases]
        yield from _twice(ids, {})
        yield from _twice([(i.record.id, i.path, i.line) for i in self.pairs], {})
        yield from _twice([(i.record.id, i.path, i.line) for i in self.bugs], {})

    def _dangling_entries(self) -> Iterator[Problem]:
        for item in self.entries:
            entry = item.record
            for owner in [entry.framework, *(s.of for s in entry.signatures), *(s.repo for s in entry.sources)]:
                if owner not in self.repository and owner != SHARED:
                    yield Problem(item.path, item.line, f"entry {entry.id}: no framework or library {owner!r}")
            for other in entry.see_also:
                if other not in self.entry and other not in self.broken:
                    yield Problem(item.path, item.line, f"entry {entry.id}: see_also names no entry {other!r}")
            if item.path.stem != entry.id:
                yield Problem(item.path, item.line, f"entry {entry.id}: the file must be named {entry.id}.yml")
            # An entry that turned out to be for everybody keeps the id under which it was published.
            prefix = self.framework[entry.framework].prefix if entry.framework in self.framework else SHARED
            if not entry.id.startswith(prefix + "-") and entry.framework != SHARED:
                yield Problem(item.path, item.line, f"entry {entry.id}: the id must start with {prefix}-")

    def _dangling_checks(self) -> Iterator[Problem]:
        known = {*self.entry, *self.key_by_id, *self.broken, *(item.record.id for item in self.rules)}
        told: set[str] = set()
        named = [(item.record.id, item.path, item.line) for item in self.newest]
        named += [(item.record.repo, item.path, item.line) for item in self.changes]
        for id_, path, line in named:
            if id_ not in self.repository:
                yield Problem(path, line, f"no framework or library {id_!r}")
        for change in self.changes:
            cited = (*change.record.entries, *change.record.keys, *change.record.rules)
            told.update(cited)
            for id_ in cited:
                if id_ not in known:
                    yield Problem(change.path, change.line, f"{id_!r} is no entry, key or rule; take it out here")
        yield from self._held_untold(told)

    def _held_untold(self, told: set[str]) -> Iterator[Problem]:
        """`held` without a change, or a change of which nothing is held, comes from an edit by hand."""
        records = [(i.record.id, i.record.sources, i.path, i.line) for i in self.entries]
        records += [(o.id, (o.key.source,), i.path, i.line) for o, i in zip(self.owned_keys, self.keys, strict=True)]
        records += [(i.record.id, (i.record.source,), i.path, i.line) for i in self.rules]
        for id_, sources, path, line in records:
            if id_ not in told and any(source.held for source in sources):
                yield Problem(path, line, f"{id_}: a source has `held`, but catalog/checks.yml names no change; take it out")

    def _dangling_pairs(self) -> Iterator[Problem]:
        known = {item.record.id for item in self.tracked} | self.framework.keys()
        for item in self.pairs:
            pair = item.record
            for package in (*pair.packages, *pair.absent, *pair.repair):
                if package not in known:
                    yield Problem(item.path, item.line, f"pair {pair.id}: no package or framework {package!r}")
            if pair.entry and pair.entry not in self.entry and pair.entry not in self.broken:
                yield Problem(item.path, item.line, f"pair {pair.id}: no entry {pair.entry!r}")

    def _dangling_others(self) -> Iterator[Problem]:
        for key in self.keys:
            if key.record.source.repo not in self.repository:
                yield Problem(key.path, key.line, f"key {key.record.name}: no repository {key.record.source.repo!r}")
        for rule in self.rules:
            if rule.record.entry not in self.entry and rule.record.entry not in self.broken:
                yield Problem(rule.path, rule.line, f"rule {rule.record.id}: no entry {rule.record.entry!r}")
            for owner in (rule.record.framework, rule.record.source.repo, rule.record.of or rule.record.framework):
                if owner not in self.repository:
                    yield Problem(rule.path, rule.line, f"rule {rule.record.id}: no framework or library {owner!r}")
        for concept in self.concepts:
            for owner in concept.record.keys:
                if owner not in self.framework:
                    yield Problem(concept.path, concept.line, f"concept {concept.record.id}: no framework {owner!r}")


def _by_file(located: Sequence[Located[M]]) -> dict[str, list[M]]:
    """Stem of a file → its records, in order."""
    found: dict[str, list[M]] = defaultdict(list)
    for item in located:
        found[item.path.stem].append(item.record)
    return found


def _twice(named: Sequence[tuple[str, Path, int]], seen: dict[str, str]) -> Iterator[Problem]:
    for name, path, line in named:
        if name in seen:
            yield Problem(path, line, f"id {name!r} stands twice, first at {seen[name]}")
        seen.setdefault(name, f"{path.as_posix()}:{line}")
