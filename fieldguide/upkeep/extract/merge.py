"""Declarations and the records that are there already become the new records.

What upstream states is taken from the declaration: type, default, choices, required, help, declarer, line. What people
wrote stays: id, group, spellings, further places, versions and successors set by hand, and every record of a key that is
declared elsewhere (environment variables, keys of open dictionaries, flags of libraries).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from fieldguide.content.catalog.models import Key, KeyKind, Source
from fieldguide.upkeep.extract.classes import covers
from fieldguide.upkeep.extract.declared import Declared
from fieldguide.upkeep.extract.history import History, Point, same_place


class ExtractError(Exception):
    """The catalog stays as it is; the message says what was and what was not extracted."""


@dataclass(frozen=True)
class Merged:
    """The new records in file order, and what to tell the reader.

    Attributes:
        added, changed, removed: names (removed: newly so in this run).
    """

    keys: tuple[Key, ...]
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True)
class Fact:
    """A declaration with its versions.

    Attributes:
        commit: where `declaration` stands when that is not the pinned commit.
        removed: first version without it.
        successor: what it is called now.
        later: places that came after the key itself → their first version.
    """

    declaration: Declared
    commit: str | None
    since: str | None = None
    removed: str | None = None
    successor: str | None = None
    later: Mapping[str, str] = field(default_factory=dict, hash=False)


def facts(history: History, here: Point, commit: str | None) -> list[Fact]:
    """Everything that was ever declared: what `here` has, then what is newer than it, then what is gone, newest first.

    Args:
        here: the revision that was asked for.
        commit: how its sources name it; None when it is the pinned commit.
    """
    gone = history.removed()
    found = []
    for one in here.declared:
        ends = ((label, successor) for other, _, label, successor in gone if same_place(one, other))
        removed, successor = next(ends, (None, None))
        found.append(Fact(one, commit, history.since(one), removed, successor, history.later(one)))
    newer = (one for one in history.points[-1].declared if not here.has(one))
    found += [Fact(one, None, history.since(one), later=history.later(one)) for one in newer]
    found += [
        Fact(one, last.label if last.is_tag else last.commit[:10], history.since(one), label, successor)
        for one, last, label, successor in gone
        if not here.has(one)
    ]
    return found


def merge(framework: str, old: Sequence[Key], found: Sequence[Fact], taken: Collection[str], newest: str) -> Merged:
    """Bring records and declarations together.

    Args:
        newest: version in which a record is gone that was declared once and that no version declares any more.
        taken: ids that headings, entries, concepts and other glossaries have.
    """
    pairs = _paired(framework, old, found)
    owned = [path for fact in found if not fact.removed for path in fact.declaration.paths]
    keys = [_updated(framework, key, pairs[n], owned) if n in pairs else _left(key, newest) for n, key in enumerate(old)]
    ids = {*taken, *(_id(framework, key) for key in keys)}
    new = [fact for fact in found if fact not in pairs.values()]
    names = {key.name for key in keys}
    for fact in new:
        key = _checked(framework, fact, names, ids)
        ids.add(_id(framework, key))
        names.add(key.name)
        keys.append(key)
    return Merged(
        tuple(keys),
        tuple(fact.declaration.name for fact in new),
        tuple(key.name for key, before in zip(keys, old, strict=False) if key != before),
        tuple(key.name for key, before in zip(keys, old, strict=False) if key.removed and not before.removed),
    )


def _id(framework: str, key: Key) -> str:
    return key.id or f"{framework}-{key.slug}"


def _paired(framework: str, old: Sequence[Key], found: Sequence[Fact]) -> dict[int, Fact]:
    """Position of a record → the declaration that it is about; each goes to the best of those of its name."""
    by_name: dict[str, list[Fact]] = {}
    for fact in found:
        by_name.setdefault(fact.declaration.name, []).append(fact)
    scored = [
        (score, -number, fact)
        for number, key in enumerate(old)
        if key.source.repo == framework and key.kind is not KeyKind.ENV
        for fact in by_name.get(key.name, ())
        if (score := _likeness(key, fact))
    ]
    pairs: dict[int, Fact] = {}
    for _score, number, fact in sorted(scored, key=lambda one: one[:2], reverse=True):
        if -number not in pairs and fact not in pairs.values():
            pairs[-number] = fact
    return pairs


def _likeness(key: Key, fact: Fact) -> int:
    """How surely a record is about a declaration; 0: it is not."""
    one = fact.declaration
    if key.kind is not one.kind:
        return 0
    places = any(covers(a, b) or covers(b, a) for a in key.paths for b in one.paths)
    same_file = key.source.path == one.path
    if not (places or one.kind is KeyKind.FLAG or (same_file and not key.paths)):
        return 0
    exact = bool(key.paths) and any(covers(key.paths[0], path) for path in one.paths)
    here = bool(key.source.contains and key.source.contains in one.contains)
    line = here and key.source.line == one.line
    return 1 + 4 * (key.declared == one.declared) + 2 * (here and same_file) + line + 3 * exact + 2 * (not fact.removed)


def _updated(framework: str, key: Key, fact: Fact, owned: Collection[str]) -> Key:
    one = fact.declaration
    more = [path for path in key.paths if not any(covers(a, path) or covers(path, a) for a in one.paths)]
    kept = [path for path in more if path not in owned]
    return key.model_copy(
        update={
            "type": key.type if one.reset else one.type or key.type,
            "default": one.default,
            "required": one.required,
            "choices": one.choices or key.choices,
            "paths": (*one.paths, *kept),
            "spellings": (*key.spellings, *(s for s in one.spellings if s not in key.spellings)),
            "since": fact.since or key.since,
            "later": fact.later or key.later,
            "removed": (key.removed or fact.removed) if fact.removed else None,
            "renamed_to": key.renamed_to or fact.successor,
            "declared": one.declared,
            "help": one.help,
            "source": key.source if fact.removed and key.removed else _source(framework, fact, key.source.contains),
        }
    )


def _left(key: Key, newest: str) -> Key:
    """A record without declaration: gone if it ever had one, else somebody's own."""
    return key.model_copy(update={"removed": newest}) if key.declared and not key.removed else key


