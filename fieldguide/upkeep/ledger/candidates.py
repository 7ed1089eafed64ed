"""Commits that look like fixes and that nobody has judged yet: what a person needs to write a row, or to refuse one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fieldguide.content.catalog.store import Catalog
from fieldguide.upkeep.ledger.history import Ledger, Made

_FIX = re.compile(r"fix|bug|crash|hang|deadlock|leak|wrong|incorrect|error|avoid|prevent|missing|\boom\b|race", re.IGNORECASE)
# What no user of a release meets, as squashed commits name it.
_BESIDE = re.compile(r"^\[(ci|docs?|test|misc, ci|ci, docs?|docs?, ci)\]|typo|readme|^docs?:", re.IGNORECASE)
_CLOSES = re.compile(
    r"(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|issue)\s*:?\s*(?:https://github\.com/[\w./-]+/issues/|#)(\d+)", re.IGNORECASE
)
_ERROR = re.compile(r"^[^\n]{0,80}\b\w*(?:Error|Exception)\b: ?[^\n]{4,200}$", re.MULTILINE)
_QUOTED = 3


@dataclass(frozen=True)
class Candidate:
    """A commit that may be a fix.

    Attributes:
        issues: threads that its message says it closes.
        errors: lines of its message that read like an error.
        fixed: the first release that has it, if any.
        paths: files of code that it changes.
    """

    made: Made
    issues: tuple[int, ...]
    errors: tuple[str, ...]
    fixed: str | None
    paths: tuple[str, ...]

    def __str__(self) -> str:
        number = f" #{self.made.number}" if self.made.number else ""
        threads = f" closes {', '.join(f'#{one}' for one in self.issues)}" if self.issues else ""
        lines = [f"{self.made.id} {self.made.day}{number}{threads} in {self.fixed or 'no release'}: {self.made.subject}"]
        if not self.made.message.partition("\n")[2].strip():
            lines.append("    its message says no more")
        return "\n".join([*lines, *(f"    {error}" for error in self.errors), *(f"    {path}" for path in self.paths[:4])])


def candidates(catalog: Catalog, repository: str, ledger: Ledger, since: str = "") -> Iterator[Candidate]:
    """Commits after the first release that are in no row, refused nowhere and taken back by none, the newest first.

    Args:
        since: day from which on to look.
    """
    told = {commit for bug in catalog.bugs_of.get(repository, ()) for commit in bug.commits}
    told |= {item.record.commit for item in catalog.refused if item.path.stem == repository}
    numbers = {bug.pr for bug in catalog.bugs_of.get(repository, ()) if bug.pr}
    for made in ledger.commits.values():
        known = made.id in told or made.id in ledger.reverted or made.number in numbers
        if known or made.day < since or not _FIX.search(made.subject) or _BESIDE.search(made.subject):
            continue
        paths = tuple(dict.fromkeys(path for path, _, _ in ledger.lines(made.id)))
        if paths:
            issues = tuple(dict.fromkeys(int(one) for one in _CLOSES.findall(made.message)))
            errors = tuple(one.strip() for one in _ERROR.findall(made.message)[:_QUOTED])
            yield Candidate(made, issues, errors, ledger.first_with([made.id]), paths)
