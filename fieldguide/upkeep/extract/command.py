"""One run: clone → declarations → history → use → records → catalog/keys/<framework>.yml."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fieldguide.content.catalog.models import Framework, Key
from fieldguide.content.guide import Guide
from fieldguide.upkeep.extract.declared import Extraction
from fieldguide.upkeep.extract.git import Clone, GitError, Tree
from fieldguide.upkeep.extract.history import History, Point, label, trace
from fieldguide.upkeep.extract.layouts import LAYOUTS, extract
from fieldguide.upkeep.extract.merge import ExtractError, Merged, facts, merge
from fieldguide.upkeep.extract.usage import used
from fieldguide.upkeep.extract.write import as_yaml, head_of, replace_file

# More than this share of the known keys gone at once is a framework that moved its configuration, not one that cleaned up.
MANY = 0.25


@dataclass(frozen=True)
class Outcome:
    """What a run did.

    Attributes:
        examples: files of upstream in which use was counted.
        written: whether the file is new.
    """

    file: Path
    tree: Tree
    found: Extraction
    history: History
    merged: Merged
    examples: int
    written: bool

    @property
    def summary(self) -> str:
        """A few lines for the terminal."""
        found, merged = self.found, self.merged
        places = len({place for one in found.declared for place in one.paths or (one.name,)})
        lines = [
            f"{len(found.declared)} declarations ({places} places or flags) in {len(found.files)} files at {label(self.tree)}",
            f"{len(self.history.points)} versions compared, {self.examples} example files counted",
            *self.history.notes,
            *(f"removed in {key.removed}: {key.name}" for key in merged.keys if key.name in merged.removed and key.removed),
            f"{len(merged.added)} keys new, {len(merged.changed)} changed, {len(merged.removed)} newly removed",
            f"{self.file.as_posix()}: {len(merged.keys)} keys{'' if self.written else ', as before'}",
        ]
        return "\n".join(lines)


def update(guide: Guide, framework: str, repository: Path, revision: str | None, many: bool = False) -> Outcome:
    """Extract and replace the catalog file of one framework.

    Args:
        revision: tag, branch or commit; the pinned commit when None.
        many: accept that more than a quarter of the keys are gone.

    Raises:
        ExtractError, GitError: nothing is written.
    """
    with Clone(repository) as clone:
        read = _read(guide, framework, clone, revision)
        _few(read.merged, _own(guide, framework), many)
        merged, examples = _counted(read.merged, read.tree, LAYOUTS[framework].examples)
    file = guide.root / "catalog" / "keys" / f"{framework}.yml"
    written = replace_file(file, as_yaml(head_of(file), merged.keys))
    return Outcome(file.relative_to(guide.root), read.tree, read.found, read.history, merged, examples, written)


@dataclass(frozen=True)
class Versions:
    """What the catalog says of the versions of keys, beside what the releases declare.

    Attributes:
        keys: how many are declared in what is read; `points`: in how many versions they were looked up.
        differing: names of keys whose first or last version is another.
    """

    framework: str
    keys: int
    points: int
    differing: tuple[str, ...]


def versions(guide: Guide, framework: str, clone: Clone) -> Versions:
    """Look the keys of one framework up in its releases; nothing is written.

    Raises:
        ExtractError, GitError: they cannot be read.
    """
    read = _read(guide, framework, clone, None)
    said = {key.id or key.slug: _span(key) for key in _own(guide, framework)}
    differing = [key.name for key in read.merged.keys if said.get(key.id or key.slug, _span(key)) != _span(key)]
    return Versions(framework, sum(bool(key.declared) for key in read.merged.keys), len(read.history.points), tuple(differing))


def _span(key: Key) -> tuple[object, ...]:
    return key.since, key.removed, sorted(key.later.items())


@dataclass(frozen=True)
class _Read:
    """A framework's keys as its source declares them, with what the catalog has of them."""

    tree: Tree
    found: Extraction
    history: History
    merged: Merged


def _read(guide: Guide, framework: str, clone: Clone, revision: str | None) -> _Read:
    record = guide.catalog.framework.get(framework)
    if record is None or framework not in LAYOUTS:
        raise ExtractError(f"no framework {framework!r} to extract; known: {', '.join(sorted(LAYOUTS))}")
    tree = _tree(clone, record, revision)
    found = extract(framework, tree)
    _complain(found, framework)
    newest, latest = _newest(clone, record, tree, found)
    # What only the package index has is no ancestor of the commit that was checked: its keys say nothing of what came or went.
    history = trace(framework, clone, [one.tag for one in record.releases if not one.sha256], newest, latest)
    here = Point(label(tree), tree.commit, found.declared)
    known = facts(history, here, None if tree.commit == record.commit else revision)
    merged = merge(framework, _own(guide, framework), known, _taken(guide, framework), label(newest))
    return _Read(tree, found, history, merged)


def _own(guide: Guide, framework: str) -> list[Key]:
    return [item.record for item in guide.catalog.keys if item.path.stem == framework]


def _tree(clone: Clone, record: Framework, revision: str | None) -> Tree:
    if revision is not None:
        return clone.tree(revision)
    try:
        return clone.tree(record.commit or "")
    except GitError as error:
        raise GitError(
            f"{clone.path}: the pinned commit {record.commit} of {record.repository} is not in it; is it a clone of another "
            "repository, a shallow or an older one? Run git fetch there, or name a revision"
        ) from error


def _complain(found: Extraction, framework: str) -> None:
    faults = (*found.problems, *found.absent)
    if faults or not found.declared:
        done = f"{len(found.declared)} declarations in {len(found.files)} files were extracted"
        listed = "\n".join(f"  {one}" for one in faults or ("no declaration in any file",))
        raise ExtractError(f"not extracted:\n{listed}\n{done}; catalog/keys/{framework}.yml is left as it was")


def _newest(clone: Clone, record: Framework, tree: Tree, found: Extraction) -> tuple[Tree, Extraction]:
    """The end of the history: the revision asked for, or the pinned commit when that is younger."""
    try:
        pinned = clone.tree(record.commit or "")
        clone.git("merge-base", "--is-ancestor", tree.commit, pinned.commit)
    except GitError:
        return tree, found
    later = extract(record.id, pinned)
    return (tree, found) if later.problems or pinned.commit == tree.commit else (pinned, later)


def _taken(guide: Guide, framework: str) -> Collection[str]:
    """Ids that a new key of this framework cannot have."""
    own = {owned.id for owned in guide.catalog.owned_keys if owned.owner == framework}
    rules = {item.record.anchor for item in guide.catalog.rules}
    return ({*guide.home_of, *guide.catalog.key_by_id, *guide.catalog.entry, *guide.catalog.concept} | rules) - own


def _few(merged: Merged, old: Sequence[Key], many: bool) -> None:
    alive = sum(1 for key in old if key.declared and not key.removed)
    if len(merged.removed) > MANY * alive and not many:
        some = ", ".join(merged.removed[:5])
        raise ExtractError(
            f"{len(merged.removed)} of {alive} keys would become 'removed' ({some} …): the framework may have moved its "
            "configuration (see fieldguide/upkeep/extract/layouts.py). If they are really gone, run again with MANY=1"
        )


def _counted(merged: Merged, tree: Tree, patterns: Sequence[str]) -> tuple[Merged, int]:
    counts, examples = used(tree, patterns, merged.keys)
    keys = tuple(key.model_copy(update={"used": counts.get(n, 0)}) for n, key in enumerate(merged.keys))
    return replace(merged, keys=keys), examples
