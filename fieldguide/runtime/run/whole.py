"""The answer to the logs of a run, from paths to a record: what terminal and agent server say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fieldguide.runtime.doctor.facts import Facts
from fieldguide.runtime.doctor.judge import Verdict
from fieldguide.runtime.guide import Answers, Guide
from fieldguide.runtime.log_answer import compare, versions_records
from fieldguide.runtime.rank.answer import nearest
from fieldguide.runtime.rank.documents import Document
from fieldguide.runtime.rank.finder import Finder
from fieldguide.runtime.run.answer import Run, as_record, entry_of
from fieldguide.runtime.run.collect import collect
from fieldguide.runtime.run.failure import judge
from fieldguide.runtime.run.flight import read_flight
from fieldguide.runtime.run.kinds import kind_by_name
from fieldguide.runtime.run.read import in_one_year, read_all
from fieldguide.runtime.run.rules import RunRules


@dataclass(frozen=True)
class RunAnswer:
    """What is known of a run.

    Attributes:
        record: as `fieldguide.runtime.run.answer.as_record`, with "versions".
        compared: the versions that the logs name, if they name any.
        is_empty: nothing that was given is a log.
    """

    record: dict[str, Any]
    compared: tuple[Facts, Verdict] | None
    is_empty: bool

    @property
    def failed(self) -> bool:
        """Whether a failure was found, or an error is known."""
        return bool(self.record["failure"] or self.record["findings"])


def answer_run(
    given: Sequence[str],
    folder: Path,
    guide: Guide,
    answers: Answers,
    rules: RunRules,
    finder: Callable[[], Finder],
    facts: Callable[[], Facts],
) -> RunAnswer:
    """Read the logs of a run and tell what failed first.

    Args:
        given: files, folders, globs, archives.
        folder: the compiled guide.
        finder, facts: read what only some runs need.
    """
    collected = collect(list(given), rules)
    dumps = [one for one in collected.members if kind_by_name(one.name, rules)[0] == "flight" and not one.packed]
    members = [one for one in collected.members if one not in dumps] if dumps else collected.members
    files, skipped = read_all(members, guide, rules, folder)
    collected.skipped += skipped
    files = in_one_year(files)
    run = Run(files, collected, judge(files, rules), read_flight([one.file for one in dumps]))
    compared = compare("\n".join(one.ends for one in files), facts)
    entry = entry_of(run, guide)
    near = [] if entry else _nearest(run, guide, finder)
    record = as_record(run, guide, answers, entry, near)
    record["versions"] = versions_records(compared, answers)
    return RunAnswer(record, compared, not files and not run.flight)


def _nearest(run: Run, guide: Guide, finder: Callable[[], Finder]) -> list[Document]:
    """Entries about the same words as the first failure, where it says something of itself."""
    first = run.verdict.first
    if first is None or first.placed is None or first.placed.seen.told is None:
        return []
    return nearest(first.placed.seen.text, guide, finder())
