"""What a log shows: from the places at which signatures were found to one finding per entry."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fieldguide.runtime.guide import Guide
from fieldguide.runtime.match import applies, find, in_one_line, is_hinted


@dataclass(frozen=True)
class Finding:
    """A known error in a log.

    Attributes:
        line: 1-based number of the first line it stands on.
        count: how often it stands there; twice on one line counts once.
        text: what matched first, cleaned and on one line.
        also: other entries that the same text could mean.
        echo: it only reports that something else failed.
        output: it stands in the log of an ordinary run, too.
    """

    entry: str
    line: int
    count: int
    text: str
    also: tuple[str, ...] = ()
    echo: bool = False
    output: bool = False


@dataclass(frozen=True)
class Diagnosis:
    """What a log shows.

    Attributes:
        findings: what ended the run first, then the others by line.
        framework: the one most named, or None.
        lines: how many were read.
        head, tail: the beginning and the end of the text.
        damaged: a compressed log broke off; what stands before the break was read.
    """

    findings: tuple[Finding, ...]
    framework: str | None
    lines: int
    tail: str = ""
    damaged: bool = False
    head: str = ""

    @property
    def ends(self) -> str:
        """Beginning and end, where programs say which they are and why they stop."""
        return self.head if self.head == self.tail else f"{self.head}\n{self.tail}"


def standing(finding: Finding, guide: Guide, installed: Mapping[str, str]) -> tuple[str, str] | None:
    """For a known bug: the release that runs, and what it has, see `Affected.by`; None where the log does not say.

    Args:
        installed: package → version.
    """
    affected = guide.bugs.get(finding.entry)
    version = installed.get(affected.package) if affected else None
    return (version, affected.by(version)) if affected and version else None


def bugs_that_bite_first(findings: Sequence[Finding], guide: Guide, installed: Mapping[str, str]) -> tuple[Finding, ...]:
    """The same findings, and at the end the bugs that the release does not have: they are not what ended the run."""
    told = {finding.entry: standing(finding, guide, installed) for finding in findings}
    return tuple(sorted(findings, key=lambda one: (own := told[one.entry]) is not None and own[1] != "bug"))


def cause_first(findings: Sequence[Finding], tail: str, guide: Guide) -> tuple[Finding, ...]:
    """Findings with the one first that ended the run; no ordinary output, if the end of the log names an error.

    That is what a text of moderate size would be answered with, if the end of the log names it; else the last one that does
    not only report another.
    """
    if any(one.output for one in findings) and guide.errors_in(guide.cleaned(in_one_line(tail)), ())[0]:
        findings = [one for one in findings if not one.output]
    if len(findings) < 2:
        return tuple(findings)
    ended = next((match.signature.entry for match in find(in_one_line(tail), guide) if match.exact), None)
    causes = [one.entry for one in findings if not one.echo] or [findings[-1].entry]
    cause = ended if any(one.entry == ended for one in findings) else causes[-1]
    return tuple(sorted(findings, key=lambda one: one.entry != cause))


@dataclass(frozen=True, order=True)
class Span:
    """Lines of the log that a signature matched; `index` is its position in the guide."""

    first: int
    last: int
    index: int


@dataclass
class _Group:
    """Places at which the same signatures were found."""

    line: int
    count: int = 0


@dataclass
class Places:
    """Where signatures were found, in a size that does not depend on the log's: at most `most` sets of them."""

    guide: Guide
    most: int
    open: list[Span] = field(default_factory=list)
    groups: dict[tuple[int, ...], _Group] = field(default_factory=dict)

    def close(self, before: int | None) -> None:
        """Count the places that end before line `before`, where no later span can reach; None: all."""
        spans, self.open = sorted(self.open), []
        at = 0
        while at < len(spans):
            end, last = at + 1, spans[at].last
            while end < len(spans) and spans[end].first <= last:
                last = max(last, spans[end].last)
                end += 1
            if before is not None and last >= before:
                self.open += spans[at:end]
            else:
                self._note(spans[at].first, tuple(sorted({span.index for span in spans[at:end]})))
            at = end

    def _note(self, line: int, indexes: tuple[int, ...]) -> None:
        """Count a place at which these signatures were found."""
        if indexes not in self.groups and len(self.groups) >= self.most:
            indexes = (max(indexes, key=lambda index: (self.guide.signatures[index].weight, -index)),)
        group = self.groups.setdefault(indexes, _Group(line))
        group.line = min(group.line, line)
        group.count += 1

    def findings(self, frameworks: Sequence[str], texts: Mapping[int, str]) -> list[Finding]:
        """One for each entry that is the best at some place; `texts`: what each signature matched first."""
        counted = frozenset(self._counted(frameworks))
        first: dict[str, tuple[int, int]] = {}
        counts: dict[str, int] = {}
        also: dict[str, set[str]] = {}
        for indexes, group in self.groups.items():
            valid = [index for index in indexes if index in counted]
            if not valid:
                continue
            best = min(valid, key=lambda index: self._rank(index, frameworks))
            entry = self.guide.signatures[best].entry
            first[entry] = min(first.get(entry, (group.line, best)), (group.line, best))
            counts[entry] = counts.get(entry, 0) + group.count
            also.setdefault(entry, set()).update(self.guide.signatures[index].entry for index in valid)
        return [
            Finding(
                entry,
                line,
                counts[entry],
                texts[best],
                tuple(sorted(also[entry] - first.keys())),
                self.guide.signatures[best].echo,
                self.guide.signatures[best].output,
            )
            for entry, (line, best) in sorted(first.items(), key=lambda item: (item[1][0], item[0]))
        ]

    def _counted(self, frameworks: Sequence[str]) -> Iterator[int]:
        """Signatures that count in this log: those whose entry applies to a framework of the log.

        A text that many programs print counts only for a framework of the log, or beside another of its entry; normal
        output only in a log without a known error.
        """
        named = frozenset(frameworks)
        found = {index: self.guide.signatures[index] for indexes in self.groups for index in indexes}
        found = {index: one for index, one in found.items() if applies(one, named)}
        specific = {one.entry for one in found.values() if not one.generic}
        meant = {
            index: one for index, one in found.items() if not one.generic or is_hinted(one, named) or one.entry in specific
        }
        errors = any(not one.output for one in meant.values())
        return (index for index, one in meant.items() if not (one.output and errors))

    def _rank(self, index: int, frameworks: Sequence[str]) -> tuple[bool, float, str]:
        one = self.guide.signatures[index]
        bonus = self.guide.hint_bonus if [one.framework] == list(frameworks[:1]) and not one.bug else 0
        return one.echo, -one.weight - bonus, one.entry
