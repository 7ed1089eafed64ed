"""The bug ledger asked by framework or library, release and words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from packaging.version import InvalidVersion

from fieldguide.runtime.guide import Affected, Answer, Answers, Guide
from fieldguide.runtime.version import version_of


class LedgerError(ValueError):
    """What was asked for does not exist; the text says what does."""


@dataclass(frozen=True)
class Known:
    """A row: `errors` are what the bug prints, as readers see it."""

    id: str
    answer: Answer
    affected: Affected
    errors: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """For programs."""
        one = self.answer
        said = {"id": self.id, "what": one.title, "standing": one.short, "todo": one.fix, "page": one.page}
        return {**said, **self.affected.span, "errors": list(self.errors)}


def known_bugs(
    guide: Guide,
    answers: Answers,
    repository: str,
    words: Sequence[str] = (),
    release: str | None = None,
    to: str | None = None,
) -> list[Known]:
    """Rows of a framework or library, in the order of the ledger.

    Args:
        words: all of which a row must say.
        release: that has the bug.
        to: release that no longer has it.

    Raises:
        LedgerError: nothing is known of the framework, or a release is none.
    """
    known = sorted({one.repository for one in guide.bugs.values()})
    if repository not in known:
        raise LedgerError(f"no bugs of {repository!r} are known; there are some of: {', '.join(known)}")
    for one in (release, to):
        try:
            version_of(one or "0")
        except InvalidVersion as error:
            raise LedgerError(f"not a release: {one!r}; write it like v0.9.0") from error
    rows = (_row(guide, answers, id_) for id_, one in guide.bugs.items() if one.repository == repository)
    return [row for row in rows if _meant(row.affected, release, to) and _says(row, words)]


def _row(guide: Guide, answers: Answers, id_: str) -> Known:
    errors = tuple(one.shown for one in guide.signatures if one.bug and one.entry == id_)
    return Known(id_, answers.entries[id_], guide.bugs[id_], errors)


def _meant(affected: Affected, release: str | None, to: str | None) -> bool:
    return (release is None or affected.by(release) == "bug") and (to is None or affected.by(to) == "fix")


def _says(row: Known, words: Sequence[str]) -> bool:
    said = "\n".join((row.id, row.answer.title, row.answer.short, row.answer.fix, *row.errors)).lower()
    return all(word.lower() in said for word in words)
