"""The whole answer to a log: its known errors, what is near where there is none, and the versions that it names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from fieldguide.runtime.explain import as_record, as_text
from fieldguide.runtime.findings import Diagnosis, bugs_that_bite_first
from fieldguide.runtime.guide import Answers, Guide
from fieldguide.runtime.rank.answer import nearest
from fieldguide.runtime.rank.documents import Document
from fieldguide.runtime.rank.finder import Finder, read_finder
from fieldguide.runtime.scan import Scanner

if TYPE_CHECKING:  # few logs name versions: who reads another one does not wait for what compares them
    from fieldguide.runtime.doctor.facts import Facts
    from fieldguide.runtime.doctor.judge import Verdict


@dataclass(frozen=True)
class LogAnswer:
    """What is known of a log, to be said as text or as a record."""

    guide: Guide
    answers: Answers
    diagnosis: Diagnosis
    nearest: tuple[Document, ...]
    installed: Mapping[str, str]
    compared: "tuple[Facts, Verdict] | None"

    def text(self, colour: bool) -> str:
        """For a reader."""
        said = as_text(self.guide, self.answers, self.diagnosis, colour, self.nearest, self.installed)
        return "\n\n".join(filter(None, (said, versions_text(self.compared, self.answers))))

    def record(self) -> dict[str, Any]:
        """For programs: as `fieldguide.runtime.explain.as_record`, with "versions"."""
        made = as_record(self.guide, self.answers, self.diagnosis, self.nearest, self.installed)
        return made | {"versions": versions_records(self.compared, self.answers)}


def versions_text(compared: "tuple[Facts, Verdict] | None", answers: Answers) -> str:
    """What goes wrong with the versions that a log names, for a reader."""
    if compared is None:
        return ""
    from fieldguide.runtime.doctor.answer import log_text

    return log_text(*compared, answers.words, answers.language)


def versions_records(compared: "tuple[Facts, Verdict] | None", answers: Answers) -> list[dict[str, Any]]:
    """The same for programs."""
    if compared is None:
        return []
    from fieldguide.runtime.doctor.answer import log_records

    return log_records(*compared, answers.language)


def answer_log(
    stream: BinaryIO,
    guide: Guide,
    answers: Answers,
    finder: Callable[[], Finder],
    facts: "Callable[[], Facts]",
    release: str | None = None,
) -> LogAnswer:
    """Read a log to its end.

    Args:
        finder, facts: read what only some logs need.
        release: of the framework, where the log does not say.

    Raises:
        LogError: it is no text.
        OSError: it cannot be read.
    """
    diagnosis = Scanner(guide).scan(stream)
    near = () if diagnosis.findings else tuple(nearest(diagnosis.tail, guide, finder()))
    compared = compare(diagnosis.ends, facts)
    packages = compared[1].environment.packages if compared else {}
    installed = {name: str(one.number) for name, one in packages.items() if one.number}
    if release and diagnosis.framework:
        installed[diagnosis.framework] = release
    ordered = bugs_that_bite_first(diagnosis.findings, guide, installed)
    return LogAnswer(guide, answers, replace(diagnosis, findings=ordered), near, installed, compared)


def compare(ends: str, facts: "Callable[[], Facts]") -> "tuple[Facts, Verdict] | None":
    """What goes together, or does not, of the versions that the ends of a log name; None where they name none."""
    from fieldguide.runtime.doctor.environment import names_versions, read_environment

    if not names_versions(ends):
        return None
    from fieldguide.runtime.doctor.judge import judge

    held = facts()
    return held, judge(held, read_environment(held, ends))


def answer_log_from(folder: Path, stream: BinaryIO, guide: Guide, answers: Answers, release: str | None = None) -> LogAnswer:
    """The same, with what only some logs need read from the compiled guide in `folder`."""
    language = answers.language

    def facts() -> "Facts":
        from fieldguide.runtime.doctor.facts import read_facts

        return read_facts(folder)

    return answer_log(stream, guide, answers, lambda: read_finder(folder, language, guide), facts, release)
