"""In which releases a text or a cited line is there, held against what the catalog says."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fieldguide.content.catalog.models import Entry, Rule, Signature, Source, Span
from fieldguide.content.catalog.store import Catalog, Located
from fieldguide.content.problems import Problem
from fieldguide.content.signature import display_signature
from fieldguide.upkeep.releases.known import ReleaseTree
from fieldguide.upkeep.verify.edit import Path as Field
from fieldguide.upkeep.verify.presence import Presence
from fieldguide.upkeep.verify.printed import sample_of


@dataclass(frozen=True)
class Boundary:
    """A span in the catalog that is not what the releases say.

    Attributes:
        field: where the span is in its file.
        was, now: what the catalog says, and what the releases do.
        gaps: releases between the two ends that have it not.
    """

    repo: str
    owner: str
    text: str
    record: Located[Entry]
    field: Field
    was: Span
    now: Span
    gaps: tuple[str, ...] = ()

    def __str__(self) -> str:
        gaps = f" (not in {', '.join(self.gaps)})" if self.gaps else ""
        return f"{self.owner}: {self.text!r} is in {self.repo} {shown(self.now)}{gaps}; the catalog says {shown(self.was)}"


@dataclass
class Spans:
    """What was found in the releases of one repository.

    Attributes:
        texts, lines: how many were looked up.
        never: (entry, text) in no release, without a reason in the catalog.
        reasons: reason → how many texts that are not followed have it.
    """

    repo: str
    releases: Sequence[ReleaseTree]
    texts: int = 0
    lines: int = 0
    never: list[tuple[str, str]] = field(default_factory=list)
    reasons: Mapping[str, int] = field(default_factory=dict)
    boundaries: list[Boundary] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def nowhere(self) -> list[str]:
        """What is to be said of texts that were not found."""
        return [
            f"{entry}: {text!r} is in no release of {self.repo}; correct it, or say in not_followed why"
            for entry, text in self.never
        ]


def look_up(catalog: Catalog, repo: str, releases: Sequence[ReleaseTree], presence: Presence) -> Spans:
    """Look up every signature, error of a rule and cited line of a repository in its releases and at its pin."""
    spans = Spans(repo, releases)
    rules = [item for item in catalog.rules if item.record.error and (item.record.of or item.record.framework) == repo]
    followed = [item for item in rules if not item.record.not_followed]
    signatures = [one for item in catalog.entries for one in item.record.signatures if one.of == repo]
    texts = {one.text for one in signatures if not one.not_followed} | {item.record.error or "" for item in followed}
    flags = presence.of(texts)
    spans.texts = len(flags)
    spans.reasons = Counter(one.not_followed for one in signatures if one.not_followed)
    for item in catalog.entries:
        _signatures(spans, item, flags, presence.labels)
        _lines(spans, item, presence)
    for rule in followed:
        _rule(spans, rule, flags[rule.record.error or ""], presence.labels)
    return spans


def _signatures(spans: Spans, item: Located[Entry], flags: Mapping[str, Sequence[bool]], labels: Sequence[str]) -> None:
    for index, signature in enumerate(item.record.signatures):
        if signature.of != spans.repo or signature.not_followed:
            continue
        there, text = flags[signature.text], display_signature(signature.text)
        if not any(there):
            if not _since_commit(signature):  # which may be later than every release
                spans.never.append((item.record.id, text))
        elif signature.bounded and named_by_class(signature, item.record):
            spans.problems += _outside(item, f"{text!r}", signature, there, labels)
        else:
            spans.boundaries += _differing(spans.repo, item, text, ("signatures", index), signature, there, labels)


def _lines(spans: Spans, item: Located[Entry], presence: Presence) -> None:
    for index, source in enumerate(item.record.sources):
        if source.repo != spans.repo or source.commit or not source.contains:
            continue
        spans.lines += 1
        there, text = presence.of_line(source.path, source.contains), f"{source.path}: {source.contains}"
        if any(there.values()):
            spans.boundaries += _differing(spans.repo, item, text, ("sources", index), source, [*there.values()], [*there])


def _rule(spans: Spans, item: Located[Rule], there: Sequence[bool], labels: Sequence[str]) -> None:
    rule = item.record
    if not any(there):
        spans.never.append((f"rule {rule.id}", display_signature(rule.error or "")))
    elif rule.framework == spans.repo:  # of a library's text, the versions of a rule are the framework's
        spans.problems += _outside(item, f"rule {rule.id}", rule, there, labels)


def span_of(there: Sequence[bool], labels: Sequence[str]) -> tuple[Span, tuple[str, ...]]:
    """First and last release that has something, the ends left open where they are those of all releases; and the gaps.

    >>> span_of([False, True, False, True], ["v1", "v2", "v3", "v4"])
    (Span(since='v2', until=None), ('v3',))
    """
    first, last = there.index(True), len(there) - 1 - list(there)[::-1].index(True)
    gaps = tuple(label for label, flag in zip(labels[first:last], there[first:last], strict=True) if not flag)
    return Span(since=labels[first] if first else None, until=labels[last] if last < len(there) - 1 else None), gaps


def named_by_class(signature: Signature, entry: Entry) -> bool:
    """Whether two wordings of an entry differ in nothing but the class of the exception.

    The text is then the same in all releases. Which class stood before it was seen when the error was brought about.
    """
    rest = sample_of(signature.text)
    others = [one for one in entry.signatures if one.of == signature.of and one.text != signature.text]
    return any(sample_of(one.text) == rest for one in others)


def _differing(
    repo: str, item: Located[Entry], text: str, field: Field, said: Span | Source, there: Sequence[bool], labels: Sequence[str]
) -> Iterator[Boundary]:
    now, gaps = span_of(there, labels)
    was = Span(since=said.since, until=said.until)
    # What begins before the oldest release that is looked at was seen by somebody else.
    if was.since and was.since not in labels and " " not in was.since and now.since is None:
        now = Span(since=was.since, until=now.until)
    # A commit between the last release without it and the pin says more than the next release does.
    if _since_commit(was) and now.since == labels[-1]:
        now = Span(since=was.since, until=now.until)
    if was != now:
        yield Boundary(repo, item.record.id, text, item, field, was, now, gaps)


def _since_commit(said: Span | Source) -> bool:
    """Whether it begins with a commit, written with its day, instead of a release."""
    return bool(said.since and " " in said.since)


def _outside(item: Located[Any], what: str, said: Span, there: Sequence[bool], labels: Sequence[str]) -> Iterator[Problem]:
    """What is said to be in a release that does not print its text."""
    if not any(there):
        return
    now, _ = span_of(there, labels)
    if _since_commit(said):  # its texts are those of the next release
        return
    order = {label: number for number, label in enumerate(labels)}
    begins, ends = order.get(said.since or labels[0], 0), order.get(said.until or labels[-1], len(labels) - 1)
    if now.since and begins < order[now.since]:
        yield Problem(
            item.path, item.line, f"{what} is said to hold from {labels[begins]} on, its text is printed {shown(now)}"
        )
    if now.until and ends > order[now.until]:
        yield Problem(item.path, item.line, f"{what} is said to hold up to {labels[ends]}, its text is printed {shown(now)}")


def shown(span: Span) -> str:
    """`from v0.3.0 to v0.7.0`."""
    ends = [f"from {span.since}" if span.since else "", f"to {span.until}" if span.until else ""]
    return " ".join(end for end in ends if end) or "every release"
