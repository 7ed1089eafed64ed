"""In which releases a bug is, and which is the first that has its fix: from the history, never by hand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fieldguide.content.catalog.models import Bug, Line
from fieldguide.content.catalog.store import Catalog, Located
from fieldguide.content.signature import parse_signature
from fieldguide.upkeep.ledger.history import Ledger
from fieldguide.upkeep.releases.known import ReleaseTree

# What a machine writes of a row.
FIELDS = ("since", "until", "fixed", "picks")


@dataclass(frozen=True)
class Judged:
    """What the releases say of a row: see `Bug` for its fields, of which one that does not hold is None."""

    since: str | None
    until: str | None
    fixed: str | None
    faults: tuple[str, ...]
    picks: bool | None = None


@dataclass(frozen=True)
class Boundary:
    """A row whose releases the catalog has otherwise; `position` is its number in the file."""

    record: Located[Bug]
    position: int
    now: Judged

    @property
    def differing(self) -> dict[str, str | bool | None]:
        """Fields to write."""
        return {
            name: getattr(self.now, name) for name in FIELDS if getattr(self.now, name) != getattr(self.record.record, name)
        }

    def __str__(self) -> str:
        said = ", ".join(f"{name} {getattr(self.record.record, name)} should be {now}" for name, now in self.differing.items())
        return f"{self.record.path.as_posix()}:{self.record.line}: bug {self.record.record.id}: {said}"


@dataclass(frozen=True)
class LedgerReport:
    """The rows of one repository: how many there are, what the releases say otherwise, and what is wrong."""

    repository: str
    rows: int = 0
    boundaries: tuple[Boundary, ...] = ()
    faults: tuple[str, ...] = ()


def judge_all(catalog: Catalog, repository: str, ledger: Ledger) -> LedgerReport:
    """Look up every row of a repository."""
    rows = [item for item in catalog.bugs if item.path.stem == repository]
    ledger.look_for(line for item in rows for line in (item.record.faulty, item.record.mended) if line)
    framework = catalog.framework.get(repository)
    last = framework.lineage.until if framework else None
    boundaries, faults = [], []
    for position, item in enumerate(rows):
        judged = judge(item.record, ledger, last)
        faults += [f"{item.path.as_posix()}:{item.line}: bug {item.record.id}: {fault}" for fault in judged.faults]
        boundary = Boundary(item, position, judged)
        if not judged.faults and boundary.differing:
            boundaries.append(boundary)
    return LedgerReport(repository, len(rows), tuple(boundaries), tuple(faults))


def judge(bug: Bug, ledger: Ledger, last: str | None = None) -> Judged:
    """Look a row up.

    Args:
        last: the release with which the line of the repository ends that the row is about: what comes after it is another
            program, in which a bug may be fixed, but not open.

    Returns:
        the releases, and what contradicts them: a commit that is on no branch or was taken back, a bug that no release has,
        a text that stands nowhere.
    """
    fixed = _fixed(bug, ledger)
    faults = list(_commits(bug, ledger, fixed))
    end = ledger.tags.index(fixed) if fixed else ledger.tags.index(last) + 1 if last else len(ledger.tags)
    before = ledger.releases[:end]
    if not before:
        return Judged(None, None, fixed, (*faults, f"{fixed} is the first release: none can have the bug"))
    since: str | None = None
    until = before[-1].release.tag
    if bug.faulty:
        ill = [ledger.has(one, bug.faulty) for one in before]
        if not any(ill):
            faults.append(f"no release before {fixed or 'its end'} has the faulty line: {bug.faulty.text!r}")
        elif not ill[-1]:
            faults.append(f"{until}, the last release before the fix, does not have the faulty line: {bug.faulty.text!r}")
        else:
            since = before[_last_run(ill)].release.tag
        if fixed and ledger.has(ledger.releases[end], bug.faulty):
            faults.append(f"{fixed} has the fix and still the faulty line: {bug.faulty.text!r}")
    elif bug.commits and not any(_was_there(one, before[-1], ledger) for one in bug.commits):
        faults.append(f"{until}, the last release before the fix, has none of the files that the fix changes")
    faults += _quotes(bug, ledger, since or until, until)
    picks = ledger.picks(bug.commits, before[-1]) or None
    return Judged(since, until if last or (fixed and not bug.open) else None, fixed, tuple(faults), picks)


def _fixed(bug: Bug, ledger: Ledger) -> str | None:
    if bug.commits:
        return ledger.first_with(bug.commits)
    if bug.mended:
        there = [ledger.has(one, bug.mended) for one in ledger.releases]
        if any(there) and there[-1]:
            return ledger.tags[_last_run(there)]
    return None


def _last_run(flags: Sequence[bool]) -> int:
    """Where the flags begin that are set up to the end.

    >>> _last_run([True, False, True, True]), _last_run([True, True])
    (2, 0)
    """
    return next((at + 1 for at in reversed(range(len(flags))) if not flags[at]), 0)


def _commits(bug: Bug, ledger: Ledger, fixed: str | None) -> Iterator[str]:
    for one in bug.commits:
        made = ledger.commits.get(one)
        if made is None:
            yield f"no commit {one} on the main branch or below a tag"
            continue
        if one in ledger.reverted:
            yield f"commit {one} was taken back by {ledger.reverted[one]}"
    there = [made for one in bug.commits if (made := ledger.commits.get(one))]
    # What completes a fix later has a number of its own.
    if bug.pr and there and not any(made.number in (None, bug.pr) or f"#{bug.pr}" in made.message for made in there):
        yield f"none of its commits is of pull request {bug.pr}; that of {there[0].id} is {there[0].number}"
    if bug.mended and fixed is None:
        yield f"the newest release does not have the mended line: {bug.mended.text!r}"


def _was_there(commit: str, release: ReleaseTree, ledger: Ledger) -> bool:
    files = ledger.files_before(commit)
    return not files or any(path in release.tree.files or path.removeprefix("src/") in release.tree.files for path in files)


def _quotes(bug: Bug, ledger: Ledger, since: str, until: str) -> Iterator[str]:
    """Error texts that are neither in the change nor in the code, and of which nothing is said."""
    if not bug.errors or bug.quoted:
        return
    told = "\n".join(" ".join(ledger.message(one).split()) for one in bug.commits if one in ledger.commits)
    affected = ledger.releases[ledger.tags.index(since) : ledger.tags.index(until) + 1]
    for text in bug.errors:
        pieces = [" ".join(piece.text.split()) for piece in parse_signature(text) if piece.placeholder is None]
        longest = max(pieces, key=len, default="")
        if all(piece in told for piece in pieces) or any(ledger.has(one, Line(text=longest)) for one in affected[::-1]):
            continue
        yield f"error text is neither in the change nor in {until}; say where it is from (`quoted`): {text!r}"
