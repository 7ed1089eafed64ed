"""Search cases: what people type or paste, and which entry has to come first."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

KINDS = ("question", "config-key", "error-line", "traceback")
PASTE_LENGTH = 5000

_FRAMES = (
    ("ray/_private/worker.py", "get_objects", "raise value.as_instanceof_cause()"),
    ("ray/util/tracing/tracing_helper.py", "_resume_span", "return method(self, *_args, **_kwargs)"),
    ("torch/nn/modules/module.py", "_call_impl", "return forward_call(*args, **kwargs)"),
    ("torch/utils/_contextlib.py", "decorate_context", "return func(*args, **kwargs)"),
    ("hydra/_internal/utils.py", "run_and_report", "return func()"),
    ("megatron/core/transformer/transformer_block.py", "forward", "hidden_states, context = layer("),
)


@dataclass(frozen=True)
class Case:
    """One query.

    Attributes:
        query: as copied, line breaks included.
        language: `en`, `zh`, or `code` for program output, which is asked in both.
        expect: id of the entry that must come first; None when the site has no answer.
        accept: other ids that are right, too.
    """

    id: str
    query: str
    language: str
    kind: str
    expect: str | None
    accept: tuple[str, ...] = ()

    @property
    def typed(self) -> str:
        """The query as the search box receives it: in one line."""
        return in_one_line(self.query)

    @property
    def right(self) -> frozenset[str]:
        """Every id that is a right first answer."""
        return frozenset((self.expect, *self.accept) if self.expect else ())


@dataclass(frozen=True)
class Asked:
    """A case in the language it is asked in."""

    case: Case
    language: str


def load_cases(path: Path) -> list[Case]:
    """Read a file with one case a line, or every such file of a folder; blank lines are skipped.

    Raises:
        ValueError: an id stands twice.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
    cases = [_case(json.loads(line)) for line in lines]
    twice = [id_ for id_, count in Counter(case.id for case in cases).items() if count > 1]
    if twice:
        raise ValueError(f"{path}: ids that stand twice: {', '.join(twice)}")
    return cases


def _case(record: dict[str, object]) -> Case:
    expect, accept = record["expect"], record.get("accept")
    return Case(
        id=str(record["id"]),
        query=str(record["query"]),
        language=str(record["lang"]),
        kind=str(record["kind"]),
        expect=str(expect) if expect else None,
        accept=tuple(map(str, accept)) if isinstance(accept, list) else (),
    )


def asked(cases: Sequence[Case], language: str) -> list[Asked]:
    """The cases that are asked on one language's site."""
    return [Asked(case, language) for case in cases if case.language in (language, "code")]


def short_queries(cases: Sequence[Case], language: str) -> list[str]:
    """Questions and keys, as typed by hand."""
    return [one.case.typed for one in asked(cases, language) if one.case.kind in ("question", "config-key")]


def long_pastes(cases: Sequence[Case]) -> list[str]:
    """Every traceback, with more frames before it until it is as long as a paste from a cluster."""
    return [padded(case.query) for case in cases if case.kind == "traceback"]


def padded(text: str, length: int = PASTE_LENGTH) -> str:
    """`text` in one line, frames of a traceback before it, `length` characters or a little more."""
    frames, size = ["Traceback (most recent call last):"], len(text)
    for frame in _frames():
        if size >= length:
            break
        frames.append(frame)
        size += len(frame) + 1
    return " ".join([*(frames if len(frames) > 1 else []), in_one_line(text)])


def in_one_line(text: str) -> str:
    """What an `<input>` makes of a pasted text here: line breaks become spaces."""
    return re.sub(r"\r?\n|\r", " ", text)


def _frames() -> Iterator[str]:
    number = 0
    while True:
        file, function, code = _FRAMES[number % len(_FRAMES)]
        number += 1
        yield f'  File "/usr/local/lib/python3.12/dist-packages/{file}", line {97 + 61 * number}, in {function}     {code}'