def _source(framework: str, fact: Fact, contains: str | None = None) -> Source:
    one = fact.declaration
    kept = contains if contains and contains.strip() in one.contains else one.contains
    return Source(repo=framework, path=one.path, line=one.line, contains=kept, commit=fact.commit)


def _checked(framework: str, fact: Fact, names: Collection[str], ids: Collection[str]) -> Key:
    """A new record.

    Raises:
        ExtractError: the schema cannot hold what upstream declares.
    """
    try:
        return _made(framework, fact, names, ids)
    except ValidationError as error:
        one, fault = fact.declaration, error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise ExtractError(
            f"{one.path}:{one.line}: key {one.name!r} does not fit the schema: {where}: {fault['msg']}"
        ) from error


def _made(framework: str, fact: Fact, names: Collection[str], ids: Collection[str]) -> Key:
    one = fact.declaration
    key = Key(
        name=one.name,
        kind=one.kind,
        type=one.type or "Any",
        default=one.default,
        required=one.required,
        choices=one.choices,
        paths=one.paths,
        spellings=one.spellings,
        group=component(one),
        since=fact.since,
        later=dict(fact.later),
        removed=fact.removed,
        renamed_to=fact.successor,
        declared=one.declared,
        help=one.help,
        source=_source(framework, fact),
    )
    chosen = next(id_ for id_ in _ids(framework, key, one, names) if id_ not in ids)
    return key if chosen == f"{framework}-{key.slug}" else key.model_copy(update={"id": chosen})


def _ids(framework: str, key: Key, one: Declared, names: Collection[str]) -> Iterator[str]:
    """Ids to try: the place for a key of Hydra, whose leaves are called `path` or `name`; else the name while it is the
    only one, then with what declares it."""
    if one.declared.endswith(".yaml"):
        yield f"{framework}-{slug(one.paths[0])}"
    elif key.name not in names:
        yield f"{framework}-{key.slug}"
        yield f"{framework}-{key.slug}-key"
    places = [one.declared.rpartition("/")[2].partition(".")[0], one.declared, *one.paths]
    for place in places:
        yield f"{framework}-{slug(place)}-{key.slug}" if place not in one.paths else f"{framework}-{slug(place)}"
    yield from (f"{framework}-{slug(one.declared)}-{key.slug}-{number}" for number in range(2, 1000))


def slug(name: str) -> str:
    """Lower case with hyphens, a class name in its words.

    >>> slug("SequencePackingConfig"), slug("LLMProxyConfig"), slug("add_rollout_arguments")
    ('sequence-packing-config', 'llm-proxy-config', 'add-rollout-arguments')
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name)
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def component(one: Declared) -> str:
    """The part of the framework that a key belongs to: its class, its group of arguments, its folder or section of YAML."""
    if one.kind is KeyKind.FLAG and "." in one.name:
        return slug(one.name.partition(".")[0])
    if one.kind is KeyKind.FLAG:
        return slug(re.sub(r"^_?(add_)?|_arguments$", "", one.declared)) or "arguments"
    if not one.declared.endswith(".yaml"):
        return slug(one.declared)
    folder = one.declared.partition("/")[0]
    return slug(folder) if "/" in one.declared else slug(one.paths[0].partition(".")[0])
